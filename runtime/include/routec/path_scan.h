// One pass over a request target: where its path ends, its segments begin, and whether it holds
// anything that needs a closer look. RFC 3986 section 3.3; SSE2 where there is, else plain C++.
#ifndef ROUTEC_PATH_SCAN_H_
#define ROUTEC_PATH_SCAN_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "routec/octets.h"

namespace routec::detail {

inline constexpr std::size_t kMaxTarget = 8192;  // octets, query included; beyond: 414
// Segments whose place is recorded. A pattern has at most 256, and one more, which is empty, where
// `slash: both` adds it. A longer path can still be some {x...}.
inline constexpr std::size_t kMaxSegments = 257;

struct PathScan {
  std::uint32_t length;  // octets of the path: up to the first '?'
  std::uint32_t segment_count;
  std::uint32_t first_empty;  // index of the first empty segment; segment_count: none
  bool escaped;               // holds '%'
  bool malformed;             // holds a control octet or '#', or begins without '/'
  bool dots;                  // a segment begins with '.'
  // Offset of the '/' before each segment, and last `length`; of the first kMaxSegments segments.
  // Room for all that one block of 64 octets may add.
  std::uint16_t slashes[kMaxSegments + 65];

  std::uint32_t begin(std::uint32_t segment) const noexcept { return slashes[segment] + 1u; }
  std::uint32_t size(std::uint32_t segment) const noexcept {
    return slashes[segment + 1] - slashes[segment] - 1u;
  }
};

// A bit an octet, the first one lowest.
struct OctetMasks {
  std::uint64_t slash = 0;
  std::uint64_t dot_or_slash = 0;
  // '%', '?', '#', controls; and what paths seldom hold: space, '!', '"', '$', and 0x80 to 0xff.
  std::uint64_t special = 0;
};

// masks_of_64(): of the 64 octets at `text`, all of which can be read. '.' is 0x2e, '/' 0x2f; '?'
// is 0x3f, DEL 0x7f: one comparison finds two. All that is special but these is less than '&',
// signed.
#if defined(ROUTEC_AVX512)

ROUTEC_HOT OctetMasks masks_of_64(const char* text) noexcept {
  const __m512i octets = _mm512_loadu_si512(text);
  const auto is = [](__m512i value, char c) {
    return _mm512_cmpeq_epi8_mask(value, _mm512_set1_epi8(c));
  };
  return {is(octets, '/'), is(_mm512_or_si512(octets, _mm512_set1_epi8(1)), '/'),
          _mm512_cmplt_epi8_mask(octets, _mm512_set1_epi8('&')) |
              is(_mm512_and_si512(octets, _mm512_set1_epi8('\xbf')), 0x3f)};
}

#elif defined(ROUTEC_AVX2)

ROUTEC_HOT OctetMasks masks_of_64(const char* text) noexcept {
  const auto is = [](__m256i value, char c) {
    return _mm256_cmpeq_epi8(value, _mm256_set1_epi8(c));
  };
  const auto bits = [](__m256i value) {
    return std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(value))};
  };
  OctetMasks masks;
  for (unsigned offset = 0; offset < 64; offset += 32) {
    const __m256i octets = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + offset));
    const __m256i below = _mm256_cmpgt_epi8(_mm256_set1_epi8('&'), octets);
    const __m256i query_delete = is(_mm256_and_si256(octets, _mm256_set1_epi8('\xbf')), 0x3f);
    masks.slash |= bits(is(octets, '/')) << offset;
    masks.dot_or_slash |= bits(is(_mm256_or_si256(octets, _mm256_set1_epi8(1)), '/')) << offset;
    masks.special |= bits(_mm256_or_si256(below, query_delete)) << offset;
  }
  return masks;
}

#elif defined(ROUTEC_SSE2)

ROUTEC_HOT OctetMasks masks_of_64(const char* text) noexcept {
  const auto is = [](__m128i value, char c) { return _mm_cmpeq_epi8(value, _mm_set1_epi8(c)); };
  const auto bits = [](__m128i value) {
    return std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(value))};
  };
  OctetMasks masks;
  for (unsigned offset = 0; offset < 64; offset += 16) {
    const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + offset));
    const __m128i below = _mm_cmplt_epi8(octets, _mm_set1_epi8('&'));
    const __m128i query_delete = is(_mm_and_si128(octets, _mm_set1_epi8('\xbf')), 0x3f);
    masks.slash |= bits(is(octets, '/')) << offset;
    masks.dot_or_slash |= bits(is(_mm_or_si128(octets, _mm_set1_epi8(1)), '/')) << offset;
    masks.special |= bits(_mm_or_si128(below, query_delete)) << offset;
  }
  return masks;
}

#else

inline OctetMasks masks_of_64(const char* text) noexcept {
  OctetMasks masks;
  for (unsigned i = 0; i < 64; ++i) {
    const auto octet = static_cast<unsigned char>(text[i]);
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (octet == '/') masks.slash |= bit;
    if (octet == '.' || octet == '/') masks.dot_or_slash |= bit;
    if (octet < '&' || octet >= 0x7f || octet == '?') masks.special |= bit;
  }
  return masks;
}

#endif

