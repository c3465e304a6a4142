// The grammar of path patterns: literal text, {x}, {x:type}, {x?}, {x...}, {{ and }}.
#ifndef ROUTEC_GENERATOR_PATH_PATTERN_H_
#define ROUTEC_GENERATOR_PATH_PATTERN_H_

#include <cstddef>
#include <optional>

#include "diagnostics.h"
#include "manifest.h"
#include "param_types.h"
#include "route_table.h"

namespace routec::compiler {

// What a request target can have at most; longer patterns could never match. The runtime's
// defaults.
inline constexpr std::size_t kMaxTargetOctets = 8192;
inline constexpr std::size_t kMaxPatternSegments = 256;

// Parses `key` from `begin` on. Reports the first fault of the path; parameters come without
// cpp_name.
std::optional<Pattern> parse_path_pattern(const Text& key, std::size_t begin, ParamTypes& types,
                                          Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_PATH_PATTERN_H_
