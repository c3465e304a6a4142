// The bytes of an input file, and places in it.
#ifndef ROUTEC_GENERATOR_SOURCE_FILE_H_
#define ROUTEC_GENERATOR_SOURCE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace routec::compiler {

// A half-open range of bytes of one source file. Lines and columns are worked out only when a
// diagnostic is printed.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t file = 0;  // index into the list of source files of this run

  friend bool operator==(const Span&, const Span&) = default;
};

// 1-based; the column counts Unicode code points, as editors do.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};

class SourceFile {
 public:
  // Larger files are refused, so that every offset fits a Span.
  static constexpr std::size_t kMaxSize = 1U << 30;

  // `text` is at most kMaxSize octets and need not be UTF-8.
  SourceFile(std::string name, std::string text);

  const std::string& name() const { return name_; }  // as given on the command line
  const std::string& text() const { return text_; }
  Position position(std::uint32_t offset) const;
  std::string_view line_text(std::size_t line) const;  // without its line break
  std::uint32_t line_start(std::size_t line) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

// Reads the whole file. On failure `error` says why, in the words of the system.
std::optional<SourceFile> load_source_file(const std::string& path, std::string& error);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_SOURCE_FILE_H_
