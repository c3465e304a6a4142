// Reads, checks and reports on any octets as a manifest, and explains requests to what it accepts.
// No report may hold control characters.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "check_manifest.h"
#include "diagnostics.h"
#include "parse_manifest.h"
#include "reference_matcher.h"
#include "render_diagnostics.h"
#include "source_file.h"

namespace {

using namespace routec::compiler;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_report(const std::string& report) {
  for (const char c : report) require(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<SourceFile> sources = {
      SourceFile("fuzz.yaml", std::string(reinterpret_cast<const char*>(data), size))};
  Diagnostics diagnostics;
  std::optional<RouteTable> table;
  if (const auto manifest = parse_manifest(sources[0], 0, diagnostics))
    table = check_manifest(*manifest, diagnostics);
  require(table.has_value() != diagnostics.has_errors());
  diagnostics.sort();
  check_report(diagnostics_as_text(diagnostics.all(), sources, false));
  diagnostics_as_json(diagnostics.all(), sources);
  if (!table) return 0;
  ReferenceMatcher matcher(*table);
  for (const char* target : {"/", "/a", "/a/5/", "/%41//x?y"}) matcher.explain("GET", target);
  return 0;
}
