// The command line. Everything it does is one call into routec_core.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile.h"
#include "diagnostic_codes.h"
#include "explain.h"
#include "list_routes.h"
#include "naming.h"
#include "progress.h"
#include "quote.h"
#include "reference_matcher.h"
#include "render_diagnostics.h"
#include "stub.h"
#include "subprocess.h"

namespace routec::compiler {
namespace {

enum ExitStatus { kOk = 0, kManifestErrors = 1, kUsage = 2, kEnvironment = 3 };

struct CommandLine {
  CompileOptions compile;
  std::vector<std::string> warnings;  // what follows each -W
  std::string diagnostics = "text";
  bool stats = false;
  bool quiet = false;
  bool print_model = false;
  std::string format = "table";
  std::string method, target;
  bool json = false;
};

// ---- Reading it ---------------------------------------------------------------------------------

// Throws CLI::ValidationError for a name that is no warning's.
void add_to_policy(const std::string& option, WarningPolicy& policy) {
  const auto known = [&option](std::string name) {
    std::vector<std::string> names;
    for (const CodeInfo& code : kWarningCodes) names.emplace_back(code.name);
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw CLI::ValidationError(
          "-W" + option,
          "there is no warning " + quote(name) + "; the warnings are " + list_words(names, "and"));
    return name;
  };
  if (option == "error") {
    policy.all_errors = true;
  } else if (option.starts_with("error=")) {
    const std::string name = known(option.substr(6));
    policy.errors.insert(name);
    policy.silenced.erase(name);
  } else if (option.starts_with("no-")) {
    policy.silenced.insert(known(option.substr(3)));
  } else {
    policy.silenced.erase(known(option));
  }
}

// Throws CLI::ValidationError.
WarningPolicy policy_of(const CommandLine& line) {
  WarningPolicy policy;
  for (const std::string& option : line.warnings) add_to_policy(option, policy);
  return policy;
}

std::string check_namespace(const std::string& text) {
  return is_namespace(text) ? "" : quote(text) + " is no usable C++ namespace";
}

void add_common_options(CLI::App& app, CommandLine& line) {
  app.add_option("-W", line.warnings,
                 "-W<name> shows a warning, -Wno-<name> silences it, -Werror makes all\n"
                 "warnings errors, -Werror=<name> one of them")
      ->type_name("<name>")
      ->allow_extra_args(false)
      ->group("Diagnostics");
  app.add_option("--diagnostics", line.diagnostics,
                 "text on stderr; json or sarif on stdout, but on stderr beside a\nresult")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->group("Diagnostics");
  app.add_flag("--stats", line.stats, "Print time and figures of each stage to stderr")
      ->group("Diagnostics");
  app.add_flag("--quiet", line.quiet, "No progress, no summary")->group("Diagnostics");
}

CLI::Option* add_manifest(CLI::App& app, CommandLine& line) {
  return app.add_option("MANIFEST", line.compile.manifest, "The route manifest, a YAML file");
}

// What everything takes that writes C++.
void add_output_options(CLI::App& app, CommandLine& line) {
  app.add_option("-o", line.compile.output.directory,
                 "Folder for the generated files; made if missing")
      ->type_name("DIR");
  app.add_option("--namespace", line.compile.name_space, "In place of the manifest's")
      ->check(CLI::Validator(check_namespace, "NAME"));
  app.add_option("--templates", line.compile.render.templates,
                 "Folder of templates that replace routec's own")
      ->type_name("DIR");
  app.add_option("--python", line.compile.render.python, "A Python that has jinja2")
      ->type_name("PROGRAM");
}

void add_router_options(CLI::App& app, CommandLine& line) {
  add_output_options(app, line);
  app.add_option("--depfile", line.compile.output.depfile,
                 "Write a make rule that names all inputs")
      ->type_name("FILE");
  app.add_option("--stamp", line.compile.output.stamp,
                 "Touch this file after each run that succeeds")
      ->type_name("FILE");
  app.add_option("--parts", line.compile.model.parts,
                 "Source files to share routes out among; default: by their number")
      ->check(CLI::Range(1, 1000));
  app.add_option("--gperf", line.compile.hash.gperf, "gperf, if it is not in PATH")
      ->type_name("PROGRAM");
  app.add_flag("--print-model", line.print_model,
               "Print what the templates are given, and write nothing");
}

// ---- The commands -------------------------------------------------------------------------------

// False, after a message, if standard output did not take all that was printed.
bool flush_stdout() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return true;
  const std::string reason = errno != 0 ? std::strerror(errno) : "write error";
  std::fprintf(stderr, "routec: error: cannot write to standard output: %s [cannot-write]\n",
               reason.c_str());
  return false;
}

class Run {
 public:
  explicit Run(const CommandLine& line)
      : line_(line),
        diagnostics_(policy_of(line)),
        progress_(line.diagnostics == "text" && !line.quiet && isatty(STDERR_FILENO) != 0),
        stages_([this](std::string_view stage) { progress_.set_stage(stage); }) {}

  int compile() {
    if (line_.print_model) {
      return finish(compiler::plan(line_.compile, sources_, diagnostics_, stages_));
    }
    compiler::compile(line_.compile, sources_, diagnostics_, stages_);
    return finish();
  }

  int check() {
    compiler::check(line_.compile, sources_, diagnostics_, stages_);
    return finish();
  }

  int routes() {
    const auto table = compiler::check(line_.compile, sources_, diagnostics_, stages_);
    if (!table) return finish();
    const std::string& format = line_.format;
    return finish(format == "json"       ? routes_as_json(*table)
                  : format == "markdown" ? routes_as_markdown(*table)
                  : format == "dot"      ? routes_as_dot(*table)
                  : format == "html"     ? routes_as_html(*table)
                                         : routes_as_table(*table));
  }

