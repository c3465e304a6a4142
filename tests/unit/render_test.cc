#include "render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "render_model.h"
#include "routec/http.h"

namespace routec::compiler {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t kUint = 1, kDate = 2;

Param param(const std::string& name, std::size_t type) { return {name, name, type, {}}; }

Segment literal(const std::string& text) {
  Segment segment;
  segment.literals = {text};
  return segment;
}

Segment plain(const std::string& name, std::size_t type) {
  Segment segment;
  segment.literals = {"", ""};
  segment.params = {param(name, type)};
  return segment;
}

class Table {
 public:
  Table() {
    table_.manifest_name = "shop.yaml";
    table_.stem = "shop";
    table_.namespaces = {"shop"};
    table_.methods.assign(std::begin(kMethodNames), std::end(kMethodNames));
    for (const TypeKind kind : {TypeKind::kStr, TypeKind::kUint, TypeKind::kDate})
      table_.types.emplace_back().kind = kind;
  }

  Route& add(const std::string& method, const std::string& text, std::vector<Segment> segments,
             const std::string& name, Tail tail = Tail::kNone) {
    Route& route = table_.routes.emplace_back();
    route.method = method;
    route.pattern = {text, std::move(segments), tail};
    route.handler = route.id = table_.handlers.size();
    table_.handlers.push_back({name, name});
    table_.names.push_back({name, name});
    return route;
  }

  std::string model(std::optional<std::size_t> parts = std::nullopt) const {
    Diagnostics diagnostics;
    const std::optional<HashPlan> hash =
        plan_hash(literal_keys(table_), table_.methods.size(), HashOptions(), diagnostics);
    AutomatonPlan automaton;
    automaton.root_count = 1;
    automaton.tables.push_back({"routec::detail::ParamEntry", "kParams", {}});
    return make_render_model(table_, hash.value_or(HashPlan()), automaton, {parts});
  }

  RouteTable table_;
};

RenderOptions options() {
  RenderOptions options;
  options.python = "/usr/bin/python3";
  options.data_dir = ROUTEC_SOURCE_DIR "/generator";
  return options;
}

std::vector<OutputFile> rendered(const std::string& model) {
  Diagnostics diagnostics;
  const auto files = render(model, options(), diagnostics);
  EXPECT_TRUE(files) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].text);
  return files.value_or(std::vector<OutputFile>());
}

TEST(Render, DeclaresTypedHandlers) {
  Table table;
  table.add("GET", "/u/{id:uint}", {literal("u"), plain("id", kUint)}, "show").summary =
      "Shows one";
  table.add("GET", "/d/{day:date?}", {literal("d"), plain("day", kDate)}, "list", Tail::kOptional);
  const std::vector<OutputFile> files = rendered(table.model());
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "shop_router.h");
  EXPECT_EQ(files[1].name, "shop_router.cc");
  EXPECT_THAT(files[0].text, HasSubstr("  /// GET /u/{id:uint}\n  /// Shows one\n"));
  EXPECT_THAT(files[0].text,
              HasSubstr("virtual routec::Response show(const routec::Request& request, "
                        "std::uint64_t id) = 0;\n"));
  EXPECT_THAT(files[0].text, HasSubstr("std::optional<std::chrono::year_month_day> day) = 0;\n"));
}

TEST(Render, SharesRoutesOutOverParts) {
  Table table;
  for (char c = 'a'; c <= 'g'; ++c) table.add("GET", {'/', c}, {literal({c})}, {'h', '_', c});
  std::vector<std::string> names;
  for (const OutputFile& file : rendered(table.model(3))) names.push_back(file.name);
  EXPECT_THAT(names,
              testing::ElementsAre("shop_router.h", "shop_router.cc", "shop_router_tables.cc",
                                   "shop_router_1.h", "shop_router_1.cc", "shop_router_2.h",
                                   "shop_router_2.cc", "shop_router_3.h", "shop_router_3.cc"));
}

