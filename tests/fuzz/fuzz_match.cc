// "METHOD TARGET" against rich tables: no crash, and the answer of the reference matcher.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "match_text.h"
#include "table_under_test.h"

namespace {

using routec::compiler::DecisionLimits;
using routec::test::TableUnderTest;

// The reference matcher takes quadratic time for several parameters in a segment.
constexpr std::size_t kMaxCompared = 600;

constexpr const char kTyped[] = R"(routec: 1
types:
  code: { pattern: '[a-z]{2}(-[0-9]+)*' }
  odd: { pattern: '(/|%|\?|#|a.)+' }
routes:
  GET /: root
  GET /a: a
  GET /a/{n:int}: int
  GET /a/{n:uint}: uint
  GET /a/{d:date}: date
  PUT /a/{u:uuid}: uuid
  POST /a/{h:hex}: hex
  DELETE /a/{s:slug}: slug
  PATCH /a/{b:bool}: bool
  TRACE /a/{c:code}: code
  LINK /a/{o:odd}: odd
  ANY /a/{e:enum(red)}: enum
  GET /{x}/b/{y}: plain
  GET /c/{x}.png: suffix
  GET /c/v{x}: prefix
  GET /c/{x}-{y}.{z:int}: three
  GET /c/{x:int}...{y:int}: range
  GET /{x}/{rest...}: rest
)";

constexpr const char kBoth[] = R"(routec: 1
options: { slash: both }
routes:
  GET /files: index
  GET /files/{path...}: files
  HEAD /files/x: head
  OPTIONS /opt: options
  ANY /opt: any
  PUT /opt/{x?}: put
  PURGE /{a}/: purge
  ANY /{a}/{b:uint?}: deep
  GET /{a}/b/{c}/d: long
)";

constexpr const char kRedirect[] = R"(routec: 1
options: { slash: redirect }
routes:
  GET /a%2Fb: slash
  GET /%25/%3F%23/: others
  GET /caf%C3%A9: utf8
  GET /{{x}}/1234567: seven
  GET /{{x}}/12345678: eight
  GET /{{x}}/123456789: nine
  GET /{x}/123456789012345/{y}: fifteen
  GET /{x}/1234567890123456/{y}: sixteen
  GET /{x}/12345678901234567/{y}: seventeen
  GET /{x}/123456789012345678901234567890123/{y}: long
  GET /{x}/.a/: dot
  POST /{x}/{y}/: post
  GET /a/b/c/d/e/f/g/h: eight_segments
  ANY /any/{x...}: any
)";

std::unique_ptr<TableUnderTest> make(const char* manifest, const DecisionLimits& limits) {
  auto outcome = TableUnderTest::make(manifest, limits);
  if (outcome.table) return std::move(outcome.table);
  for (const auto& diagnostic : outcome.diagnostics.all()) std::cerr << diagnostic.text << '\n';
  std::abort();
}

const std::vector<std::unique_ptr<TableUnderTest>>& tables() {
  static const auto tables = [] {
    std::vector<std::unique_ptr<TableUnderTest>> list;
    for (const char* manifest : {kTyped, kBoth, kRedirect})
      for (const DecisionLimits& limits : {DecisionLimits{}, DecisionLimits{0, 0}})
        list.push_back(make(manifest, limits));
    return list;
  }();
  return tables;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const std::string_view method = line.substr(0, line.find(' '));
  const std::string_view target = line.substr(method.size() == size ? size : method.size() + 1);
  for (const auto& table : tables()) {
    if (size > kMaxCompared) {
      routec::test::match_text(table->match(method, target));
      continue;
    }
    const std::string difference = table->difference(method, target);
    if (difference.empty()) continue;
    std::cerr << difference;
    std::abort();
  }
  return 0;
}
