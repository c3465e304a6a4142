// Runs the templates over the model.
#ifndef ROUTEC_GENERATOR_RENDER_H_
#define ROUTEC_GENERATOR_RENDER_H_

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"

namespace routec::compiler {

struct OutputFile {
  std::string name;  // without folders
  std::string text;
};

struct RenderOptions {
  std::string python = "python3";   // program name or path; it must have jinja2
  std::filesystem::path data_dir;   // of render.py and templates/
  std::filesystem::path templates;  // templates that stand in for ours of the same name; or empty
  std::chrono::seconds time_limit{600};
};

// Where render.py and templates/ lie, as seen from this program.
std::filesystem::path default_data_dir();

// What the output depends on beside the manifest: render.py and all templates, sorted.
std::vector<std::filesystem::path> render_inputs(const RenderOptions& options);

// Fails only for what is not the manifest's fault: no Python, no jinja2, no such folder of
// templates, a broken template.
std::optional<std::vector<OutputFile>> render(const std::string& model,
                                              const RenderOptions& options,
                                              Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_RENDER_H_
