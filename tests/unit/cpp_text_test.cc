#include "cpp_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text_pool.h"

namespace routec::compiler {
namespace {

using testing::ElementsAre;

TEST(StringLiteral, EscapesWhatWouldEndOrChangeIt) {
  EXPECT_EQ(string_literal("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(string_literal("?\?/?\?"), R"("?\?/?\?")");
  EXPECT_EQ(string_literal(std::string_view("\0\n1\xc3\xa9", 5)), R"("\000\0121\303\251")");
}

TEST(CommentText, StaysOnItsLine) {
  EXPECT_EQ(comment_text("a\nb"), "a\\nb");
  EXPECT_EQ(comment_text("a\\"), "a\\x5C");
  EXPECT_EQ(comment_text("a\\ "), "a\\x5C");
  EXPECT_EQ(comment_text("a?\?/"), "a?\\x3F/");
}

TEST(CommentText, ShowsWhatIsInvisible) {
  EXPECT_EQ(comment_text("a\xe2\x80\xae"), "a\\u202E");
  EXPECT_EQ(comment_text("\xc3\xa9"), "\xc3\xa9");
}

TEST(CommentLines, AreCutAtSpaces) {
  EXPECT_THAT(comment_lines("aa bb  cc\ndd", 5), ElementsAre("aa bb", "cc dd"));
  EXPECT_THAT(comment_lines("much_too_long b", 5), ElementsAre("much_too_long", "b"));
  EXPECT_THAT(comment_lines(" ", 5), ElementsAre());
  EXPECT_THAT(comment_lines("a\\ b\\", 2), ElementsAre("a\\x5C", "b\\x5C"));
}

TEST(EncodeSegment, KeepsPcharOnly) {
  EXPECT_EQ(encode_segment("aZ9-._~!$&'()*+,;=:@"), "aZ9-._~!$&'()*+,;=:@");
  EXPECT_EQ(encode_segment("/%?# \xff"), "%2F%25%3F%23%20%FF");
}

TEST(TextPool, StoresEqualTextsOnce) {
  TextPool pool;
  EXPECT_EQ(pool.add("ab"), 0U);
  EXPECT_EQ(pool.add("c"), 2U);
  EXPECT_EQ(pool.add("ab"), 0U);
  EXPECT_EQ(pool.take(), "abc");
}

TEST(TextPool, KeepsTextsInsideOfBlocks) {
  TextPool pool(kTextBlock - 3);
  EXPECT_EQ(pool.add("ab"), kTextBlock - 3);
  EXPECT_EQ(pool.add("c"), kTextBlock);
  EXPECT_EQ(pool.take(), std::string("ab\0c", 4));
}

}  // namespace
}  // namespace routec::compiler
