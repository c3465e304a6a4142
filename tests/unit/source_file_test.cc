#include "source_file.h"

#include <gtest/gtest.h>

namespace routec::compiler {
namespace {

std::string place(const SourceFile& source, std::uint32_t offset) {
  const Position at = source.position(offset);
  return std::to_string(at.line) + ":" + std::to_string(at.column);
}

TEST(SourceFile, CountsLinesOfEveryKindOfBreak) {
  const SourceFile source("x", "a\nb\r\nc\rd");
  EXPECT_EQ(place(source, 0), "1:1");
  EXPECT_EQ(place(source, 2), "2:1");
  EXPECT_EQ(place(source, 5), "3:1");
  EXPECT_EQ(place(source, 7), "4:1");
  EXPECT_EQ(source.line_text(2), "b");
  EXPECT_EQ(source.line_text(4), "d");
}

TEST(SourceFile, CountsCharactersNotOctets) {
  const SourceFile source("x", "a\xC3\xA4\xE6\x97\xA5z");
  EXPECT_EQ(place(source, 1), "1:2");
  EXPECT_EQ(place(source, 3), "1:3");
  EXPECT_EQ(place(source, 6), "1:4");
}

TEST(SourceFile, DoesNotCountTheByteOrderMark) {
  const SourceFile source("x",
                          "\xEF\xBB\xBF"
                          "ab");
  EXPECT_EQ(place(source, 3), "1:1");
  EXPECT_EQ(place(source, 4), "1:2");
}

TEST(SourceFile, TakesOffsetsBeyondTheEnd) {
  const SourceFile source("x", "ab\n");
  EXPECT_EQ(place(source, 3), "2:1");
  EXPECT_EQ(place(source, 99), "2:1");
  EXPECT_EQ(source.line_text(2), "");
}

TEST(SourceFile, TellsWhyAFileCannotBeRead) {
  std::string error;
  EXPECT_FALSE(load_source_file("/no/such/file", error));
  EXPECT_EQ(error, "No such file or directory");
}

TEST(SourceFile, RefusesAFolder) {
  std::string error;
  EXPECT_FALSE(load_source_file("/", error));
  EXPECT_EQ(error, "Is a directory");
}

}  // namespace
}  // namespace routec::compiler
