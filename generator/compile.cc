#include "compile.h"

#include <cstdint>
#include <utility>

#include "check_manifest.h"
#include "parse_manifest.h"

namespace routec::compiler {

std::optional<RouteTable> load_route_table(const std::string& manifest,
                                           std::vector<SourceFile>& sources,
                                           Diagnostics& diagnostics) {
  std::string error;
  std::optional<SourceFile> source = load_source_file(manifest, error);
  if (!source) {
    diagnostics.failure("cannot-read", manifest + ": " + error);
    return std::nullopt;
  }
  const auto file = static_cast<std::uint32_t>(sources.size());
  sources.push_back(std::move(*source));
  const std::optional<Manifest> parsed = parse_manifest(sources.back(), file, diagnostics);
  if (!parsed) return std::nullopt;
  return check_manifest(*parsed, diagnostics);
}

}  // namespace routec::compiler
