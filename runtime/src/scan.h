// Finding the octet that ends a run: 32 or 16 at a time where the target has AVX2 or SSE2.
//
// No function reads outside [begin, end). The scalar forms are the definition; the others must
// equal them (tests/http/scan_test.cc).
#ifndef ROUTEC_SRC_SCAN_H_
#define ROUTEC_SRC_SCAN_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

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

// VCHAR and obs-text may stand in a request target.
constexpr bool ends_target(char c) noexcept {
  const auto octet = static_cast<unsigned char>(c);
  return octet <= 0x20 || octet == 0x7f;
}

// Field values are VCHAR, obs-text, SP and HTAB (RFC 9110 section 5.5).
constexpr bool ends_value(char c) noexcept {
  const auto octet = static_cast<unsigned char>(c);
  return (octet < 0x20 && octet != '\t') || octet == 0x7f;
}

inline const char* find_non_token(const char* begin, const char* end) noexcept {
  while (begin != end && kTokenChars[static_cast<unsigned char>(*begin)]) ++begin;
  return begin;
}

inline const char* find_target_end_scalar(const char* begin, const char* end) noexcept {
  while (begin != end && !ends_target(*begin)) ++begin;
  return begin;
}

inline const char* find_value_end_scalar(const char* begin, const char* end) noexcept {
  while (begin != end && !ends_value(*begin)) ++begin;
  return begin;
}

#if defined(__AVX2__)

struct Block {
  static constexpr std::ptrdiff_t kSize = 32;
  using Vector = __m256i;
  static Vector load(const char* p) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  static Vector equal(Vector a, char c) noexcept {
    return _mm256_cmpeq_epi8(a, _mm256_set1_epi8(c));
  }
  static Vector at_most(Vector a, char c) noexcept {
    return _mm256_cmpeq_epi8(_mm256_min_epu8(a, _mm256_set1_epi8(c)), a);
  }
  static Vector either(Vector a, Vector b) noexcept { return _mm256_or_si256(a, b); }
  static Vector without(Vector a, Vector b) noexcept { return _mm256_andnot_si256(b, a); }
  static std::uint32_t mask(Vector a) noexcept {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(a));
  }
};

#elif defined(__SSE2__)

struct Block {
  static constexpr std::ptrdiff_t kSize = 16;
  using Vector = __m128i;
  static Vector load(const char* p) noexcept {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  }
  static Vector equal(Vector a, char c) noexcept { return _mm_cmpeq_epi8(a, _mm_set1_epi8(c)); }
  static Vector at_most(Vector a, char c) noexcept {
    return _mm_cmpeq_epi8(_mm_min_epu8(a, _mm_set1_epi8(c)), a);
  }
  static Vector either(Vector a, Vector b) noexcept { return _mm_or_si128(a, b); }
  static Vector without(Vector a, Vector b) noexcept { return _mm_andnot_si128(b, a); }
  static std::uint32_t mask(Vector a) noexcept {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(a));
  }
};

#endif

#if defined(__SSE2__)

inline const char* find_target_end(const char* begin, const char* end) noexcept {
  for (; end - begin >= Block::kSize; begin += Block::kSize) {
    const Block::Vector block = Block::load(begin);
    const std::uint32_t hits =
        Block::mask(Block::either(Block::at_most(block, 0x20), Block::equal(block, 0x7f)));
    if (hits != 0) return begin + std::countr_zero(hits);
  }
  return find_target_end_scalar(begin, end);
}

inline const char* find_value_end(const char* begin, const char* end) noexcept {
  for (; end - begin >= Block::kSize; begin += Block::kSize) {
    const Block::Vector block = Block::load(begin);
    const Block::Vector control =
        Block::without(Block::at_most(block, 0x1f), Block::equal(block, '\t'));
    const std::uint32_t hits = Block::mask(Block::either(control, Block::equal(block, 0x7f)));
    if (hits != 0) return begin + std::countr_zero(hits);
  }
  return find_value_end_scalar(begin, end);
}

#else

inline const char* find_target_end(const char* begin, const char* end) noexcept {
  return find_target_end_scalar(begin, end);
}
inline const char* find_value_end(const char* begin, const char* end) noexcept {
  return find_value_end_scalar(begin, end);
}

#endif

}  // namespace routec::detail

#endif  // ROUTEC_SRC_SCAN_H_
