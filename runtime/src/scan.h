// Finding the octet that ends a run: 32 or 16 at a time where the target has AVX2 or SSE2.
//
// No function reads outside [begin, end). find_octet is the definition of find, which must equal it
// (tests/http/request_parser_test.cc).
#ifndef ROUTEC_SRC_SCAN_H_
#define ROUTEC_SRC_SCAN_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "routec/http.h"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace routec::detail {

inline constexpr std::array<bool, 256> kTokenChars = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c) table[c] = is_token_char(static_cast<char>(c));
  return table;
}();

// ---- What ends a run: of an unsigned octet, or of each in a vector ------------------------------

// VCHAR and obs-text may stand in a request target.
inline constexpr auto kEndsTarget = [](auto octets) { return octets <= 0x20 || octets == 0x7f; };

// Field values are VCHAR, obs-text, SP and HTAB (RFC 9110 section 5.5).
inline constexpr auto kEndsValue = [](auto octets) {
  return (octets < 0x20 && octets != '\t') || octets == 0x7f;
};

// ---- The first octet that does ------------------------------------------------------------------

template <typename Ends>
const char* find_octet(const char* begin, const char* end, Ends ends) noexcept {
  while (begin != end && !ends(static_cast<unsigned char>(*begin))) ++begin;
  return begin;
}

#if defined(__AVX2__)
using Block [[gnu::vector_size(32)]] = unsigned char;
template <typename Mask>
std::uint32_t bits_of(Mask mask) noexcept {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(std::bit_cast<__m256i>(mask)));
}
#elif defined(__SSE2__)
using Block [[gnu::vector_size(16)]] = unsigned char;
template <typename Mask>
std::uint32_t bits_of(Mask mask) noexcept {
  return static_cast<std::uint32_t>(_mm_movemask_epi8(std::bit_cast<__m128i>(mask)));
}
#endif

template <typename Ends>
const char* find(const char* begin, const char* end, Ends ends) noexcept {
#if defined(__SSE2__)
  Block block;
  for (; static_cast<std::size_t>(end - begin) >= sizeof block; begin += sizeof block) {
    std::memcpy(&block, begin, sizeof block);
    if (const std::uint32_t hits = bits_of(ends(block)); hits != 0)
      return begin + std::countr_zero(hits);
  }
#endif
  return find_octet(begin, end, ends);
}

inline const char* find_non_token(const char* begin, const char* end) noexcept {
  return find_octet(begin, end, [](unsigned char octet) { return !kTokenChars[octet]; });
}
inline const char* find_target_end(const char* begin, const char* end) noexcept {
  return find(begin, end, kEndsTarget);
}
inline const char* find_value_end(const char* begin, const char* end) noexcept {
  return find(begin, end, kEndsValue);
}

}  // namespace routec::detail

#endif  // ROUTEC_SRC_SCAN_H_
