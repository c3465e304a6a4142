// One pass over a request target: where its path ends, its segments begin, and whether it holds
// anything that needs a closer look. RFC 3986 section 3.3; SSE2 where there is, else plain C++.
#ifndef ROUTEC_PATH_SCAN_H_
#define ROUTEC_PATH_SCAN_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__) && !defined(ROUTEC_NO_SIMD)
#include <emmintrin.h>
#define ROUTEC_PATH_SCAN_SSE2 1
#endif

namespace routec::detail {

inline constexpr std::size_t kMaxTarget = 8192;   // octets, query included; beyond: 414
// Segments whose place is recorded. A pattern has at most 256, and one more, which is empty, where
// `slash: both` adds it. A longer path can still be some {x...}.
inline constexpr std::size_t kMaxSegments = 257;

struct PathScan {
  std::uint32_t length = 0;  // octets of the path: up to the first '?'
  std::uint32_t segment_count = 0;
  std::uint32_t first_empty = 0;  // index of the first empty segment; segment_count: none
  bool escaped = false;           // holds '%'
  bool malformed = false;         // holds a control octet or '#', or begins without '/'
  bool dots = false;              // a segment begins with '.'
  // Offset of the '/' before each segment, and last `length`; of the first kMaxSegments segments.
  // Room to write eight at a time.
  std::uint16_t slashes[kMaxSegments + 9];

  std::uint32_t begin(std::uint32_t segment) const noexcept { return slashes[segment] + 1u; }
  std::uint32_t size(std::uint32_t segment) const noexcept {
    return slashes[segment + 1] - slashes[segment] - 1u;
  }
};

// A bit an octet, the first one lowest.
struct OctetMasks {
  std::uint64_t slash = 0;
  std::uint64_t dot = 0;
  std::uint64_t special = 0;  // '%', '?', '#', controls; and '!' and '\'', which are harmless
};

#ifdef ROUTEC_PATH_SCAN_SSE2

inline OctetMasks masks_of(__m128i octets) noexcept {
  const auto is = [](__m128i value, char c) { return _mm_cmpeq_epi8(value, _mm_set1_epi8(c)); };
  const auto bits = [](__m128i value) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(value)));
  };
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(octets, _mm_set1_epi8(0x1f)), octets);
  // '#' is 0x23, '%' 0x25; '?' is 0x3f, DEL 0x7f.
  const __m128i hash_percent = is(_mm_and_si128(octets, _mm_set1_epi8('\xf9')), 0x21);
  const __m128i query_delete = is(_mm_and_si128(octets, _mm_set1_epi8('\xbf')), 0x3f);
  return {bits(is(octets, '/')), bits(is(octets, '.')),
          bits(_mm_or_si128(control, _mm_or_si128(hash_percent, query_delete)))};
}

inline OctetMasks masks_of_16(const char* text) noexcept {
  return masks_of(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text)));
}

#else

inline OctetMasks masks_of_16(const char* text) noexcept {
  OctetMasks masks;
  for (unsigned i = 0; i < 16; ++i) {
    const auto octet = static_cast<unsigned char>(text[i]);
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (octet == '/') masks.slash |= bit;
    if (octet == '.') masks.dot |= bit;
    if (octet < 0x20 || octet == 0x7f || octet == '%' || octet == '?' || octet == '#')
      masks.special |= bit;
  }
  return masks;
}

#endif

inline void add_masks(OctetMasks& sum, const OctetMasks& part, std::size_t shift) noexcept {
  sum.slash |= part.slash << shift;
  sum.dot |= part.dot << shift;
  sum.special |= part.special << shift;
}

inline void keep_low(OctetMasks& masks, std::size_t count) noexcept {
  const std::uint64_t keep = count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
  masks.slash &= keep;
  masks.dot &= keep;
  masks.special &= keep;
}

// Of fewer than 16 octets.
inline OctetMasks masks_of_few(const char* text, std::size_t size) noexcept {
  char padded[16] = {};
  std::memcpy(padded, text, size);
  OctetMasks masks = masks_of_16(padded);
  keep_low(masks, size);
  return masks;
}

