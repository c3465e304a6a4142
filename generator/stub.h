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

// What became of handlers.h or handlers.cc.
struct StubFile {
  std::string name;
  bool is_written = false;
  bool is_kept = false;              // a person has changed it since routec wrote it
  std::vector<std::string> missing;  // functions that a kept file lacks, as routec would write them
  std::vector<std::string> obsolete;  // heads of those that no route of this table calls
};

// Writes handlers.h and handlers.cc into `directory`. A file that a person has changed is not
// touched; nor is a handlers.cc made for a handlers.h that is somebody's own.
std::optional<std::vector<StubFile>> write_stubs(const RouteTable& table,
                                                 const RenderOptions& options,
                                                 const std::filesystem::path& directory,
                                                 Diagnostics& diagnostics);

// What there is left to do; if `quiet`, without the names of the files that were written.
std::string stubs_as_text(const std::vector<StubFile>& files, bool quiet);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_STUB_H_
