#include "stub.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "output.h"
#include "render_model.h"

namespace routec::compiler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSeal = "// Unchanged since routec stub wrote it: ";

// FNV-1a: it only has to notice that a person edited the file.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return value;
}

std::string seal(const std::string& text) {
  return text + fmt::format("{}{:016x}\n", kSeal, hash(text));
}

bool is_untouched(const std::optional<std::string>& text) {
  if (!text) return true;
  const std::size_t begin = text->rfind(kSeal);
  return begin != std::string::npos && seal(text->substr(0, begin)) == *text;
}

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Whether `name` occurs as a whole identifier in front of a parenthesis.
bool declares(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if (at > 0 && is_word(text[at - 1])) continue;
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + name.size());
    if (next != std::string::npos && text[next] == '(') return true;
  }
  return false;
}

std::vector<std::string> find_missing(const RouteTable& table, const std::string& header) {
  const std::vector<std::string> declarations = handler_declarations(table);
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < declarations.size(); ++i)
    if (!declares(header, table.handlers[i].cpp_name)) missing.push_back(declarations[i]);
  return missing;
}

}  // namespace

std::optional<StubResult> write_stubs(const RouteTable& table, const RenderOptions& options,
                                      const fs::path& directory, Diagnostics& diagnostics) {
  const std::optional<std::string> header = read_file(directory / "handlers.h");
  const std::optional<std::string> source = read_file(directory / "handlers.cc");
  StubResult result;
  if (!is_untouched(header) || !is_untouched(source)) {
    result.missing = find_missing(table, header.value_or(""));
    return result;
  }
  std::optional<std::vector<OutputFile>> files =
      render(make_stub_model(table), options, diagnostics);
  if (!files) return std::nullopt;
  for (OutputFile& file : *files) {
    file.text = seal(file.text);
    if (read_file(directory / file.name) != file.text) result.written.push_back(file.name);
  }
  if (!write_outputs(*files, {}, {directory, {}, {}}, diagnostics)) return std::nullopt;
  return result;
}

}  // namespace routec::compiler
