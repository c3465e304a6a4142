// Tables from manifests in tests.
#ifndef ROUTEC_TESTS_UNIT_TABLE_OF_H_
#define ROUTEC_TESTS_UNIT_TABLE_OF_H_

#include <optional>
#include <string>

#include "check_manifest.h"
#include "diagnostics.h"
#include "parse_manifest.h"
#include "source_file.h"

namespace routec::compiler {

struct Checked {
  SourceFile source;
  Diagnostics diagnostics;
  std::optional<RouteTable> table;

  // Codes of all diagnostics in their order, joined by spaces.
  std::string codes() const {
    std::string list;
    for (const Diagnostic& diagnostic : diagnostics.all())
      list += (list.empty() ? "" : " ") + diagnostic.code;
    return list;
  }
};

inline Checked check_text(std::string text) {
  Checked checked{SourceFile("test.yaml", std::move(text)), Diagnostics(), std::nullopt};
  if (const auto manifest = parse_manifest(checked.source, 0, checked.diagnostics))
    checked.table = check_manifest(*manifest, checked.diagnostics);
  checked.diagnostics.sort();
  return checked;
}

// A manifest with these lines under `routes`.
inline Checked check_routes(const std::string& routes) {
  return check_text("routec: 1\nroutes:\n" + routes);
}

}  // namespace routec::compiler

#endif  // ROUTEC_TESTS_UNIT_TABLE_OF_H_
