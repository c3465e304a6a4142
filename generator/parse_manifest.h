// Reads a manifest as written: known keys, each with the right kind of value.
#ifndef ROUTEC_GENERATOR_PARSE_MANIFEST_H_
#define ROUTEC_GENERATOR_PARSE_MANIFEST_H_

#include <cstdint>
#include <optional>

#include "diagnostics.h"
#include "manifest.h"
#include "source_file.h"

namespace routec::compiler {

// Reports all that is wrong. A manifest comes back when enough could be read to check it further,
// which is the case after most errors: look at `diagnostics` before using it for more than that.
std::optional<Manifest> parse_manifest(const SourceFile& source, std::uint32_t file_index,
                                       Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_PARSE_MANIFEST_H_
