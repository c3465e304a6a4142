#include "chunked_body.h"

#include <algorithm>
#include <cstring>

#include "scan.h"

namespace routec::detail {
namespace {

// 2^64 - 1 has 16 hex digits; so many leading zeros serve nobody.
constexpr int kMaxSizeDigits = 16;

bool is_space(char c) { return c == ' ' || c == '\t'; }
bool is_token_octet(char c) { return kTokenChars[static_cast<unsigned char>(c)]; }
bool ends_value(char c) { return kEndsValue(static_cast<unsigned char>(c)); }

}  // namespace

ChunkedBody::Result ChunkedBody::decode(char* input, std::size_t size,
                                        std::uint64_t body_limit) noexcept {
  std::size_t produced = 0;
  std::size_t at = 0;
  while (at < size) {
    if (state_ == State::data) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_left_, size - at));
      std::memmove(input + produced, input + at, count);
      produced += count;
      at += count;
      chunk_left_ -= count;
      if (chunk_left_ == 0) state_ = State::data_cr;
      continue;
    }
    state_ = step(input[at++]);
    if (state_ == State::complete) return {Status::complete, at, produced};
    if (state_ == State::malformed) return {Status::malformed, at, produced};
    if (is_extra() && ++extra_ > kMaxExtra) return {Status::too_much_extra, at, produced};
    if (state_ == State::size_lf) {
      if (chunk_left_ > body_limit - std::min(total_, body_limit))
        return {Status::too_large, at, produced};
      total_ += chunk_left_;
    }
  }
  return {Status::incomplete, at, produced};
}

bool ChunkedBody::is_extra() const noexcept {
  return (state_ >= State::extension_space && state_ <= State::extension_quoted_end) ||
         (state_ >= State::trailer_name && state_ <= State::trailer_lf);
}

ChunkedBody::State ChunkedBody::step(char c) noexcept {
  switch (state_) {
    case State::size_start:
    case State::size:
      return step_size(c);
    case State::size_lf:
      if (c != '\n') return State::malformed;
      size_digits_ = 0;
      if (chunk_left_ != 0) return State::data;
      extra_ = 0;
      return State::trailer_start;
    case State::data_cr:
      return c == '\r' ? State::data_lf : State::malformed;
    case State::data_lf:
      return c == '\n' ? State::size_start : State::malformed;
    case State::end_lf:
      return c == '\n' ? State::complete : State::malformed;
    case State::trailer_start:
    case State::trailer_name:
    case State::trailer_value:
    case State::trailer_lf:
      return step_trailer(c);
    default:
      return step_extension(c);
  }
}

ChunkedBody::State ChunkedBody::step_size(char c) noexcept {
  if (const int digit = hex_value(c); digit >= 0) {
    if (++size_digits_ > kMaxSizeDigits) return State::malformed;
    chunk_left_ = chunk_left_ * 16 + static_cast<unsigned>(digit);
    return State::size;
  }
  if (state_ == State::size_start) return State::malformed;
  if (c == '\r') return State::size_lf;
  if (c == ';') return State::extension_name_start;
  return is_space(c) ? State::extension_space : State::malformed;
}

// chunk-ext = *( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )
ChunkedBody::State ChunkedBody::step_extension(char c) noexcept {
  switch (state_) {
    case State::extension_space:
      if (c == ';') return State::extension_name_start;
      return is_space(c) ? State::extension_space : State::malformed;
    case State::extension_name_start:
      if (is_token_octet(c)) return State::extension_name;
      return is_space(c) ? State::extension_name_start : State::malformed;
    case State::extension_name:
      if (is_token_octet(c)) return State::extension_name;
      if (c == '\r') return State::size_lf;
      [[fallthrough]];
    case State::extension_name_space:
      if (c == '=') return State::extension_value_start;
      if (c == ';') return State::extension_name_start;
      return is_space(c) ? State::extension_name_space : State::malformed;
    case State::extension_value_start:
      if (c == '"') return State::extension_quoted;
      if (is_token_octet(c)) return State::extension_token;
      return is_space(c) ? State::extension_value_start : State::malformed;
    case State::extension_quoted:
      if (c == '"') return State::extension_quoted_end;
      if (c == '\\') return State::extension_quoted_pair;
      return ends_value(c) ? State::malformed : State::extension_quoted;
    case State::extension_quoted_pair:
      return ends_value(c) ? State::malformed : State::extension_quoted;
    case State::extension_token:
      if (is_token_octet(c)) return State::extension_token;
      [[fallthrough]];
    case State::extension_quoted_end:
      if (c == '\r') return State::size_lf;
      if (c == ';') return State::extension_name_start;
      return is_space(c) ? State::extension_space : State::malformed;
    default:
      return State::malformed;
  }
}

ChunkedBody::State ChunkedBody::step_trailer(char c) noexcept {
  switch (state_) {
    case State::trailer_start:
      if (c == '\r') return State::end_lf;
      return is_token_octet(c) ? State::trailer_name : State::malformed;
    case State::trailer_name:
      if (c == ':') return State::trailer_value;
      return is_token_octet(c) ? State::trailer_name : State::malformed;
    case State::trailer_value:
      if (c == '\r') return State::trailer_lf;
      return ends_value(c) ? State::malformed : State::trailer_value;
    default:
      return c == '\n' ? State::trailer_start : State::malformed;
  }
}

}  // namespace routec::detail
