// The characters and scalars of YAML 1.2, without the library: what may stand in a manifest, what a
// plain scalar is, and where each octet of a quoted one came from.
#ifndef ROUTEC_GENERATOR_YAML_TEXT_H_
#define ROUTEC_GENERATOR_YAML_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "diagnostics.h"
#include "source_file.h"
#include "yaml_tree.h"

namespace routec::compiler {

// Reports the first place that is not UTF-8 or not printable in the sense of YAML 1.2.
bool check_characters(const SourceFile& source, std::uint32_t file_index, Diagnostics& diagnostics);

// The kind of an unquoted scalar in the core schema (YAML 1.2.2, section 10.3.2).
YamlNode::Kind plain_scalar_kind(std::string_view text);

// Sets Text::first or Text::offsets of a quoted scalar; `source` is its span, quotes included.
void trace_quoted(std::string_view source, Text& text);

// "the number 12", "a list", "null": for messages about a value of the wrong kind.
std::string describe(const YamlNode& node);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_YAML_TEXT_H_
