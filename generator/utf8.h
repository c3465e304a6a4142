// Decodes UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing beyond U+10FFFF.
#ifndef ROUTEC_GENERATOR_UTF8_H_
#define ROUTEC_GENERATOR_UTF8_H_

#include <cstddef>
#include <string_view>

namespace routec::compiler {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  // octets; 0: malformed
};

// The code point at the begin of `text`, which is not empty.
CodePoint decode_utf8(std::string_view text);

// Whether a terminal or a reader would show it as itself: no control character, nothing that
// reorders text (Unicode TR 36, section 2.2), no line or paragraph separator, no byte order mark.
bool is_plainly_visible(char32_t c);

// Columns of a terminal: 2 for the wide characters of East Asia and emoji, 0 for combining marks.
std::size_t display_width(char32_t c);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_UTF8_H_
