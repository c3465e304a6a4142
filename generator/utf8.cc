#include "utf8.h"

#include <algorithm>
#include <iterator>

namespace routec::compiler {

CodePoint decode_utf8(std::string_view text) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  char32_t value = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return {};
    value = value << 6 | (next & 0x3FU);
  }
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || is_surrogate) return {};
  return {value, length};
}

bool is_plainly_visible(char32_t c) {
  const auto between = [c](char32_t low, char32_t high) { return c >= low && c <= high; };
  return !(between(0, 0x1F) || between(0x7F, 0x9F) || c == 0xAD || c == 0x61C ||
           between(0x200B, 0x200F) || between(0x2028, 0x202E) || between(0x2060, 0x206F) ||
           c == 0xFEFF || between(0xFFF9, 0xFFFB) || between(0xE0000, 0xE007F));
}

std::size_t display_width(char32_t c) {
  struct Range {
    char32_t low, high;
  };
  constexpr Range kCombining[] = {
      {0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
  constexpr Range kWide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                             {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                             {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
  const auto holds = [c](const auto& ranges) {
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [c](const Range& range) { return c >= range.low && c <= range.high; });
  };
  return holds(kCombining) ? 0 : holds(kWide) ? 2 : 1;
}

}  // namespace routec::compiler
