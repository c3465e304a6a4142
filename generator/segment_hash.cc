#include "segment_hash.h"

#include <algorithm>
#include <bit>

namespace routec::compiler {
namespace {

constexpr unsigned kTriesPerSize = 4000;

// The sequence of splitmix64: the same multipliers in every run.
std::uint64_t multiplier_number(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (z ^ (z >> 31)) | 1;
}

bool has_collision(const std::vector<std::uint64_t>& hashes, const SegmentHash& hash,
                   std::vector<bool>& used) {
  used.assign(hash.slot_count(), false);
  for (const std::uint64_t number : hashes) {
    const std::size_t slot = hash.slot(number);
    if (used[slot]) return true;
    used[slot] = true;
  }
  return false;
}

unsigned bits_for(std::size_t count) {
  return std::max(1u, static_cast<unsigned>(std::bit_width(count - 1)));
}

}  // namespace

SegmentHash find_segment_hash(const std::vector<std::uint64_t>& hashes) {
  std::vector<bool> used;
  for (unsigned bits = bits_for(hashes.size());; ++bits)
    for (unsigned i = 0; i < kTriesPerSize; ++i) {
      const SegmentHash hash{multiplier_number(i), 64 - bits};
      if (!has_collision(hashes, hash, used)) return hash;
    }
}

SegmentHash spread_hash(std::size_t count) {
  return {multiplier_number(0), 64 - bits_for(count / 4)};
}

}  // namespace routec::compiler