// Of 16 to 64 octets: four loads that overlap rather than reach beyond the end.
inline OctetMasks masks_of_some(const char* text, std::size_t size) noexcept {
  const std::size_t last = size - 16;
  OctetMasks masks = masks_of_16(text);
  for (std::size_t offset = 16; offset < 64; offset += 16) {
    const std::size_t at = offset < last ? offset : last;
    add_masks(masks, masks_of_16(text + at), at);
  }
  return masks;
}

// Of the block of up to 64 octets at `offset`.
inline OctetMasks masks_of_block(std::string_view text, std::size_t offset) noexcept {
  const std::size_t size = text.size() - offset;
  if (size >= 16) return masks_of_some(text.data() + offset, size < 64 ? size : 64);
  if (offset == 0) return masks_of_few(text.data(), size);
  OctetMasks masks = masks_of_16(text.data() + text.size() - 16);
  masks.slash >>= 16 - size;
  masks.dot >>= 16 - size;
  masks.special >>= 16 - size;
  return masks;
}

// Judges the special octets of a block; false: the path ends in it, at `length`.
inline bool judge_special(std::string_view text, std::size_t offset, std::uint64_t special,
                          PathScan& scan) noexcept {
  for (; special != 0; special &= special - 1) {
    const std::size_t at = offset + static_cast<std::size_t>(std::countr_zero(special));
    const char c = text[at];
    if (c == '%') {
      scan.escaped = true;
    } else if (c == '?') {
      scan.length = static_cast<std::uint32_t>(at);
      return false;
    } else if (c != '!' && c != '\'') {
      scan.malformed = true;
    }
  }
  return true;
}

// Appends the slashes of a block, counting on when there is no more room.
inline void add_slashes(std::uint64_t slashes, std::size_t offset, PathScan& scan) noexcept {
  const auto count = static_cast<std::uint32_t>(std::popcount(slashes));
  std::uint32_t index = scan.segment_count;
  scan.segment_count += count;
  while (slashes != 0 && index <= kMaxSegments) {
    for (unsigned i = 0; i < 8; ++i) {
      scan.slashes[index + i] =
          static_cast<std::uint16_t>(offset + static_cast<std::size_t>(std::countr_zero(slashes)));
      slashes &= slashes - 1;
    }
    index += 8;
  }
}

// Fills `scan`.
inline void scan_path(std::string_view target, PathScan& scan) noexcept {
  scan.length = static_cast<std::uint32_t>(target.size());
  std::uint64_t after_slash = 0;  // bit 0: the octet before the block was a slash
  std::uint32_t first_empty = ~std::uint32_t{0};
  for (std::size_t offset = 0; offset < target.size(); offset += 64) {
    OctetMasks masks = masks_of_block(target, offset);
    const bool more = masks.special == 0 || judge_special(target, offset, masks.special, scan);
    if (!more) keep_low(masks, scan.length - offset);
    after_slash |= masks.slash << 1;
    if ((masks.dot & after_slash) != 0) scan.dots = true;
    const std::uint64_t empty = masks.slash & after_slash;
    if (empty != 0 && first_empty == ~std::uint32_t{0}) {
      const std::uint64_t before = masks.slash & ((empty & -empty) - 1);
      first_empty = scan.segment_count + static_cast<std::uint32_t>(std::popcount(before)) - 1;
    }
    add_slashes(masks.slash, offset, scan);
    if (!more) break;
    after_slash = masks.slash >> 63;
  }
  const bool ends_in_slash = scan.length != 0 && target[scan.length - 1] == '/';
  scan.first_empty = first_empty != ~std::uint32_t{0} ? first_empty
                     : ends_in_slash                  ? scan.segment_count - 1
                                                      : scan.segment_count;
  if (scan.length == 0 || target[0] != '/') scan.malformed = true;
  if (scan.segment_count <= kMaxSegments)
    scan.slashes[scan.segment_count] = static_cast<std::uint16_t>(scan.length);
}

}  // namespace routec::detail

#endif  // ROUTEC_PATH_SCAN_H_
