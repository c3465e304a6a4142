#include "naming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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
  for (const char* bad : {"", "::a", "a::", "a:b", "a::std", "class", "a__b", "_A", "routec"})
    EXPECT_FALSE(is_namespace(bad)) << bad;
}

TEST(Naming, EscapesWhatIsReserved) {
  EXPECT_EQ(escape_names({"class", "request", "std", "errno", "id"}),
            (Names{"class_", "request_", "std_", "errno_", "id"}));
  EXPECT_EQ(escape_names({"_Foo", "__bar", "a__b", "_"}), (Names{"Foo", "_bar", "a_b", "_"}));
}

TEST(Naming, KeepsNamesThatNeedNoEscape) {
  EXPECT_EQ(escape_names({"class", "class_"}), (Names{"class_2", "class_"}));
  EXPECT_EQ(escape_names({"a__b", "a_b", "a_b_"}), (Names{"a_b_2", "a_b", "a_b_"}));
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
