// Everything the templates need, computed to the end: one JSON document
// (schemas/render_model.schema.json).
#ifndef ROUTEC_GENERATOR_RENDER_MODEL_H_
#define ROUTEC_GENERATOR_RENDER_MODEL_H_

#include <cstddef>
#include <optional>
#include <string>

#include "perfect_hash.h"
#include "route_table.h"
#include "segment_automaton.h"

namespace routec::compiler {

struct ModelOptions {
  // Source files beside the header among which routes are shared out, so that they compile in
  // parallel. Empty: by the number of routes.
  std::optional<std::size_t> parts;
};

std::string make_render_model(const RouteTable& table, const HashPlan& hash,
                              const AutomatonPlan& automaton, const ModelOptions& options);

// For the templates of `routec stub`.
std::string make_stub_model(const RouteTable& table);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_RENDER_MODEL_H_
