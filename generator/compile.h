// The pipeline: the manifest in, the generated files out, one call a stage.
#ifndef ROUTEC_GENERATOR_COMPILE_H_
#define ROUTEC_GENERATOR_COMPILE_H_

#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "route_table.h"
#include "source_file.h"

namespace routec::compiler {

// Loads, parses and checks a manifest. `sources` receives the files that spans refer to.
std::optional<RouteTable> load_route_table(const std::string& manifest,
                                           std::vector<SourceFile>& sources,
                                           Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_COMPILE_H_
