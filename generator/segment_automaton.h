// Determinizes the patterned routes over segments: one pass over a path, no backtracking.
#ifndef ROUTEC_GENERATOR_SEGMENT_AUTOMATON_H_
#define ROUTEC_GENERATOR_SEGMENT_AUTOMATON_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "route_table.h"

namespace routec::compiler {

// One array of routec/tables.h, ready to be written: `rows` are the initializers, one a line.
struct TableRows {
  struct Row {
    std::string values;   // "{0x6f6c6c6568, 0x6f6c6c6568, 5, 0, 7}" or "7, 3, 9"
    std::string comment;  // what it stands for, for the reader; may be empty
  };
  std::string type;  // "routec::detail::Node"
  std::string name;  // "kNodes"
  std::vector<Row> rows;
};

struct AutomatonPlan {
  std::vector<TableRows> tables;  // in the order of Tables, from plain_roots to splits
  std::uint32_t root_count = 0;
  std::size_t node_count = 0;  // for --stats
  std::string texts;           // literal segments longer than 16 octets, behind HashPlan::texts
};

// `text_base`: size of HashPlan::texts, to which AutomatonPlan::texts is appended.
std::optional<AutomatonPlan> plan_automaton(const RouteTable& table, std::size_t text_base,
                                            Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_SEGMENT_AUTOMATON_H_
