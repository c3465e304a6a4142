// Whether several patterns together take every path that one of them matches.
#ifndef ROUTEC_GENERATOR_COVERAGE_H_
#define ROUTEC_GENERATOR_COVERAGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "pattern_set.h"

namespace routec::compiler {

class Coverage {
 public:
  explicit Coverage(PatternSet& patterns) : patterns_(patterns), visible_(visible_texts()) {}

  // Whether `part`, which meets `whole`, could take a share of it that matters: literal text never
  // exhausts {x}, nor any number of fixed lengths a rest.
  bool can_help(const Variant& part, const Variant& whole) const;

  // Those of `parts`, sorted indices of variants that can help, that take all of `whole` between
  // them; none if something is left over, or if it is too much work to tell.
  std::vector<std::uint32_t> cover(const Variant& whole, const std::vector<std::uint32_t>& parts);

 private:
  using Parts = std::vector<std::uint32_t>;

  // Whether `parts`, which take the first `depth` segments of `whole`, take all that follows.
  bool covers(const Variant& whole, std::size_t depth, const Parts& parts);
  bool covers_language(const Variant& whole, std::size_t depth, const Parts& parts);
  bool accepts(const Variant& part, std::size_t depth, const Constraint& literal) const;
  bool takes_all(const Variant& part, std::size_t depth, const Constraint& segment) const;
  const Automaton* automaton(const Constraint& segment);  // null: too large

  PatternSet& patterns_;
  Automaton visible_;
  std::map<std::uint32_t, std::optional<Automaton>>
      literals_;  // by index into PatternSet::literals
  std::set<std::uint32_t> used_;
  std::size_t work_ = 0;
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_COVERAGE_H_
