#include "source_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace routec::compiler {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const bool lone_cr = text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n');
    if (text_[i] == '\n' || lone_cr) line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

Position SourceFile::position(std::uint32_t offset) const {
  const std::uint32_t end = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), end);
  const std::uint32_t start = *std::prev(after);
  std::size_t column = 1;
  for (std::uint32_t i = start; i < end; ++i)
    if (!is_continuation(text_[i])) ++column;
  // A byte order mark is no character of the text: editors do not count it.
  if (start == 0 && end >= 3 && text_.starts_with("\xEF\xBB\xBF")) --column;
  return {static_cast<std::size_t>(after - line_starts_.begin()), column};
}

std::uint32_t SourceFile::line_start(std::size_t line) const { return line_starts_[line - 1]; }

std::string_view SourceFile::line_text(std::size_t line) const {
  const std::size_t begin = line_starts_[line - 1];
  std::size_t end = line < line_starts_.size() ? line_starts_[line] : text_.size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::optional<SourceFile> load_source_file(const std::string& path, std::string& error) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  std::string text;
  char buffer[1 << 16];
  bool ok = file != nullptr;
  while (ok && text.size() <= SourceFile::kMaxSize) {
    const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get());
    if (count == 0) {
      ok = std::ferror(file.get()) == 0;
      break;
    }
    text.append(buffer, count);
  }
  if (ok && text.size() <= SourceFile::kMaxSize) return SourceFile(path, std::move(text));
  error = ok ? "File larger than 1 GiB" : std::strerror(errno);
  return std::nullopt;
}

}  // namespace routec::compiler
