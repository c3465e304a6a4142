#include "cpp_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "quote.h"
#include "routec/url.h"

namespace routec::compiler {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

}  // namespace

std::string string_literal(std::string_view octets) {
  std::string text = "\"";
  for (const char c : octets) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '?' && text.back() == '?') {
      text += "\\?";  // else it could begin a trigraph
    } else if (c >= ' ' && c <= '~') {
      text += c;
    } else {
      text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return text + '"';
}

std::string comment_text(std::string_view text) {
  std::string out = escape_invisible(text);
  replace_all(out, "?\?/", "?\\x3F/");  // a trigraph: a backslash
  while (!out.empty() && out.back() == ' ') out.pop_back();
  if (!out.empty() && out.back() == '\\') out += "x5C";
  return out;
}

std::vector<std::string> comment_lines(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t word_end = std::min(text.find_first_of(" \r\n\t"), text.size());
    const std::string_view word = text.substr(0, word_end);
    text.remove_prefix(std::min(word_end + 1, text.size()));
    if (word.empty()) continue;
    const std::string shown = comment_text(word);
    if (lines.empty() || lines.back().size() + 1 + shown.size() > width) {
      lines.push_back(shown);
    } else {
      lines.back() += ' ' + shown;
    }
  }
  return lines;
}

std::string encode_segment(std::string_view decoded) {
  std::string text;
  for (const char c : decoded) {
    if (detail::is_pchar(c)) {
      text += c;
    } else {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

}  // namespace routec::compiler
