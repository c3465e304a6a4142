#include "table_under_test.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "compile.h"
#include "guarded_text.h"
#include "match_text.h"
#include "stages.h"

namespace routec::test {
namespace {

// A folder of this process, removed when it ends.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = std::filesystem::temp_directory_path() / "routec-test-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string write(const std::string& text) const {
    const std::string name = path_ / "table.yaml";
    std::ofstream(name, std::ios::binary) << text;
    return name;
  }

 private:
  std::filesystem::path path_;
};

bool is_within(std::string_view part, std::string_view whole) {
  if (part.empty()) return true;
  const std::less_equal<const char*> before;
  return before(whole.data(), part.data()) &&
         before(part.data() + part.size(), whole.data() + whole.size());
}

}  // namespace

bool TableUnderTest::Outcome::has(std::string_view code) const {
  const auto& all = diagnostics.all();
  return std::any_of(all.begin(), all.end(), [&](const compiler::Diagnostic& diagnostic) {
    return diagnostic.code == code;
  });
}

TableUnderTest::Outcome TableUnderTest::make(const std::string& manifest,
                                             const compiler::DecisionLimits& limits) {
  static const ScratchFolder folder;
  compiler::CompileOptions options;
  options.manifest = folder.write(manifest);
  options.decisions = limits;
  Outcome outcome;
  compiler::Stages stages;
  const auto model = compiler::plan(options, outcome.sources, outcome.diagnostics, stages);
  if (!model) return outcome;
  compiler::Diagnostics said_before;
  std::vector<compiler::SourceFile> sources;
  auto routes = compiler::load_route_table(options, sources, said_before, stages);
  outcome.table.reset(new TableUnderTest(*std::move(routes), *model));
  return outcome;
}

TableUnderTest::TableUnderTest(compiler::RouteTable routes, std::string_view model)
    : routes_(std::move(routes)), tables_(model), reference_(routes_) {}

Match TableUnderTest::match(std::string_view method, std::string_view target) const {
  return detail::match(tables_.get(), method, target);
}

std::string TableUnderTest::expected(std::string_view method, std::string_view target) {
  const compiler::Explanation answer = reference_.explain(method, target);
  std::string text = std::to_string(answer.status);
  if (answer.route) {
    const compiler::Route& route = routes_.routes[*answer.route];
    text += ' ' + std::to_string(*answer.route) + ' ' + routes_.handlers[route.handler].name + ' ' +
            octet_text(route.pattern.text);
  }
  for (const auto& [name, value] : answer.params)
    if (!value.empty()) text += ' ' + name + '=' + octet_text(value);
  std::string allow;
  for (const std::string& method_name : answer.allow)
    allow += (allow.empty() ? "" : ", ") + method_name;
  if (!allow.empty()) text += " allow=" + octet_text(allow);
  if (!answer.location.empty()) text += " location=" + octet_text(answer.location);
  return text;
}

std::string TableUnderTest::difference(std::string_view method, std::string_view target) {
  const GuardedText guarded_method(method), guarded_target(target);
  const Match found = match(guarded_method.view(), guarded_target.view());
  const std::string wanted = expected(method, target), got = match_text(found);
  if (got != wanted) return "the tables say  " + got + "\nexpected        " + wanted + "\n";
  for (std::size_t i = 0; i < found.param_count(); ++i)
    if (!is_within(found.raw_param(i), guarded_target.view()))
      return "a raw parameter is no part of the target\n";
  return {};
}

}  // namespace routec::test