inline void keep_low(OctetMasks& masks, std::size_t count) noexcept {
  const std::uint64_t keep = count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
  masks.slash &= keep;
  masks.dot_or_slash &= keep;
  masks.special &= keep;
}

// Of the block of up to 64 octets at `offset`.
inline OctetMasks masks_of_block(std::string_view text, std::size_t offset) noexcept {
  const std::string_view block = text.substr(offset, 64);
  if (block.size() == 64) return masks_of_64(block.data());
  const SlackText<64> readable(block);
  OctetMasks masks = masks_of_64(readable.data());
  keep_low(masks, block.size());
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
    } else if (c == '#' || c == 0x7f || static_cast<unsigned char>(c) < 0x20) {
      scan.malformed = true;
    }
  }
  return true;
}

// Appends the slashes of a block, counting on when there is no more room. One by one: the end of
// the loop tells the processor early how many segments there are, and it guesses better what
// follows.
ROUTEC_HOT void add_slashes(std::uint64_t slashes, std::size_t offset, PathScan& scan) noexcept {
  std::uint32_t index = scan.segment_count;
  if (index > kMaxSegments) {
    index += static_cast<std::uint32_t>(std::popcount(slashes));
  } else {
    for (; slashes != 0; slashes &= slashes - 1)
      scan.slashes[index++] =
          static_cast<std::uint16_t>(offset + static_cast<std::size_t>(std::countr_zero(slashes)));
  }
  scan.segment_count = index;
}

// Whether the octets of a block that `keep` tells are those of a usual path, and its slashes.
// `carry`: 1 if a slash stands in front of it.
ROUTEC_HOT bool is_usual_block(const char* text, std::uint64_t keep, std::uint64_t carry,
                               std::uint64_t& slashes) noexcept {
  const OctetMasks masks = masks_of_64(text);
  slashes = masks.slash & keep;
  const std::uint64_t after_slash = slashes << 1 | carry;
  return ((masks.special | (masks.dot_or_slash & after_slash)) & keep) == 0;
}

ROUTEC_HOT void end_usual_path(std::string_view target, PathScan& scan) noexcept {
  scan.length = static_cast<std::uint32_t>(target.size());
  scan.slashes[scan.segment_count] = static_cast<std::uint16_t>(target.size());
  scan.first_empty = scan.segment_count - (target.back() == '/' ? 1 : 0);
}

// Of a target of more than one block.
ROUTEC_COLD bool scan_usual_blocks(std::string_view target, PathScan& scan) noexcept {
  std::uint64_t slashes = 0;
  for (std::size_t offset = 0; offset < target.size(); offset += 64) {
    const std::uint64_t keep =
        ~std::uint64_t{0} >> (64 - std::min<std::size_t>(target.size() - offset, 64));
    if (!is_usual_block(target.data() + offset, keep, slashes >> 63, slashes)) return false;
    add_slashes(slashes, offset, scan);
  }
  end_usual_path(target, scan);
  return true;
}

// scan_path() for the usual target: under 512 octets, beginning with '/', without octets that need
// a closer look, or '.' or '/' after a slash. False: it is another one. It is not empty, and kSlack
// octets can be read beyond its end. `with_places` false: nobody will ask for segments, and a
// target of more than one block is not usual.
ROUTEC_HOT bool scan_usual_path(std::string_view target, PathScan& scan,
                                bool with_places = true) noexcept {
  const std::size_t size = target.size();
  if (size >= 512 || target.front() != '/') return false;
  scan.segment_count = 0;
  if (size >= 64) [[unlikely]]
    return with_places && scan_usual_blocks(target, scan);
  std::uint64_t slashes = 0;
  if (!is_usual_block(target.data(), (std::uint64_t{1} << size) - 1, 0, slashes)) return false;
  if (with_places) add_slashes(slashes, 0, scan);
  end_usual_path(target, scan);
  return true;
}

// The index of the segment before the first of the `empty` slashes, which follow another slash.
inline std::uint32_t empty_segment(std::uint64_t slashes, std::uint64_t empty) noexcept {
  return static_cast<std::uint32_t>(std::popcount(slashes & ((empty & -empty) - 1))) - 1;
}

// Fills `scan`.
ROUTEC_COLD void scan_path(std::string_view target, PathScan& scan) noexcept {
  scan.length = static_cast<std::uint32_t>(target.size());
  scan.segment_count = 0;
  scan.escaped = scan.malformed = scan.dots = false;
  std::uint64_t after_slash = 0;  // bit 0: the octet before the block was a slash
  std::uint32_t first_empty = ~std::uint32_t{0};
  for (std::size_t offset = 0; offset < target.size(); offset += 64) {
    OctetMasks masks = masks_of_block(target, offset);
    const bool more = masks.special == 0 || judge_special(target, offset, masks.special, scan);
    if (!more) keep_low(masks, scan.length - offset);
    after_slash |= masks.slash << 1;
    if ((masks.dot_or_slash & ~masks.slash & after_slash) != 0) scan.dots = true;
    const std::uint64_t empty = masks.slash & after_slash;
    if (empty != 0 && first_empty == ~std::uint32_t{0})
      first_empty = scan.segment_count + empty_segment(masks.slash, empty);
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
