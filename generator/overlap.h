// Precedence: which of several matching routes wins, proved for the whole table.
#ifndef ROUTEC_GENERATOR_OVERLAP_H_
#define ROUTEC_GENERATOR_OVERLAP_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "diagnostics.h"
#include "pattern_set.h"
#include "route_table.h"

namespace routec::compiler {

struct Ranking {
  PatternSet patterns;  // its variants stand best first
  // By route: a literal one that is found before patterned routes are looked at. Not one that such
  // a route outranks, nor one that always loses.
  std::vector<bool> is_looked_up;
};

// Errors: patterns that are the same, types that cross at the place that decides, cycles of `over`.
// Warnings: overlap, unreachable.
std::optional<Ranking> rank_routes(const RouteTable& table, Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_OVERLAP_H_