TEST(Render, GivesEachHandlerToOnePart) {
  Table table;
  for (char c = 'a'; c <= 'e'; ++c) table.add("GET", {'/', c}, {literal({c})}, {'h', '_', c});
  table.add("POST", "/a", {literal("a")}, "h_f").handler = 0;
  table.table_.handlers.pop_back();
  const std::vector<OutputFile> files = rendered(table.model(4));
  EXPECT_THAT(files.at(1).text, HasSubstr("kHandlersPerPart = 2;\n"));
  EXPECT_THAT(files.at(1).text, HasSubstr("    0, 1, 2, 3, 4, 0,\n"));
  EXPECT_THAT(files.at(4).text, HasSubstr("    handler<&Handlers1::h_a>,\n"
                                          "    handler<&Handlers1::h_b>,\n};\n"));
  EXPECT_THAT(files.at(9).text, HasSubstr("struct Handlers4 {\n"));  // has none
  EXPECT_THAT(files.at(1).text, testing::Not(HasSubstr("kHandlers4")));
}

TEST(Render, NamesThePackageWhenThereIsNoPython) {
  RenderOptions broken = options();
  broken.python = "/nowhere/python3";
  Diagnostics diagnostics;
  EXPECT_FALSE(render("{}", broken, diagnostics));
  ASSERT_TRUE(diagnostics.has_failures());
  EXPECT_THAT(diagnostics.all()[0].text, HasSubstr("/nowhere/python3"));
  EXPECT_THAT(diagnostics.all()[0].cure, HasSubstr("apt install python3-jinja2"));
}

TEST(Render, ShowsTheTrueImportErrorOfJinja2) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "no_jinja2";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "jinja2.py") << "import module_that_jinja2_needs\n";
  std::filesystem::copy_file(options().data_dir / "render.py", folder / "render.py",
                             std::filesystem::copy_options::overwrite_existing);
  RenderOptions broken = options();
  broken.data_dir = folder;
  Diagnostics diagnostics;
  EXPECT_FALSE(render("{}", broken, diagnostics));
  EXPECT_THAT(diagnostics.all().at(0).text, HasSubstr("module_that_jinja2_needs"));
  EXPECT_THAT(diagnostics.all().at(0).cure, HasSubstr("python3-jinja2"));
}

// What the failure says of a router.h.jinja with this text.
std::string failure_of(const std::string& text) {
  Table table;
  table.add("GET", "/", {literal("")}, "home");
  RenderOptions broken = options();
  broken.templates = std::filesystem::path(testing::TempDir()) / "broken_templates";
  std::filesystem::create_directories(broken.templates);
  std::ofstream(broken.templates / "router.h.jinja") << text;
  Diagnostics diagnostics;
  EXPECT_FALSE(render(table.model(), broken, diagnostics));
  return diagnostics.has_failures() ? diagnostics.all()[0].text : "";
}

TEST(Render, NamesThePlaceInABrokenTemplate) {
  EXPECT_THAT(failure_of("// fine\n{{ no_such_name }}\n"),
              AllOf(HasSubstr("router.h.jinja:2: "), HasSubstr("no_such_name")));
  EXPECT_THAT(failure_of("\n{% if %}\n"), HasSubstr("router.h.jinja:2: TemplateSyntaxError"));
  EXPECT_THAT(failure_of("\n\n{{ 1 / 0 }}"), HasSubstr("router.h.jinja:3: ZeroDivisionError"));
  EXPECT_THAT(failure_of("{{ [].pop() }}"), HasSubstr("router.h.jinja:1: IndexError"));
  EXPECT_THAT(failure_of("\xff\n"), HasSubstr("router.h.jinja: UnicodeDecodeError"));
  EXPECT_THAT(failure_of("{% include 'router.h.jinja' %}"),
              HasSubstr("router.h.jinja:1: RecursionError"));
  EXPECT_THAT(failure_of("{% include 'nowhere.jinja' %}"),
              AllOf(HasSubstr("router.h.jinja:1: TemplateNotFound"), HasSubstr("nowhere.jinja")));
}

TEST(Render, RefusesAFolderOfTemplatesThatIsNone) {
  for (const char* path : {"/nowhere/templates", "/dev/null"}) {
    RenderOptions broken = options();
    broken.templates = path;
    Diagnostics diagnostics;
    EXPECT_FALSE(render("{}", broken, diagnostics));
    ASSERT_TRUE(diagnostics.has_failures());
    EXPECT_THAT(diagnostics.all()[0].text, HasSubstr(path));
    EXPECT_THAT(diagnostics.all()[0].cure, HasSubstr("--templates"));
  }
}

}  // namespace
}  // namespace routec::compiler
