// Matches one segment against text and parameters, and finds the values of these.
#ifndef ROUTEC_GENERATOR_SPLIT_SEGMENT_H_
#define ROUTEC_GENERATOR_SPLIT_SEGMENT_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "route_table.h"
#include "type_automaton.h"

namespace routec::compiler {

// The values of segment.params in `text`, decoded: none of them empty, the earlier ones as long as
// the rest can still match. `types` is indexed by Param::type. Takes O(text^2) steps a parameter.
std::optional<std::vector<std::string>> split_segment(
    const Segment& segment, const std::vector<std::unique_ptr<TypeAutomaton>>& types,
    std::string_view text);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_SPLIT_SEGMENT_H_
