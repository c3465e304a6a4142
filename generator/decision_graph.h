// The patterned routes as a graph of decisions on segments, at most one a segment and path.
//
// A node stands for the set of routes that are still possible. It looks at the segment that tells
// them apart best, and its edges lead to smaller sets; where nothing is left to tell apart, a leaf
// verifies the remaining segments once. Sets that recur are shared.
#ifndef ROUTEC_GENERATOR_DECISION_GRAPH_H_
#define ROUTEC_GENERATOR_DECISION_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "language.h"
#include "overlap.h"
#include "route_table.h"

namespace routec::compiler {

// Variants of one pattern, whatever their methods.
struct PatternRow {
  std::vector<Constraint> segments;
  bool rest = false;
  std::vector<std::size_t> routes;  // indices into RouteTable::routes, best first
};

struct DecisionNode {
  enum class Kind : std::uint8_t { kLiteral, kClass, kLeaf, kSearch };
  Kind kind = Kind::kLeaf;
  std::size_t segment = 0;  // kLiteral, kClass
  // kLiteral: literal and node; other texts go to `otherwise`.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::uint32_t otherwise = 0;
  Automaton automaton;                                     // kClass
  std::vector<std::uint32_t> by_accept;                    // kClass: node by accept number
  std::vector<std::pair<std::size_t, Constraint>> checks;  // kLeaf: segment and what it must be
  std::vector<std::uint32_t> rows;                         // kLeaf: all that match then, best first
  std::vector<std::uint32_t> candidates;                   // kSearch: leaves, best first
};

struct DecisionGraph {
  static constexpr std::uint32_t kNoNode = 0xffffffff;

  std::vector<PatternRow> rows;  // best first
  std::vector<DecisionNode> nodes;
  // By number of segments, the last one for all larger numbers: see routec/tables.h.
  std::vector<std::uint32_t> plain_roots, trailing_roots, inner_roots;
  std::size_t searched_rows = 0;  // in the largest kSearch node
};

// More decisions than this for a table give way to a search among the routes that are left.
struct DecisionLimits {
  std::size_t nodes = 1'000'000;
  std::size_t work = 100'000'000;  // rows looked at
};

// Only the routes that are not looked up as literals.
DecisionGraph decide(const RouteTable& table, const Ranking& ranking, const DecisionLimits& limits);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_DECISION_GRAPH_H_
