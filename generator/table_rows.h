// Writes the numbers of a HashPlan and the routes as rows of C++ initializers.
#ifndef ROUTEC_GENERATOR_TABLE_ROWS_H_
#define ROUTEC_GENERATOR_TABLE_ROWS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perfect_hash.h"
#include "route_table.h"
#include "segment_automaton.h"

namespace routec::compiler {

// Tables::longest_literal.
std::uint32_t longest_literal(const HashPlan& plan);
// The arrays of routec/tables.h from literal_filter to literals, in that order.
std::vector<TableRows> hash_rows(const HashPlan& plan, const RouteTable& table);

TableRows method_rows(const RouteTable& table);
TableRows route_rows(const RouteTable& table);

// The initializers of Tables::texts: for each block (text_pool.h) its string literals, a line each.
std::vector<std::vector<std::string>> text_blocks(std::string_view texts);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_TABLE_ROWS_H_
