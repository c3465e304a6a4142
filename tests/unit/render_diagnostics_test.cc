#include "render_diagnostics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "diagnostic_codes.h"

namespace routec::compiler {
namespace {

using testing::HasSubstr;

const std::vector<SourceFile>& sources() {
  static const std::vector<SourceFile> list = {
      SourceFile("dir/a b.yaml", "ok\n\tk\xC3\xA4se: \xE2\x80\xAE\x1b[31m\xE6\x97\xA5x\n")};
  return list;
}

TEST(RenderDiagnostics, AlignsTheCaretBehindWideAndEscapedCharacters) {
  Diagnostics diagnostics;
  diagnostics.error("unknown-key", {22, 23, 0}, "here");  // the x
  EXPECT_EQ(diagnostics_as_text(diagnostics.all(), sources(), false),
            "dir/a b.yaml:2:15: error: here [unknown-key]\n"
            "    2 |  k\xC3\xA4se: \\u202E\\x1B[31m\xE6\x97\xA5x\n"
            "      |                        ^\n");
}

TEST(RenderDiagnostics, ColoursOnRequestOnly) {
  Diagnostics diagnostics;
  diagnostics.warning("overlap", {0, 2, 0}, "text");
  EXPECT_THAT(diagnostics_as_text(diagnostics.all(), sources(), true), HasSubstr("\x1b[1;35m"));
  EXPECT_EQ(diagnostics_as_text(diagnostics.all(), sources(), false).find('\x1b'),
            std::string::npos);
}

TEST(RenderDiagnostics, NeverPrintsControlsOfTheInput) {
  Diagnostics diagnostics;
  Diagnostic& error = diagnostics.error("unknown-key", {20, 21, 0}, "a\x1b[1mb\nc");
  error.cure = "\xE2\x80\xAE";
  error.notes.push_back({{0, 1, 0}, "\a"});
  const std::string text = diagnostics_as_text(diagnostics.all(), sources(), false);
  EXPECT_THAT(text, HasSubstr("a\\x1B[1mb\\nc"));
  EXPECT_EQ(text.find_first_of("\x1b\a"), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos);
}

TEST(RenderDiagnostics, WritesSarifWithAllRules) {
  Diagnostics diagnostics;
  diagnostics.error("unknown-key", {3, 4, 0}, "text").notes.push_back({{0, 1, 0}, "note"});
  diagnostics.failure("gperf", "gone");
  const auto sarif = nlohmann::json::parse(diagnostics_as_sarif(diagnostics.all(), sources(), "1"));
  const auto& run = sarif["runs"][0];
  EXPECT_EQ(sarif["version"], "2.1.0");
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(),
            std::size(kErrorCodes) + std::size(kWarningCodes) + std::size(kFailureCodes));
  const auto& place = run["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "dir/a%20b.yaml");
  EXPECT_EQ(place["region"]["startLine"], 2);
  EXPECT_EQ(run["results"][0]["relatedLocations"][0]["message"]["text"], "note");
  EXPECT_TRUE(run["results"][1]["locations"].empty());
}

TEST(Diagnostics, AppliesTheWarningPolicy) {
  WarningPolicy policy;
  policy.silenced = {"unreachable"};
  policy.errors = {"overlap"};
  Diagnostics diagnostics(policy);
  diagnostics.warning("unreachable", {}, "silenced").cure = "kept off the list";
  diagnostics.warning("method-typo", {}, "shown");
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.warning("overlap", {}, "an error");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_FALSE(diagnostics.has_failures());
  ASSERT_EQ(diagnostics.all().size(), 2U);
  EXPECT_EQ(diagnostics.all()[1].severity, Severity::kError);
}

TEST(Diagnostics, SortsByPlaceAndDropsRepeats) {
  Diagnostics diagnostics;
  diagnostics.failure("gperf", "last");
  diagnostics.error("unknown-key", {9, 9, 0}, "b");
  diagnostics.error("unknown-key", {1, 1, 0}, "a");
  diagnostics.error("unknown-key", {9, 9, 0}, "b");
  diagnostics.sort();
  ASSERT_EQ(diagnostics.all().size(), 3U);
  EXPECT_EQ(diagnostics.all()[0].text, "a");
  EXPECT_EQ(diagnostics.all()[2].text, "last");
}

}  // namespace
}  // namespace routec::compiler
