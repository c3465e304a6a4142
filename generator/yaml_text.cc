#include "yaml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "quote.h"
#include "utf8.h"

namespace routec::compiler {
namespace {

// YAML 1.2.2, section 5.1, but for the separators that YAML 1.1 took as line breaks: readers
// disagree about where such a line ends.
bool is_manifest_character(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  const bool is_separator = c == 0x2028 || c == 0x2029;
  return !(c >= 0x7F && c <= 0x9F) && !is_separator && c != 0xFEFF && c != 0xFFFE && c != 0xFFFF;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_sign(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text;
}

std::size_t skip_digits(std::string_view text, std::size_t i) {
  while (i < text.size() && is_digit(text[i])) ++i;
  return i;
}

bool is_integer(std::string_view text) {
  const auto all = [](std::string_view digits, std::string_view allowed) {
    return !digits.empty() && digits.find_first_not_of(allowed) == std::string_view::npos;
  };
  if (text.starts_with("0o")) return all(text.substr(2), "01234567");
  if (text.starts_with("0x")) return all(text.substr(2), "0123456789abcdefABCDEF");
  return all(without_sign(text), "0123456789");
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_float(std::string_view text) {
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return true;
  const std::string_view number = without_sign(text);
  if (is_one_of(number, {".inf", ".Inf", ".INF"})) return true;
  std::size_t i = skip_digits(number, 0);
  std::size_t digits = i;
  if (i < number.size() && number[i] == '.') {
    const std::size_t end = skip_digits(number, i + 1);
    digits += end - i - 1;
    i = end;
  }
  if (digits == 0) return false;
  if (i == number.size()) return true;
  if (number[i] != 'e' && number[i] != 'E') return false;
  const std::string_view exponent = without_sign(number.substr(i + 1));
  return !exponent.empty() && skip_digits(exponent, 0) == exponent.size();
}

// Octets that one source character or escape at `source[i]` stands for, and its length there.
struct Piece {
  std::size_t source_length;
  std::size_t value_length;
};

std::size_t utf8_length(std::string_view value, std::size_t at) {
  return at < value.size() ? std::max<std::size_t>(1, decode_utf8(value.substr(at)).length) : 1;
}

Piece piece_at(std::string_view source, std::size_t i, std::string_view value, std::size_t at) {
  const char quote_mark = source[0];
  if (quote_mark == '\'' && source[i] == '\'') return {2, 1};
  if (quote_mark == '"' && source[i] == '\\') {
    const char kind = source[i + 1];
    const std::size_t digits = kind == 'x' ? 2U : kind == 'u' ? 4U : kind == 'U' ? 8U : 0U;
    return {2 + digits, utf8_length(value, at)};
  }
  return {1, 1};
}

}  // namespace

bool check_characters(const SourceFile& source, std::uint32_t file_index,
                      Diagnostics& diagnostics) {
  const std::string_view text = source.text();
  std::size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  CodePoint point;
  while (i < text.size()) {
    point = decode_utf8(text.substr(i));
    if (point.length == 0 || !is_manifest_character(point.value)) break;
    i += point.length;
  }
  if (i == text.size()) return true;
  const auto at = static_cast<std::uint32_t>(i);
  const auto length = static_cast<std::uint32_t>(std::max<std::size_t>(1, point.length));
  const bool is_malformed = point.length == 0;
  Diagnostic& error = diagnostics.error(
      "encoding", {at, at + length, file_index},
      is_malformed
          ? fmt::format("the octet 0x{:02X} is no UTF-8 here", static_cast<unsigned char>(text[i]))
          : fmt::format("the character U+{:04X} may not stand in a manifest",
                        static_cast<std::uint32_t>(point.value)));
  error.cure = is_malformed ? "save the manifest as UTF-8"
                            : "remove it, or write it as an escape in double quotes";
  return false;
}

YamlNode::Kind plain_scalar_kind(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return YamlNode::Kind::kNull;
  if (is_one_of(text, {"true", "True", "TRUE", "false", "False", "FALSE"}))
    return YamlNode::Kind::kBool;
  if (is_integer(text)) return YamlNode::Kind::kInt;
  if (is_float(text)) return YamlNode::Kind::kFloat;
  return YamlNode::Kind::kText;
}

void trace_quoted(std::string_view source, Text& text) {
  if (source.size() < 2 || source.find_first_of("\r\n") != std::string_view::npos) return;
  if (source.substr(1, source.size() - 2) == text.value) {
    text.first = text.span.begin + 1;
    return;
  }
  std::size_t i = 1;
  while (text.offsets.size() < text.value.size() && i + 1 < source.size()) {
    const Piece piece = piece_at(source, i, text.value, text.offsets.size());
    const auto at = static_cast<std::uint32_t>(text.span.begin + i);
    text.offsets.insert(text.offsets.end(), piece.value_length, at);
    i += piece.source_length;
  }
  text.offsets.push_back(static_cast<std::uint32_t>(text.span.begin + i));
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kText:
      return "the text " + quote(node.text.value);
    case YamlNode::Kind::kNull:
      return node.text.value.empty() ? "nothing" : quote(node.text.value) + ", which is null";
    case YamlNode::Kind::kBool:
      return "the truth value " + quote(node.text.value);
    case YamlNode::Kind::kInt:
    case YamlNode::Kind::kFloat:
      return "the number " + quote(node.text.value);
    case YamlNode::Kind::kSequence:
      return "a list";
    case YamlNode::Kind::kMapping:
      return "a mapping";
  }
  return {};
}

}  // namespace routec::compiler
