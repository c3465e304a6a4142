// The decision graph as the tables of routec/tables.h.
#ifndef ROUTEC_GENERATOR_SEGMENT_AUTOMATON_H_
#define ROUTEC_GENERATOR_SEGMENT_AUTOMATON_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "decision_graph.h"
#include "diagnostics.h"
#include "overlap.h"
#include "route_table.h"

namespace routec::compiler {

// One array of routec/tables.h, ready to be written: `rows` are its initializers, one a line. They
// use kNone, NodeKind and ParamKind of routec::detail by these names.
struct TableRows {
  struct Row {
    std::string values;   // "{0x6f6c6c6568, 0x6f6c6c6568, 5, 0, 7}" or "7, 3, kNone"
    std::string comment;  // what it stands for, for a reader: any text; may be empty
  };
  std::string type;  // "routec::detail::Node"
  std::string name;  // "kNodes" for Tables::nodes
  std::vector<Row> rows;
};

struct AutomatonPlan {
  // The arrays of Tables from `plain_roots` to `dfa_states`, `params` and `splits`. Params stand in
  // the order of RouteTable::routes, those of one route in the order of its pattern.
  std::vector<TableRows> tables;
  std::uint32_t root_count = 0;
  std::string texts;  // what to append to HashPlan::texts; see text_pool.h

  // For --stats.
  std::size_t node_count = 0;
  std::size_t searched_rows = 0;  // most candidates of a search; 0: none was needed
};

// `text_base`: size of HashPlan::texts. Warns of a search when `limits` are reached.
std::optional<AutomatonPlan> plan_automaton(const RouteTable& table, Ranking& ranking,
                                            std::size_t text_base, const DecisionLimits& limits,
                                            Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_SEGMENT_AUTOMATON_H_
