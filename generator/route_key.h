// The keys under `routes`: "GET /path", "GET,POST /path", "ANY /path".
#ifndef ROUTEC_GENERATOR_ROUTE_KEY_H_
#define ROUTEC_GENERATOR_ROUTE_KEY_H_

#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "manifest.h"
#include "param_types.h"
#include "route_table.h"

namespace routec::compiler {

struct RouteKey {
  std::vector<std::string> methods;  // as written, at least one; "ANY" stands alone
  Pattern pattern;
  Span path;
};

// Reports what is wrong with the methods, and the first fault of the path.
std::optional<RouteKey> parse_route_key(const Text& key, ParamTypes& types,
                                        Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_ROUTE_KEY_H_
