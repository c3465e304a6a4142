// A YAML document as a tree with a span on every node, before anything is known about manifests.
// Strict where YAML is lax: one document, unique keys, no tags, bounded depth.
#ifndef ROUTEC_GENERATOR_YAML_TREE_H_
#define ROUTEC_GENERATOR_YAML_TREE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "manifest.h"
#include "source_file.h"

namespace routec::compiler {

struct YamlNode {
  enum class Kind : std::uint8_t {
    kText,  // quoted, or plain and nothing of what follows
    kNull,  // the kinds of plain scalars in YAML 1.2's core schema
    kBool,
    kInt,
    kFloat,
    kSequence,
    kMapping,
  };
  using Index = std::uint32_t;  // of YamlTree::nodes

  Kind kind = Kind::kNull;
  Span span;
  Text text;                 // of scalars, also of those that are no text
  std::vector<Index> items;  // of a sequence; of a mapping: key, value, key, value, ...
  bool lost_keys = false;    // faulty ones were reported and left out
};

// Collections are shared by their aliases and never hold themselves.
struct YamlTree {
  std::vector<YamlNode> nodes;
  YamlNode::Index root = 0;
};

// `file_index` is that of `source` in the list of source files of this run.
std::optional<YamlTree> read_yaml(const SourceFile& source, std::uint32_t file_index,
                                  Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_YAML_TREE_H_
