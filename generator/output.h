// Puts the generated files on disk: all of them or none, and only those that differ.
#ifndef ROUTEC_GENERATOR_OUTPUT_H_
#define ROUTEC_GENERATOR_OUTPUT_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "render.h"

namespace routec::compiler {

struct OutputOptions {
  std::filesystem::path directory;  // made if it is missing
  std::filesystem::path depfile;    // a make rule for all inputs; or empty
  std::filesystem::path stamp;      // touched at the end of every run that succeeds; or empty
};

struct OutputSummary {
  std::size_t replaced = 0;
  std::size_t unchanged = 0;
  std::size_t removed = 0;  // files of the last run that are none of this one
};

// `inputs` are the files that the outputs depend on, for the depfile. Fails, leaving all files as
// they were, if the disk refuses one of them.
std::optional<OutputSummary> write_outputs(const std::vector<OutputFile>& files,
                                           const std::vector<std::filesystem::path>& inputs,
                                           const OutputOptions& options, Diagnostics& diagnostics);

// Empty if the file can't be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_OUTPUT_H_
