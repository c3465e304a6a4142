// What `routec explain` prints.
#ifndef ROUTEC_GENERATOR_EXPLAIN_H_
#define ROUTEC_GENERATOR_EXPLAIN_H_

#include <string>
#include <string_view>

#include "reference_matcher.h"
#include "route_table.h"

namespace routec::compiler {

// {"status", "route", "pattern", "params": {}, "allow": [], "location", "why": []}. `route` is the
// handler as written. What has no value is null, or empty in the case of `location`. Octets that
// are no UTF-8 are written as lone surrogates U+DC80 to U+DCFF.
std::string explanation_as_json(const Explanation& explanation, const RouteTable& table);

std::string explanation_as_text(const Explanation& explanation, const RouteTable& table);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_EXPLAIN_H_
