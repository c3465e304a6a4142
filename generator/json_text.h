// JSON strings for octets that need not be UTF-8.
#ifndef ROUTEC_GENERATOR_JSON_TEXT_H_
#define ROUTEC_GENERATOR_JSON_TEXT_H_

#include <string>
#include <string_view>

namespace routec::compiler {

// In double quotes, ASCII only. An octet that is no UTF-8 becomes a lone surrogate, U+DC00 plus its
// value: what Python's "surrogateescape" makes of it, so that nothing is lost.
std::string json_string(std::string_view octets);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_JSON_TEXT_H_
