#include "stub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "output.h"

namespace routec::compiler {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Stub : public testing::Test {
 protected:
  Stub() : folder_(fs::path(testing::TempDir()) / ("stub " + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    table_.manifest_name = "shop.yaml";
    table_.stem = "shop";
    table_.namespaces = {"shop"};
    add("home");
  }
  ~Stub() override { fs::remove_all(folder_); }

  void add(const std::string& name) {
    Route& route = table_.routes.emplace_back();
    route.method = "GET";
    route.pattern.text = "/" + name;
    route.pattern.segments.emplace_back().literals = {name};
    route.handler = table_.handlers.size();
    table_.handlers.push_back({name, name});
  }
  void add_param(std::size_t route, TypeKind kind) {
    Segment& segment = table_.routes[route].pattern.segments.emplace_back();
    segment.literals = {"", ""};
    segment.params = {{"x", "x", table_.types.size(), {}}};
    table_.types.emplace_back().kind = kind;
  }
  void remove_last() {
    table_.routes.pop_back();
    table_.handlers.pop_back();
  }
  std::vector<StubFile> run() {
    RenderOptions options;
    options.python = "/usr/bin/python3";
    options.data_dir = ROUTEC_SOURCE_DIR "/generator";
    Diagnostics diagnostics;
    const auto result = write_stubs(table_, options, folder_, diagnostics);
    EXPECT_TRUE(result) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].text);
    return result.value_or(std::vector<StubFile>(2));
  }
  void edit(const char* name, const std::string& from, const std::string& to) {
    std::string all = text(name);
    ASSERT_NE(all.find(from), std::string::npos) << name << " has no " << from;
    std::ofstream(folder_ / name) << all.replace(all.find(from), from.size(), to);
  }
  std::string text(const char* name) const { return read_file(folder_ / name).value_or(""); }

  fs::path folder_;
  RouteTable table_;
};

TEST_F(Stub, WritesAClassOnce) {
  EXPECT_EQ(stubs_as_text(run(), false), "wrote handlers.h\nwrote handlers.cc\n");
  EXPECT_THAT(text("handlers.h"), HasSubstr("class Service : public Handlers {"));
  EXPECT_THAT(text("handlers.cc"), HasSubstr("Service::home(const routec::Request& /*request*/)"));
  EXPECT_EQ(stubs_as_text(run(), false), "");
}

TEST_F(Stub, AddsNewHandlersToUntouchedFiles) {
  run();
  add("about");
  EXPECT_EQ(stubs_as_text(run(), true), "");
  EXPECT_THAT(text("handlers.h"), HasSubstr(" about("));
  EXPECT_THAT(text("handlers.cc"), HasSubstr("::about("));
}

TEST_F(Stub, TellsWhatAnEditedSourceLacks) {
  run();
  edit("handlers.cc", "501", "200");
  add("about");
  const std::string source = text("handlers.cc");
  const std::string told =
      "handlers.cc was edited and is kept; it lacks:\n\n"
      "routec::Response Service::about(const routec::Request& /*request*/) {\n"
      "  return routec::Response::status(501);\n}\n\n";
  EXPECT_EQ(stubs_as_text(run(), false), "wrote handlers.h\n" + told);
  EXPECT_THAT(text("handlers.h"), HasSubstr(" about("));
  EXPECT_EQ(text("handlers.cc"), source);
  EXPECT_EQ(stubs_as_text(run(), true), told);
}

TEST_F(Stub, TellsWhatAnEditedHeaderLacks) {
  run();
  edit("handlers.h", "};", "  int mine_ = 0;  // not about(\n};");
  add("about");
  const std::string header = text("handlers.h");
  EXPECT_EQ(stubs_as_text(run(), true),
            "handlers.h was edited and is kept; it lacks:\n\n"
            "  /// GET /about\n"
            "  routec::Response about(const routec::Request& request) override;\n\n");
  EXPECT_EQ(text("handlers.h"), header);
}

TEST_F(Stub, TellsOfParametersThatChanged) {
  run();
  edit("handlers.h", "};", "  int mine_ = 0;\n};");
  edit("handlers.cc", "501", "200");
  add_param(0, TypeKind::kUint);
  const std::vector<StubFile> files = run();
  EXPECT_THAT(files[0].missing, ElementsAre(HasSubstr("home(const routec::Request& request, "
                                                      "std::uint64_t x) override;")));
  EXPECT_THAT(files[0].obsolete,
              ElementsAre("routec::Response home(const routec::Request& request)"));
  EXPECT_THAT(files[1].missing, ElementsAre(HasSubstr("std::uint64_t /*x*/")));
  EXPECT_THAT(files[1].obsolete,
              ElementsAre("routec::Response Service::home(const routec::Request&)"));
}

TEST_F(Stub, TellsOfHandlersWithoutARoute) {
  add("about");
  run();
  edit("handlers.h", "};", "  routec::Response help(const routec::Request& request);\n};");
  edit("handlers.cc", "501",
       "200); }\nroutec::Response Service::help(const routec::Request&) { return about(x");
  remove_last();
  const std::vector<StubFile> files = run();
  EXPECT_THAT(files[0].obsolete, ElementsAre(HasSubstr(" about(")));
  EXPECT_THAT(files[1].obsolete, ElementsAre(HasSubstr("Service::about(")));
  EXPECT_THAT(stubs_as_text(files, true), HasSubstr("no route calls any more:\n\nroutec::Resp"));
}

TEST_F(Stub, WritesADeletedHeaderAgain) {
  run();
  edit("handlers.cc", "501", "200");
  fs::remove(folder_ / "handlers.h");
  EXPECT_EQ(stubs_as_text(run(), false), "wrote handlers.h\n");
}

TEST_F(Stub, LeavesFilesOfAnotherOriginAlone) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "handlers.h")
      << "struct Mine : Handlers { Response home (const Request&) override { return {}; } };\n";
  EXPECT_EQ(stubs_as_text(run(), false), "");
  EXPECT_FALSE(fs::exists(folder_ / "handlers.cc"));
}

TEST_F(Stub, ClassNameAvoidsHandlerNames) {
  add("Service");
  run();
  EXPECT_THAT(text("handlers.h"), HasSubstr("class Service_ : public Handlers {"));
}

}  // namespace
}  // namespace routec::compiler
