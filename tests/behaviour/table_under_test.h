// A manifest taken through the whole compiler but for the C++ one, beside the reference matcher.
#ifndef ROUTEC_TESTS_BEHAVIOUR_TABLE_UNDER_TEST_H_
#define ROUTEC_TESTS_BEHAVIOUR_TABLE_UNDER_TEST_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "decision_graph.h"
#include "diagnostics.h"
#include "live_tables.h"
#include "reference_matcher.h"
#include "route_table.h"
#include "routec/match.h"
#include "source_file.h"

namespace routec::test {

class TableUnderTest {
 public:
  struct Outcome {
    std::unique_ptr<TableUnderTest> table;  // null: refused
    compiler::Diagnostics diagnostics;
    std::vector<compiler::SourceFile> sources;

    bool has(std::string_view code) const;  // among the diagnostics
  };
  static Outcome make(const std::string& manifest, const compiler::DecisionLimits& limits = {});

  const compiler::RouteTable& routes() const { return routes_; }

  // `target` must outlive the match.
  Match match(std::string_view method, std::string_view target) const;
  // The answer of the reference matcher, in the form of match_text().
  std::string expected(std::string_view method, std::string_view target);
  // Empty if the two agree, and the match keeps its promises; else what differs. The octets are
  // matched right before a page that must not be touched.
  std::string difference(std::string_view method, std::string_view target);

 private:
  TableUnderTest(compiler::RouteTable routes, std::string_view model);

  compiler::RouteTable routes_;
  LiveTables tables_;
  compiler::ReferenceMatcher reference_;
};

}  // namespace routec::test

#endif  // ROUTEC_TESTS_BEHAVIOUR_TABLE_UNDER_TEST_H_
