// Writes a first implementation of `Handlers` for its user to fill in.
#ifndef ROUTEC_GENERATOR_STUB_H_
#define ROUTEC_GENERATOR_STUB_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "render.h"
#include "route_table.h"

namespace routec::compiler {

struct StubResult {
  std::vector<std::string> written;  // names of files; empty: they are as they were
  std::vector<std::string> missing;  // declarations that the user's handlers.h still lacks
};

// Writes handlers.h and handlers.cc into `directory`, unless a person has changed one of them since
// routec wrote it: then neither is touched.
std::optional<StubResult> write_stubs(const RouteTable& table, const RenderOptions& options,
                                      const std::filesystem::path& directory,
                                      Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_STUB_H_
