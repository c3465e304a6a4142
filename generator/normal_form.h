// The form of a path that the generated tables are made for (routec/tables.h).
#ifndef ROUTEC_GENERATOR_NORMAL_FORM_H_
#define ROUTEC_GENERATOR_NORMAL_FORM_H_

#include <string>
#include <string_view>

#include "routec/tables.h"

namespace routec::compiler {

inline std::string normal_form(std::string_view decoded) {
  std::string out(decoded);
  for (char& octet : out) octet = detail::normal_octet(octet);
  return out;
}

// Whether a raw path can't be its own normal form: it must not be looked up before it is scanned.
inline bool has_marker(std::string_view normal) {
  for (const char octet : normal)
    if (static_cast<unsigned char>(octet) < 0x20) return true;
  return false;
}

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_NORMAL_FORM_H_
