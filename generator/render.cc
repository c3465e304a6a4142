#include "render.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "subprocess.h"

namespace routec::compiler {
namespace {

namespace fs = std::filesystem;

constexpr int kNoJinja2 = 3;  // exit status of render.py

void report(const ProcessResult& result, const std::string& python, Diagnostics& diagnostics) {
  const bool no_python = result.end == ProcessEnd::kNotStarted;
  const bool no_jinja2 = result.end == ProcessEnd::kExited && result.code == kNoJinja2;
  Diagnostic& diagnostic =
      diagnostics.failure("render", "python ('" + python + "') " + describe_failure(result));
  if (no_python || no_jinja2)
    diagnostic.cure =
        "install the Debian package python3-jinja2 (apt install python3-jinja2), or name an "
        "interpreter that has jinja2 with --python";
  else
    diagnostic.cure = "mend the template; --print-model shows what it is given";
}

std::optional<std::vector<OutputFile>> read_files(const std::string& output) {
  const nlohmann::json files = nlohmann::json::parse(output, nullptr, false);
  if (!files.is_array()) return std::nullopt;
  std::vector<OutputFile> list;
  for (const nlohmann::json& file : files)
    list.push_back({file.at("name").get<std::string>(), file.at("text").get<std::string>()});
  return list;
}

void add_templates(const fs::path& folder, std::vector<fs::path>& paths) {
  std::error_code error;  // render() reports it
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".jinja") paths.push_back(entry.path());
}

}  // namespace

fs::path default_data_dir() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / ROUTEC_DATA_DIR).lexically_normal();
}

std::vector<fs::path> render_inputs(const RenderOptions& options) {
  std::vector<fs::path> paths{options.data_dir / "render.py"};
  add_templates(options.data_dir / "templates", paths);
  if (!options.templates.empty()) add_templates(options.templates, paths);
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::optional<std::vector<OutputFile>> render(const std::string& model,
                                              const RenderOptions& options,
                                              Diagnostics& diagnostics) {
  std::error_code error;
  if (!options.templates.empty()) fs::directory_iterator(options.templates, error);
  if (error) {
    diagnostics
        .failure("render",
                 "no templates in '" + options.templates.string() + "': " + error.message())
        .cure = "name a folder of templates with --templates, or leave it out";
    return std::nullopt;
  }
  std::vector<std::string> arguments{options.python, (options.data_dir / "render.py").string()};
  if (!options.templates.empty()) arguments.push_back(options.templates.string());
  arguments.push_back((options.data_dir / "templates").string());
  const ProcessResult result = run_process(arguments, model, options.time_limit);
  if (!result.succeeded()) {
    report(result, options.python, diagnostics);
    return std::nullopt;
  }
  std::optional<std::vector<OutputFile>> files = read_files(result.output);
  if (!files)
    diagnostics
        .failure("render",
                 "python ('" + options.python + "') gave an answer that is not render.py's")
        .cure = "name a Python that has jinja2 with --python";
  return files;
}

}  // namespace routec::compiler
