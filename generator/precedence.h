// The order of two patterns by the leftmost segment in which they differ: literal, literal-affixed
// (more literal octets first), typed (narrower first), {x}, {x...}.
#ifndef ROUTEC_GENERATOR_PRECEDENCE_H_
#define ROUTEC_GENERATOR_PRECEDENCE_H_

#include <compare>
#include <cstddef>
#include <vector>

#include "pattern_set.h"
#include "route_table.h"

namespace routec::compiler {

class Precedence {
 public:
  // `patterns` must outlive it; it remembers there what it compares.
  Precedence(const RouteTable& table, PatternSet& patterns);

  // Less: `a` wins where both match. A total order; of patterns that never meet it means nothing.
  std::strong_ordering compare(const Variant& a, const Variant& b) const;

  struct Comparison {
    Relation relation = Relation::kEqual;
    bool undecided = false;  // only types that cross tell the two apart: neither is the narrower
  };
  // Of two languages of segments. Where `int` and `uint` meet, `uint` counts as a part of `int`.
  Comparison compare_languages(Languages::Id a, Languages::Id b);

 private:
  std::strong_ordering compare(const Segment& a, const Segment& b) const;
  std::strong_ordering compare_affixed(const Segment& a, const Segment& b) const;
  std::strong_ordering compare_types(const Segment& a, const Segment& b) const;
  bool is_uint_beside_int(const Segment& a, const Segment& b) const;

  const RouteTable& table_;
  PatternSet& patterns_;
  std::vector<std::size_t> type_rank_;  // by type: narrower ones have smaller ranks
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_PRECEDENCE_H_
