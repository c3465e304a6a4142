// The pipeline: the manifest in, the generated files out, one call a stage.
#ifndef ROUTEC_GENERATOR_COMPILE_H_
#define ROUTEC_GENERATOR_COMPILE_H_

#include <optional>
#include <string>
#include <vector>

#include "decision_graph.h"
#include "diagnostics.h"
#include "output.h"
#include "overlap.h"
#include "perfect_hash.h"
#include "render.h"
#include "render_model.h"
#include "route_table.h"
#include "source_file.h"
#include "stages.h"

namespace routec::compiler {

struct CompileOptions {
  std::string manifest;    // path
  std::string name_space;  // in place of the manifest's, unless empty; a legal one
  HashOptions hash;
  DecisionLimits decisions;
  ModelOptions model;
  RenderOptions render;
  OutputOptions output;
};

// Every function fails after it reported why. `sources` receives the files that spans refer to.

// Loads, parses and checks a manifest.
std::optional<RouteTable> load_route_table(const CompileOptions& options,
                                           std::vector<SourceFile>& sources,
                                           Diagnostics& diagnostics, Stages& stages);

// All that can be said about a manifest. Needs no other program.
std::optional<RouteTable> check(const CompileOptions& options, std::vector<SourceFile>& sources,
                                Diagnostics& diagnostics, Stages& stages);

// The render model, a JSON document.
std::optional<std::string> plan(const CompileOptions& options, std::vector<SourceFile>& sources,
                                Diagnostics& diagnostics, Stages& stages);

// The main job. Nothing is written unless all stages passed.
bool compile(const CompileOptions& options, std::vector<SourceFile>& sources,
             Diagnostics& diagnostics, Stages& stages);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_COMPILE_H_
