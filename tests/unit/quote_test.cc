#include "quote.h"

#include <gtest/gtest.h>

#include "utf8.h"

namespace routec::compiler {
namespace {

TEST(Utf8, DecodesTheShortestFormOnly) {
  EXPECT_EQ(decode_utf8("a").value, U'a');
  EXPECT_EQ(decode_utf8("\xC3\xA4").value, U'\u00e4');
  EXPECT_EQ(decode_utf8("\xF0\x9F\x98\x80").value, U'\U0001F600');
  for (const char* malformed : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80",
                                "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC3"})
    EXPECT_EQ(decode_utf8(malformed).length, 0U) << quote(malformed);
}

TEST(Quote, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(quote("a\x1b[31m"), "'a\\x1B[31m'");
  EXPECT_EQ(quote("\xE2\x80\xAE"
                  "b"),
            "'\\u202Eb'");
  EXPECT_EQ(quote("a\nb\xFF"), "'a\\nb\\xFF'");
  EXPECT_EQ(quote("\xC2\x9B"), "'\\u009B'");
  EXPECT_EQ(quote("k\xC3\xA4se"), "'k\xC3\xA4se'");
}

TEST(Quote, CutsLongTextsBetweenCharacters) {
  std::string umlauts;
  for (int i = 0; i < 200; ++i) umlauts += "\xC3\xA4";
  const std::string quoted = quote("x" + umlauts);
  EXPECT_LT(quoted.size(), 120U);
  EXPECT_EQ(escape_invisible(quoted), quoted) << "no character was cut in two";
}

TEST(NearestName, OffersWhatIsNear) {
  const std::vector<std::string> known = {"handler", "name", "summary"};
  EXPECT_EQ(nearest_name("sumary", known), "summary");
  EXPECT_EQ(nearest_name("Handler", known), "handler");
  EXPECT_EQ(nearest_name("nmae", known), "name");
  EXPECT_EQ(nearest_name("zzz", known), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'k'), known), "");
}

TEST(ListWords, JoinsForReading) {
  EXPECT_EQ(list_words({}, "and"), "");
  EXPECT_EQ(list_words({"a"}, "and"), "a");
  EXPECT_EQ(list_words({"a", "b", "c"}, "or"), "a, b or c");
}

}  // namespace
}  // namespace routec::compiler
