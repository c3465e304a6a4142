// What the fields of a head mean for the connection: RFC 9112 sections 3, 6 and 9, RFC 9110 10.1.1.
#ifndef ROUTEC_SRC_FRAMING_H_
#define ROUTEC_SRC_FRAMING_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "request_parser.h"

namespace routec::detail {

struct Framing {
  int error = 0;  // 0, or the status to answer before the connection is closed
  bool chunked = false;
  std::uint64_t content_length = 0;  // saturates at 2^64 - 1
  bool keep_alive = true;
  bool expects_continue = false;
  std::string_view target;  // in origin form, or "*"

  bool has_body() const noexcept { return chunked || content_length != 0; }
};

// `rewritten` holds the target when its origin form does not stand in the head (`http://a?q`).
Framing examine_head(const RequestHead& head, std::string& rewritten);

}  // namespace routec::detail

#endif  // ROUTEC_SRC_FRAMING_H_
