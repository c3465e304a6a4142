// The syntax of a request head, RFC 9112 sections 2 to 5. Knows no sockets and allocates nothing.
#ifndef ROUTEC_SRC_REQUEST_PARSER_H_
#define ROUTEC_SRC_REQUEST_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "routec/http.h"

namespace routec::detail {

struct HeadLimits {
  std::size_t head_octets = 32768;  // request line and fields, with the empty line
  std::size_t target_octets = 8192;
};

// A parsed head; views the octets that were parsed.
struct RequestHead {
  std::string_view method;
  std::string_view target;        // as received, in any form; follows `method` and one SP in memory
  int minor_version = 1;          // of HTTP/1; what is above 1 counts as 1
  std::span<HeaderField> fields;  // the part of the storage that is used
  std::size_t octets = 0;         // of the whole head, with empty lines before it
};

// What is known of a head that has not arrived in full, so that a head that comes in many pieces
// costs no more than twice its length. All zero before the first octet.
struct ParseProgress {
  std::uint32_t line = 0;    // offset of the first field line that is incomplete; 0: none complete
  std::uint32_t fields = 0;  // number of fields before it
};

enum class ParseStatus : std::uint8_t { complete, incomplete, failed };

struct ParseResult {
  ParseStatus status;
  int error = 0;  // of `failed`: 400, 414, 431, 501 or 505
};

// Parses the head at the start of `input`, whose octets before the end of an earlier call that was
// `incomplete` must be the same (their address may differ). At most `storage.size()` fields are
// taken. An error is reported as soon as its octet is seen.
ParseResult parse_head(std::string_view input, const HeadLimits& limits,
                       std::span<HeaderField> storage, ParseProgress& progress,
                       RequestHead& head) noexcept;

}  // namespace routec::detail

#endif  // ROUTEC_SRC_REQUEST_PARSER_H_
