// The manifest as written: known keys and right kinds of values, nothing checked beyond that, and a
// span on every value.
#ifndef ROUTEC_GENERATOR_MANIFEST_H_
#define ROUTEC_GENERATOR_MANIFEST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "source_file.h"

namespace routec::compiler {

// A text of the manifest, and where each of its octets came from.
struct Text {
  std::string value;
  Span span;  // of the scalar, quotes included

  // Offsets in the file of each octet of `value` and of its end. Empty where the text cannot be
  // traced: in block scalars and behind aliases.
  std::vector<std::uint32_t> offsets;
  // Set instead of `offsets` when value[i] simply is at *first + i.
  std::optional<std::uint32_t> first;

  // The place of value[begin, end); the whole scalar where that cannot be told.
  Span part(std::size_t begin, std::size_t end) const {
    if (first) return {at(*first, begin), at(*first, end), span.file};
    if (end < offsets.size()) return {offsets[begin], offsets[end], span.file};
    return span;
  }

 private:
  static std::uint32_t at(std::uint32_t base, std::size_t index) {
    return base + static_cast<std::uint32_t>(index);
  }
};

struct TypeDefinition {
  Text name;
  std::optional<Text> pattern;
  std::optional<std::vector<Text>> members;  // `enum`
  Span span;                                 // of the definition
  bool is_complete = true;                   // false: an error in it was reported already
  Span members_span;
};

struct RouteEntry {
  Text key;  // METHOD /path
  std::optional<Text> handler;
  std::optional<Text> name;
  std::optional<Text> summary;
  std::optional<Text> body_limit;
  std::vector<Text> over;
  Span over_span;
};

struct Manifest {
  std::string file_name;
  std::optional<Text> name_space;
  std::optional<Text> slash;
  std::vector<TypeDefinition> types;
  std::vector<RouteEntry> routes;
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_MANIFEST_H_
