// Where parameters stand in a segment that holds other text, too: the earlier one takes the longest
// text with which the segment matches. Linear in the segment, without allocation.
#ifndef ROUTEC_PARAM_SPLIT_H_
#define ROUTEC_PARAM_SPLIT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "routec/matcher.h"
#include "routec/path_scan.h"
#include "routec/tables.h"

namespace routec::detail {

// Where a parameter stands in its decoded segment.
struct Part {
  std::size_t begin;
  std::size_t end;
};

// Offsets of a text, a bit each.
class OffsetSet {
 public:
  void add(std::size_t offset) noexcept { words_[offset / 64] |= std::uint64_t{1} << offset % 64; }
  bool has(std::size_t offset) const noexcept {
    return (words_[offset / 64] >> offset % 64 & 1) != 0;
  }

 private:
  std::uint64_t words_[kMaxTarget / 64 + 1] = {};
};

// The offsets from `begin` on at which the rest of `text` is accepted, read from its end.
inline void mark_rests(const Tables& tables, std::uint32_t reversed_dfa, std::string_view text,
                       std::size_t begin, OffsetSet& marks) noexcept {
  const Dfa& dfa = tables.dfas[reversed_dfa];
  std::uint32_t state = 1;
  for (std::size_t at = text.size(); at-- > begin && state != 0;) {
    state = step(tables, dfa, state, text[at]);
    if (tables.dfa_states[dfa.accepts + state] != 0) marks.add(at);
  }
}

// The end of the longest text from `begin` on that the parameter accepts and after which the rest
// fits.
inline std::size_t longest(const Tables& tables, const Split& split, std::string_view text,
                           std::size_t begin) noexcept {
  OffsetSet fits;
  mark_rests(tables, split.reversed_dfa, text, begin, fits);
  std::size_t end = begin;
  std::uint32_t state = 1;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (split.dfa != kNone) {
      const Dfa& dfa = tables.dfas[split.dfa];
      state = step(tables, dfa, state, text[at]);
      if (state == 0) break;
      if (tables.dfa_states[dfa.accepts + state] == 0) continue;
    }
    if (fits.has(at + 1)) end = at + 1;
  }
  return end;
}

inline Part find_part(const Tables& tables, const ParamEntry& param,
                      std::string_view segment) noexcept {
  if (param.split == kNone) return {param.prefix, segment.size() - param.suffix};
  std::size_t begin = param.prefix;
  for (std::uint32_t i = 0;; ++i) {
    const Split& split = tables.splits[param.split + i];
    const std::size_t end = split.reversed_dfa == kNone ? segment.size() - split.literal
                                                        : longest(tables, split, segment, begin);
    if (i == param.part) return {begin, end};
    begin = end + split.literal;
  }
}

}  // namespace routec::detail

#endif  // ROUTEC_PARAM_SPLIT_H_
