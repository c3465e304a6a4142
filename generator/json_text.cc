#include "json_text.h"

#include <fmt/format.h>

#include "utf8.h"

namespace routec::compiler {
namespace {

std::string escaped(char32_t c) {
  const auto value = static_cast<std::uint32_t>(c);
  if (value < 0x10000) return fmt::format("\\u{:04x}", value);
  const std::uint32_t rest = value - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
}

}  // namespace

std::string json_string(std::string_view octets) {
  std::string out = "\"";
  for (std::size_t i = 0; i < octets.size();) {
    const char c = octets[i];
    const CodePoint point = decode_utf8(octets.substr(i));
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c >= 0x20 && c < 0x7F)
      out += c;
    else if (point.length == 0)
      out += escaped(0xDC00 + static_cast<unsigned char>(c));
    else
      out += escaped(point.value);
    i += point.length == 0 ? 1 : point.length;
  }
  return out + '"';
}

}  // namespace routec::compiler
