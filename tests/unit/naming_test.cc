#include "naming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "subprocess.h"

namespace routec::compiler {
namespace {

using Names = std::vector<std::string>;

TEST(Naming, KnowsIdentifiersAndDottedNames) {
  EXPECT_TRUE(is_identifier("_a1"));
  EXPECT_FALSE(is_identifier(""));
  EXPECT_FALSE(is_identifier("1a"));
  EXPECT_FALSE(is_identifier("a-b"));
  EXPECT_TRUE(is_dotted_name("users.show"));
  for (const char* bad : {"", ".", "a.", ".a", "a..b", "a.1", "a b"})
    EXPECT_FALSE(is_dotted_name(bad)) << bad;
}

TEST(Naming, KnowsNamespaces) {
  EXPECT_TRUE(is_namespace("a::b::c"));
  EXPECT_TRUE(is_namespace("ACME::X"));
  for (const char* bad : {"", "::a", "a::", "a:b", "a::std", "class", "a__b", "_A", "routec",
                          "EAGAIN", "PATH_MAX", "EOF"})
    EXPECT_FALSE(is_namespace(bad)) << bad;
}

// Names of all macros that the headers of generated code bring along.
Names macros_of_generated_code() {
  const ProcessResult result =
      run_process({ROUTEC_CXX, "-std=c++20", "-I", ROUTEC_SOURCE_DIR "/runtime/include", "-x",
                   "c++", "-dM", "-E", "-"},
                  "#include <routec/router.h>\n", std::chrono::seconds(60));
  EXPECT_TRUE(result.succeeded()) << describe_failure(result);
  std::istringstream lines(result.output);
  Names names;
  for (std::string define, name, rest; lines >> define >> name && std::getline(lines, rest);)
    names.push_back(name.substr(0, name.find('(')));
  return names;
}

TEST(Naming, KnowsTheMacrosOfItsHeaders) {
  const Names macros = macros_of_generated_code();
  EXPECT_GT(macros.size(), 500U);
  for (const std::string& macro : macros) {
    EXPECT_TRUE(is_reserved(macro)) << macro;
    EXPECT_FALSE(is_namespace(macro)) << macro;
  }
}

TEST(Naming, EscapesWhatIsReserved) {
  EXPECT_EQ(escape_names({"class", "request", "std", "errno", "id"}),
            (Names{"class_", "request_", "std_", "errno_", "id"}));
  EXPECT_EQ(escape_names({"_Foo", "__bar", "a__b", "_"}), (Names{"Foo", "bar", "a_b", "_"}));
  EXPECT_EQ(escape_names({"_id", "E2BIG", "EAGAIN", "X", "alloca", "SYS_read", "SHOP_ROUTER_H_"}),
            (Names{"id", "E2BIG_", "EAGAIN_", "X", "alloca_", "SYS_read_", "SHOP_ROUTER_H_2"}));
}

TEST(Naming, KeepsNamesThatNeedNoEscape) {
  EXPECT_EQ(escape_names({"class", "class_"}), (Names{"class_2", "class_"}));
  EXPECT_EQ(escape_names({"a__b", "a_b", "a_b_"}), (Names{"a_b_2", "a_b", "a_b_"}));
  EXPECT_EQ(escape_names({"API", "API_", "SYS_a", "SYS_a_"}),
            (Names{"API_2", "API_", "SYS_a_2", "SYS_a_"}));
}

TEST(Naming, GivesUniqueUnreservedNamesInAnyOrder) {
  Names names = {"class", "class_", "class_2", "a__b", "a___b", "a_b", "_A", "A", "delete", "__"};
  const Names escaped = escape_names(names);
  std::set<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_FALSE(is_reserved(escaped[i])) << escaped[i];
    pairs.emplace(names[i], escaped[i]);
  }
  EXPECT_EQ(std::set<std::string>(escaped.begin(), escaped.end()).size(), names.size());
  std::reverse(names.begin(), names.end());
  const Names again = escape_names(names);
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_TRUE(pairs.contains({names[i], again[i]}));
}

}  // namespace
}  // namespace routec::compiler
