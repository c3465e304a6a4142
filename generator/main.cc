#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "compile.h"
#include "render_diagnostics.h"

int main(int argc, char** argv) {
  CLI::App app{"routec, a router compiler"};
  std::string manifest;
  CLI::App* check = app.add_subcommand("check", "Diagnose only");
  check->add_option("MANIFEST", manifest)->required();
  CLI11_PARSE(app, argc, argv);
  std::vector<routec::compiler::SourceFile> sources;
  routec::compiler::Diagnostics diagnostics;
  const auto table = routec::compiler::load_route_table(manifest, sources, diagnostics);
  diagnostics.sort();
  std::fputs(routec::compiler::diagnostics_as_text(diagnostics.all(), sources, false).c_str(),
             stderr);
  return diagnostics.has_failures() ? 3 : diagnostics.has_errors() ? 1 : 0;
}
