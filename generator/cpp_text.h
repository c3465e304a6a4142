// Any text as a piece of C++ source that nobody can break out of.
#ifndef ROUTEC_GENERATOR_CPP_TEXT_H_
#define ROUTEC_GENERATOR_CPP_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace routec::compiler {

// A string literal in ASCII: octets that are not printable become octal escapes.
std::string string_literal(std::string_view octets);

// What may follow "// " on a line: no line break or continuation, nothing invisible.
std::string comment_text(std::string_view text);

// A text in lines of comments that fit `width` columns, cut at spaces.
std::vector<std::string> comment_lines(std::string_view text, std::size_t width);

// Percent-encodes all but pchar (RFC 3986, section 3.3).
std::string encode_segment(std::string_view decoded);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_CPP_TEXT_H_