  int explain() {
    const auto table = compiler::check(line_.compile, sources_, diagnostics_, stages_);
    if (!table) return finish();
    const Explanation explanation = ReferenceMatcher(*table).explain(line_.method, line_.target);
    return finish(line_.json ? explanation_as_json(explanation, *table)
                             : explanation_as_text(explanation, *table));
  }

  int stub() {
    const auto table = compiler::check(line_.compile, sources_, diagnostics_, stages_);
    if (!table) return finish();
    const auto files =
        write_stubs(*table, line_.compile.render, line_.compile.output.directory, diagnostics_);
    return finish(files ? stubs_as_text(*files, line_.quiet) : "");
  }

 private:
  // Prints the diagnostics, then the result, if the command has one and nothing failed. Standard
  // output is one document: where it holds a result, diagnostics go to standard error.
  int finish(const std::optional<std::string>& result = std::nullopt) {
    progress_.end();
    diagnostics_.sort();
    const bool failed = diagnostics_.has_errors();
    const bool has_result = result && !failed;
    const bool as_text = line_.diagnostics == "text";
    print(rendered_diagnostics(), as_text || has_result ? stderr : stdout);
    if (line_.stats) print(stages_.as_text(), stderr);
    if (has_result) print(*result, stdout);
    const bool written = flush_stdout();
    return diagnostics_.has_failures() || !written ? kEnvironment : failed ? kManifestErrors : kOk;
  }

  std::string rendered_diagnostics() const {
    const std::vector<Diagnostic>& list = diagnostics_.all();
    if (line_.diagnostics == "json") return diagnostics_as_json(list, sources_);
    if (line_.diagnostics == "sarif") return diagnostics_as_sarif(list, sources_, ROUTEC_VERSION);
    return diagnostics_as_text(list, sources_, is_coloured());
  }

  static void print(const std::string& text, std::FILE* file) {
    std::fwrite(text.data(), 1, text.size(), file);
  }

  static bool is_coloured() {
    const char* terminal = std::getenv("TERM");
    const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
    return isatty(STDERR_FILENO) != 0 && !is_dumb && std::getenv("NO_COLOR") == nullptr;
  }

  const CommandLine& line_;
  Diagnostics diagnostics_;
  std::vector<SourceFile> sources_;
  Progress progress_;
  Stages stages_;
};

CLI::App& add_command(CLI::App& app, CommandLine& line, const char* name, const char* about) {
  CLI::App& command = *app.add_subcommand(name, about);
  add_common_options(command, line);
  add_manifest(command, line)->required();
  return command;
}

void add_commands(CLI::App& app, CommandLine& line) {
  add_command(app, line, "check", "Diagnose only");
  add_command(app, line, "routes", "List the routes")
      .add_option("--format", line.format, "table, json, markdown, dot or html")
      ->check(CLI::IsMember({"table", "json", "markdown", "dot", "html"}));
  CLI::App& explain = add_command(app, line, "explain", "Tell which route answers, and why");
  explain.add_option("METHOD", line.method, "As in GET")->required();
  explain.add_option("TARGET", line.target, "As in /users/7?page=2")->required();
  explain.add_flag("--json", line.json, "For tools");
  CLI::App& stub = add_command(app, line, "stub", "Write handlers.h and handlers.cc to start from");
  add_output_options(stub, line);
  stub.get_option("-o")->required();
}

// --help and --version are no errors. CLI11 prints to std::cout.
int exit_early(const CLI::App& app, const CLI::ParseError& error) {
  const int status = app.exit(error);
  std::cout.flush();
  if (status != 0) return kUsage;
  return flush_stdout() ? kOk : kEnvironment;
}

// What CLI11 cannot check by itself. Throws CLI::Error.
void check_command_line(const CLI::App& app, const CommandLine& line) {
  if (!app.get_subcommands().empty()) return;
  if (line.compile.manifest.empty()) throw CLI::RequiredError("MANIFEST");
  if (line.compile.output.directory.empty() && !line.print_model) throw CLI::RequiredError("-o");
}

int dispatch(const CLI::App& app, const CommandLine& line) {
  Run run(line);
  if (app.get_subcommands().empty()) return run.compile();
  const std::string& command = app.get_subcommands().front()->get_name();
  if (command == "check") return run.check();
  if (command == "routes") return run.routes();
  if (command == "explain") return run.explain();
  return run.stub();
}

int main(int argc, char** argv) {
  end_children_on_signals();
  CommandLine line;
  line.compile.render.data_dir = default_data_dir();
  CLI::App app{"A router compiler: reads a YAML manifest of routes, writes a C++ router.",
               "routec"};
  app.set_version_flag("--version", "routec " ROUTEC_VERSION);
  app.get_formatter()->column_width(32);
  app.footer(
      "Exit status: 0 done, 1 errors in the manifest, 2 wrong usage, 3 a tool, a file or the\n"
      "disk failed. 'routec COMMAND --help' tells more about a command.");
  add_common_options(app, line);
  add_manifest(app, line);
  add_router_options(app, line);
  add_commands(app, line);
  try {
    app.parse(argc, argv);
    check_command_line(app, line);
    return dispatch(app, line);
  } catch (const CLI::ParseError& error) {
    return exit_early(app, error);
  }
}

}  // namespace
}  // namespace routec::compiler

int main(int argc, char** argv) { return routec::compiler::main(argc, argv); }
