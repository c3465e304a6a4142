// Perfect hashes of the literals that one decision tells apart.
#ifndef ROUTEC_GENERATOR_SEGMENT_HASH_H_
#define ROUTEC_GENERATOR_SEGMENT_HASH_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "routec/matcher.h"

namespace routec::compiler {

inline detail::SegmentWords words_of(std::string text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  text.resize(text.size() + detail::kSlack);
  return detail::segment_words(text.data(), size);
}

// What the hash of a segment is made of: its ends (SegmentWords), or all of its octets.
enum class Hashed { kEnds, kWhole };

inline std::uint64_t hash_of(const std::string& text, Hashed hashed) {
  const detail::SegmentWords words = words_of(text);
  return words.hash() +
         (hashed == Hashed::kWhole ? detail::middle_word(text.data(), words.size) : 0);
}

// Slot = hash * multiplier >> shift.
struct SegmentHash {
  std::uint64_t multiplier = 0;
  unsigned shift = 63;

  std::size_t slot(std::uint64_t hash) const { return (hash * multiplier) >> shift; }
  std::size_t slot_count() const { return std::size_t{1} << (64 - shift); }
};

// A hash without collisions of different numbers, not more than a few dozen; in as small a table as
// a bounded search finds.
SegmentHash find_segment_hash(const std::vector<std::uint64_t>& hashes);

// A hash that spreads many numbers over buckets of about four.
SegmentHash spread_hash(std::size_t count);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_SEGMENT_HASH_H_
