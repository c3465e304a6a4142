#include "initializer_reader.h"

#include <algorithm>
#include <charconv>

namespace routec::test {

void InitializerReader::fail(const std::string& why) const {
  throw std::runtime_error(why + " before: " + std::string(text_.substr(0, 60)));
}

void InitializerReader::skip_space() {
  while (!text_.empty()) {
    if (text_.starts_with("//"))
      text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
    else if (std::string_view("{}, \n").find(text_[0]) != std::string_view::npos)
      text_.remove_prefix(1);
    else
      return;
  }
}

std::string_view InitializerReader::word() {
  const std::size_t size = std::min(text_.find_first_of("{}, \n"), text_.size());
  const std::string_view word = text_.substr(0, size);
  text_.remove_prefix(size);
  skip_space();
  return word;
}

std::uint64_t InitializerReader::value_of(std::string_view word) const {
  if (word == "kNone" || word == "routec::detail::kNone") return detail::kNone;
  if (word == "routec::detail::kNoBodyLimit") return detail::kNoBodyLimit;
  const bool is_hex = word.starts_with("0x");
  const char* const begin = word.data() + (is_hex ? 2 : 0);
  const char* const end = word.data() + word.size();
  std::uint64_t value = 0;
  const auto [last, error] = std::from_chars(begin, end, value, is_hex ? 16 : 10);
  if (begin == end || last != end || error != std::errc()) fail("no number: " + std::string(word));
  return value;
}

void InitializerReader::read(bool& flag) {
  const std::string_view text = word();
  if (text != "true" && text != "false") fail("no truth value: " + std::string(text));
  flag = text == "true";
}

void InitializerReader::read(detail::NodeKind& kind) {
  kind = static_cast<detail::NodeKind>(
      read_name({"NodeKind::kLiteral", "NodeKind::kSpread", "NodeKind::kClass", "NodeKind::kLeaf",
                 "NodeKind::kSearch"}));
}

void InitializerReader::read(detail::ParamKind& kind) {
  kind = static_cast<detail::ParamKind>(
      read_name({"ParamKind::kSegment", "ParamKind::kRest", "ParamKind::kPart"}));
}

std::size_t InitializerReader::read_name(std::initializer_list<std::string_view> names) {
  const auto* const name = std::find(names.begin(), names.end(), word());
  if (name == names.end()) fail("no known name");
  return static_cast<std::size_t>(name - names.begin());
}

void InitializerReader::read(std::string& text) {
  text.clear();
  if (!text_.starts_with('"')) fail("no string literal");
  while (text_.starts_with('"')) {
    read_literal(text);
    while (text_.starts_with(' ') || text_.starts_with('\n')) text_.remove_prefix(1);
  }
  skip_space();
}

void InitializerReader::read_literal(std::string& text) {
  std::size_t at = 1;
  const auto is_octal = [&](std::size_t i) { return text_.at(i) >= '0' && text_.at(i) <= '7'; };
  for (; text_.at(at) != '"'; ++at) {
    if (text_[at] != '\\') {
      text += text_[at];
      continue;
    }
    ++at;
    if (!is_octal(at)) {
      text += text_[at];
      continue;
    }
    int octet = 0;
    for (int digits = 0; digits < 3 && is_octal(at); ++digits)
      octet = octet * 8 + text_[at++] - '0';
    text += static_cast<char>(octet);
    --at;
  }
  text_.remove_prefix(at + 1);
}

}  // namespace routec::test
