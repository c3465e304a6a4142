// From the manifest as written to the table that the later stages work on: one small function a
// rule.
#ifndef ROUTEC_GENERATOR_CHECK_MANIFEST_H_
#define ROUTEC_GENERATOR_CHECK_MANIFEST_H_

#include <optional>

#include "diagnostics.h"
#include "manifest.h"
#include "route_table.h"

namespace routec::compiler {

// Reports everything that is wrong in one go; the table comes only without any error. How routes
// relate to each other (equal, overlapping, unreachable) is judged later.
std::optional<RouteTable> check_manifest(const Manifest& manifest, Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_CHECK_MANIFEST_H_
