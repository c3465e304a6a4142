// The chunked transfer coding, RFC 9112 section 7.1. Knows no sockets and allocates nothing.
#ifndef ROUTEC_SRC_CHUNKED_BODY_H_
#define ROUTEC_SRC_CHUNKED_BODY_H_

#include <cstddef>
#include <cstdint>

namespace routec::detail {

// Decodes one chunked body, in pieces of any size.
class ChunkedBody {
 public:
  enum class Status : std::uint8_t {
    incomplete,
    complete,
    malformed,
    too_large,      // more than `body_limit` octets of data are announced
    too_much_extra  // more than kMaxExtra octets of extensions or of trailer fields
  };
  struct Result {
    Status status;
    std::size_t consumed;  // octets of the input; all of it unless complete or an error
    std::size_t produced;  // octets of data
  };

  // Extensions and trailers are checked and dropped; each kind may take that much in a body.
  static constexpr std::uint32_t kMaxExtra = 16 * 1024;

  // Decodes in place: the data of [input, input + size) is moved to `input`. After an error or
  // `complete` the decoder must not be used again.
  Result decode(char* input, std::size_t size, std::uint64_t body_limit) noexcept;

 private:
  enum class State : std::uint8_t {
    size_start,
    size,
    extension_space,  // after a value: only ';' may follow
    extension_name_start,
    extension_name,
    extension_name_space,  // after a name: '=' or ';' may follow
    extension_value_start,
    extension_token,
    extension_quoted,
    extension_quoted_pair,
    extension_quoted_end,
    size_lf,
    data,
    data_cr,
    data_lf,
    trailer_start,
    trailer_name,
    trailer_value,
    trailer_lf,
    end_lf,
    complete,
    malformed
  };

  State step(char c) noexcept;
  State step_size(char c) noexcept;
  State step_extension(char c) noexcept;
  State step_trailer(char c) noexcept;
  bool is_extra() const noexcept;

  State state_ = State::size_start;
  std::uint8_t size_digits_ = 0;
  std::uint32_t extra_ = 0;
  std::uint64_t chunk_left_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace routec::detail

#endif  // ROUTEC_SRC_CHUNKED_BODY_H_
