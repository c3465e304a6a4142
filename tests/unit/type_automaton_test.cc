#include "type_automaton.h"

#include <gtest/gtest.h>

namespace routec::compiler {
namespace {

ParamType type(TypeKind kind, std::vector<std::string> members = {}, std::string pattern = {}) {
  ParamType made;
  made.kind = kind;
  made.members = std::move(members);
  made.pattern = std::move(pattern);
  return made;
}
ParamType pattern(const std::string& text) { return type(TypeKind::kPattern, {}, text); }

void expect(const ParamType& tested, const std::vector<const char*>& in,
            const std::vector<const char*>& out) {
  const auto automaton = make_automaton(tested);
  for (const char* text : in) EXPECT_TRUE(accepts(*automaton, text)) << text;
  for (const char* text : out) EXPECT_FALSE(accepts(*automaton, text)) << text;
}

TEST(TypeAutomaton, Integers) {
  expect(
      type(TypeKind::kInt),
      {"0", "-0", "007", "9223372036854775807", "-9223372036854775808", "00000000000000000000001"},
      {"", "-", "+1", "1a", " 1", "9223372036854775808", "-9223372036854775809", "1e3"});
  expect(type(TypeKind::kUint), {"0", "18446744073709551615", "000018446744073709551615"},
         {"-1", "-0", "18446744073709551616", "99999999999999999999", "100000000000000000000"});
}

TEST(TypeAutomaton, Dates) {
  expect(type(TypeKind::kDate),
         {"2024-02-29", "2000-02-29", "2023-12-31", "0000-02-29", "9999-04-30"},
         {"2023-02-29", "1900-02-29", "2023-04-31", "2023-13-01", "2023-00-10", "2023-01-00",
          "2023-1-1", "2023-01-011", "20230101", ""});
}

TEST(TypeAutomaton, TextTypes) {
  expect(type(TypeKind::kUuid), {"01234567-89ab-cdef-0123-456789ABCDEF"},
         {"01234567-89ab-cdef-0123-456789ABCDE", "0123456789abcdef0123456789ABCDEF",
          "01234567-89ab-cdef-0123-456789ABCDEFa", "g1234567-89ab-cdef-0123-456789ABCDEF"});
  expect(type(TypeKind::kSlug), {"a", "a-b", "0-9-z"}, {"", "-", "a-", "-a", "a--b", "A", "a_b"});
  expect(type(TypeKind::kHex), {"0", "fF09"}, {"", "g", "0x1"});
  expect(type(TypeKind::kBool), {"true", "false"}, {"", "True", "tru", "truee"});
  expect(type(TypeKind::kEnum, {"a", "ab"}), {"a", "ab"}, {"", "b", "abc"});
}

TEST(TypeAutomaton, Patterns) {
  expect(pattern("[a-z]{2,3}(-x)*"), {"ab", "abc", "ab-x-x"}, {"a", "abcd", "ab-", "ab-y", "AB"});
  expect(pattern("cat|dog"), {"cat", "dog"}, {"cats", "hotdog", ""});
  expect(pattern("z*"), {"z", "zz"}, {"", "y"});
  expect(pattern("(a?){3}b{0}"), {"a", "aaa"}, {"", "aaaa", "b"});
}

TEST(TypeAutomaton, Inclusion) {
  const auto inside = [](const ParamType& inner, const ParamType& outer) {
    return includes(*make_automaton(outer), *make_automaton(inner));
  };
  EXPECT_TRUE(inside(type(TypeKind::kUint), type(TypeKind::kHex)));
  EXPECT_TRUE(inside(type(TypeKind::kDate), type(TypeKind::kSlug)));
  EXPECT_TRUE(inside(type(TypeKind::kBool), type(TypeKind::kSlug)));
  EXPECT_TRUE(inside(type(TypeKind::kUuid), type(TypeKind::kStr)));
  EXPECT_TRUE(inside(pattern("[ab]+"), type(TypeKind::kSlug)));
  EXPECT_TRUE(inside(pattern("[0-9]{1,19}"), type(TypeKind::kUint)));
  EXPECT_FALSE(inside(pattern("[0-9]{1,20}"), type(TypeKind::kUint)));
  EXPECT_FALSE(inside(type(TypeKind::kUint), type(TypeKind::kInt)));
  EXPECT_FALSE(inside(type(TypeKind::kUuid), type(TypeKind::kSlug)));
  EXPECT_FALSE(inside(pattern("a*b"), pattern("a{0,9}b")));
  EXPECT_TRUE(inside(pattern("z*"), pattern("z+"))) << "no type holds the empty text";
}

}  // namespace
}  // namespace routec::compiler
