#include "cpp_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace routec::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "Qualifier::name(types)", with a mark for what it is.
std::vector<std::string> found(std::string_view text) {
  std::vector<std::string> list;
  for (const CppFunction& f : find_functions(text)) {
    std::string& line = list.emplace_back(f.qualifier.empty() ? "" : f.qualifier + "::");
    line += f.name + "(";
    for (const std::string& type : f.parameters) line += (line.back() == '(' ? "" : ", ") + type;
    line += f.is_definition ? ") {}" : ")";
    if (f.is_override) line += " override";
  }
  return list;
}

TEST(CppFunctions, AreFoundInClassesAndOutside) {
  EXPECT_THAT(found("namespace a {\n"
                    "class B : public C {\n public:\n"
                    "  D first(const E& e) override;\n"
                    "  D second(int i) override { return other(i); }\n"
                    "};\n"
                    "D B::third() { if (x) { y(); } return {}; }\n"
                    "}\n"),
              ElementsAre("first(E &) override", "second(int) {} override", "B::third() {}"));
}

TEST(CppFunctions, ParametersAreTheSameHoweverTheyAreWritten) {
  for (const char* parameters :
       {"const routec::Request& request, std::optional<std::uint64_t> id, std::string_view s",
        "const Request&, optional<uint64_t>, string_view",
        "routec::Request const & /*request*/,\n  ::std::optional< std::uint64_t > /*a, b*/,\n"
        "  const std::string_view s = \",)\""})
    EXPECT_THAT(found("R f(" + std::string(parameters) + ");"),
                ElementsAre("f(Request &, optional < uint64_t >, string_view)"));
  EXPECT_THAT(found("R f(std::map<A, B> m, int (*g)(int), C c);"),
              ElementsAre("f(map < A , B >, int ( * g ) ( int ), C)"));
}

TEST(CppFunctions, CommentsLiteralsAndDirectivesAreNone) {
  EXPECT_THAT(found("// f(int);\n/* g(int); */\nconst char* s = \"h(int);\";\n"
                    "const char* r = R\"x(i(int); \" )x\";\nchar c = '\"';\nint n = 1'000;\n"
                    "#define J(x) \\\n  j(int);\n"),
              IsEmpty());
}

TEST(CppFunctions, AnyTextIsTaken) {
  for (const char* text : {"", "f(", "f(a, {", "\"", "'", "/*", "R\"(", "R\"", "#", "}}", "f(a)) {",
                           "a::", "f(a) :", "1'", "\\", "f(::) ;", "f(>, <);", "#\\\n"})
    find_functions(text);
  EXPECT_THAT(found("x = f(1) + 2; X(Y& y) : y_(y) {} R g(A) const noexcept;"),
              ElementsAre("f()", "y_(y) {}", "g(A)"));
}

TEST(CppFunctions, TextIsWholeLinesWithTheComment) {
  const auto list = find_functions(
      "class A {\n public:\n\n  // clang-format off\n  /// Says so.\n  R f(int a,\n    int "
      "/*b*/);\n"
      "  // clang-format on\n  R g() {\n    return 1;\n  }\n};\n");
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].text, "  /// Says so.\n  R f(int a,\n    int /*b*/);\n");
  EXPECT_EQ(list[0].head, "R f(int a, int)");
  EXPECT_EQ(list[1].text, "  R g() {\n    return 1;\n  }\n");
}

}  // namespace
}  // namespace routec::compiler
