// A Match as one line of ASCII text: all that it tells its user. For tests; also compiled beside
// generated code.
#ifndef ROUTEC_TESTS_BEHAVIOUR_MATCH_TEXT_H_
#define ROUTEC_TESTS_BEHAVIOUR_MATCH_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "routec/router.h"

namespace routec::test {

// In quotes, with \xHH for octets that are not printable.
inline std::string octet_text(std::string_view octets) {
  constexpr char kHexDigits[] = "0123456789abcdef";
  std::string text = "\"";
  for (const char c : octets) {
    if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
      text += c;
      continue;
    }
    const auto octet = static_cast<unsigned char>(c);
    (text += "\\x") += kHexDigits[octet >> 4];
    text += kHexDigits[octet & 15];
  }
  return text + '"';
}

// Status, number, name and pattern of the route, and the parameters that are not empty:
//   200 3 users.show "/users/{id}" id="7"
//   405 allow="GET, HEAD, OPTIONS"
//   308 location="/a/?q"
inline std::string match_text(const Match& match) {
  std::string text = std::to_string(match.status());
  if (match.status() == 200) {
    text += ' ' + std::to_string(match.index()) + ' ';
    text.append(match.name()) += ' ' + octet_text(match.pattern());
    for (std::size_t i = 0; i < match.param_count(); ++i)
      if (match.has_param(i))
        (text.append(1, ' ').append(match.param_name(i)) += '=') += octet_text(match.param(i));
  }
  if (const std::string allow = match.allow(); !allow.empty())
    text += " allow=" + octet_text(allow);
  if (const std::string location = match.location(); !location.empty())
    text += " location=" + octet_text(location);
  return text;
}

}  // namespace routec::test

#endif  // ROUTEC_TESTS_BEHAVIOUR_MATCH_TEXT_H_
