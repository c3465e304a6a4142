// Classes of octets that manifests and requests are made of.
#ifndef ROUTEC_GENERATOR_ASCII_H_
#define ROUTEC_GENERATOR_ASCII_H_

#include <string_view>

namespace routec::compiler {

// No request that holds one, raw or encoded, is answered.
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// Of a hex digit of either case; -1 for any other octet.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// RFC 9110, section 5.6.2.
constexpr bool is_token(std::string_view text) {
  constexpr std::string_view kTokenOctets =
      "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return !text.empty() && text.find_first_not_of(kTokenOctets) == std::string_view::npos;
}

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_ASCII_H_
