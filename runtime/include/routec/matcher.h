// Reads the generated tables: from a method and a path in normal form to a route. Nothing here
// allocates, throws or backtracks.
#ifndef ROUTEC_MATCHER_H_
#define ROUTEC_MATCHER_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "routec/path_scan.h"
#include "routec/tables.h"

namespace routec::detail {

// ---- Words of a path ----------------------------------------------------------------------------

// A segment as numbers. `head` and `tail` are its first and last eight octets, both the whole of a
// shorter one.
struct SegmentWords {
  std::uint64_t head;
  std::uint64_t tail;
  std::uint32_t size;

  bool is(std::uint64_t other_head, std::uint64_t other_tail,
          std::uint32_t other_size) const noexcept {
    return ((head ^ other_head) | (tail ^ other_tail) | (size ^ other_size)) == 0;
  }
  std::uint64_t hash() const noexcept { return head + std::rotl(tail, 29); }
};

// What lies between the ends of a segment of more than 16 octets.
ROUTEC_COLD std::uint64_t middle_word(const char* text, std::uint32_t size) noexcept {
  std::uint64_t sum = 0;
  for (std::uint32_t offset = 8; offset + 8 < size; offset += 8)
    sum = (sum ^ load_le64(text + offset)) * 0x9e3779b97f4a7c15;
  return sum;
}

// Eight octets can be read at `text`, whatever the size.
ROUTEC_HOT SegmentWords segment_words(const char* text, std::uint32_t size) noexcept {
  return {low_octets(load_le64(text), size),
          low_octets(load_le64(text + (size < 8 ? 8 : size) - 8), size), size};
}

// Whether two segments of one size, whose ends are the same, are the same.
ROUTEC_COLD bool same_middle(const char* text, const char* other, std::uint32_t size) noexcept {
  std::uint64_t difference = 0;
  for (std::uint32_t offset = 8; offset + 8 < size; offset += 8)
    difference |= load_le64(text + offset) ^ load_le64(other + offset);
  return difference == 0;
}

// ---- Literal routes -----------------------------------------------------------------------------

// Whether a path is the text of a literal route of its size. 16 octets of the text can be read.
ROUTEC_HOT bool same_octets(const char* path, const char* text, std::size_t size) noexcept {
#ifdef ROUTEC_SSE2
  if (!can_read(path, 16)) [[unlikely]] {
    for (std::size_t i = 0; i < size; ++i)
      if (path[i] != text[i]) return false;
    return true;
  }
  const auto same = [&](std::size_t offset) {
    const auto load = [&](const char* from) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + offset));
    };
    return _mm_cmpeq_epi8(load(path), load(text));
  };
  // The first and the last 16 octets cover most paths; what they read beyond a short one counts as
  // the same.
  const std::size_t part = size < 16 ? size : 16, last = size - part;
  __m128i all = _mm_and_si128(same(0), same(last));
  for (std::size_t offset = 16; offset < last; offset += 16) all = _mm_and_si128(all, same(offset));
  return (static_cast<std::uint32_t>(_mm_movemask_epi8(all)) | ~0u << part) == ~0u;
#else
  return std::memcmp(path, text, size) == 0;
#endif
}

ROUTEC_HOT std::uint32_t probe(const Tables& tables, const Probe& probe,
                               std::string_view path) noexcept {
  return tables.rows[probe.row + static_cast<unsigned char>(path[probe.position])];
}

// The only literal that can be the path, nullptr if there is none.
ROUTEC_HOT const RouteEntry* verify_literal(const Tables& tables, const LiteralEntry& entry,
                                            std::string_view path) noexcept {
  const bool same = same_octets(path.data(), tables.texts + entry.text, path.size());
  if (same) [[likely]]
    return &tables.routes[entry.route];
  return nullptr;
}

// Of a path of at least eight octets: its size and the last eight, which routes that differ little
// often differ in.
ROUTEC_HOT std::uint64_t filter_hash(std::string_view path) noexcept {
  return (load_le64(path.data() + path.size() - 8) + path.size()) * 0x9e3779b97f4a7c15;
}

// False: the path is no literal of any method.
ROUTEC_HOT bool passes_filter(const Tables& tables, std::string_view path) noexcept {
  if (path.size() < 8) return true;
  const std::uint64_t bit = filter_hash(path) >> tables.filter_shift;
  return (tables.literal_filter[bit / 64] >> bit % 64 & 1) != 0;
}

// find_literal() from a partition on that may be a split.
ROUTEC_COLD const RouteEntry* find_in_split(const Tables& tables, const Partition* partition,
                                            std::string_view path) noexcept {
  for (;;) {
    const std::uint32_t first = probe(tables, partition->probes[0], path);
    const std::uint32_t hash = first + probe(tables, partition->probes[1], path);
    if (hash < partition->count)
      return verify_literal(tables, tables.literals[partition->first + hash], path);
    if (first >= partition->children) return nullptr;
    partition = &tables.partitions[partition->first + first];
  }
}

// The literal route of a method's row, nullptr if there is none.
ROUTEC_HOT const RouteEntry* find_literal(const Tables& tables, std::uint32_t method,
                                          std::string_view path) noexcept {
  const MethodRow& row = tables.method_rows[method];
  const std::size_t index = path.size() - 1;
  if (index >= row.longest) return nullptr;
  const Partition& partition = tables.partitions[row.first + index];
  if (tables.has_split)
    return passes_filter(tables, path) ? find_in_split(tables, &partition, path) : nullptr;
  const std::uint32_t hash =
      probe(tables, partition.probes[0], path) + probe(tables, partition.probes[1], path);
  if (hash >= partition.count) [[unlikely]]
    return nullptr;
  return verify_literal(tables, tables.literals[partition.first + hash], path);
}

// ---- Octet automata -----------------------------------------------------------------------------

// The state after `text`, 0 if there is none.
inline std::uint32_t step(const Tables& tables, const Dfa& dfa, std::uint32_t state,
                          char c) noexcept {
  const std::uint32_t column = tables.dfa_classes[dfa.classes + static_cast<unsigned char>(c)];
  return tables.dfa_states[dfa.transitions + state * dfa.width + column];
}

// The accept number of `text`, 0 if it is refused.
ROUTEC_COLD std::uint32_t run(const Tables& tables, std::uint32_t dfa_index,
                              std::string_view text) noexcept {
  const Dfa& dfa = tables.dfas[dfa_index];
  std::uint32_t state = 1;
  for (const char c : text) {
    state = step(tables, dfa, state, c);
    if (state == 0) return 0;
  }
  return tables.dfa_states[dfa.accepts + state];
}

// ---- Patterned routes ---------------------------------------------------------------------------

// One walk through the automaton.
class Walk {
 public:
  // Eight octets can be read at the end of `path`.
  ROUTEC_HOT Walk(const Tables& tables, const char* path, const PathScan& scan) noexcept
      : tables_(tables), path_(path), scan_(scan) {}

  // The route, or kNone; then allowed() tells the methods of the routes that match the path.
  ROUTEC_HOT std::uint32_t find(std::uint32_t method) noexcept {
    const Node* node = root();
    while (node != nullptr) {
      if (node->kind == NodeKind::kLiteral) {
        node = literal(*node);
      } else if (node->kind == NodeKind::kLeaf) {
        return leaf(*node, method);
      } else if (node->kind == NodeKind::kClass) {
        node = target(node->first + run(tables_, node->count, segment(node->segment)));
      } else if (node->kind == NodeKind::kSpread) {
        node = target(node->first + slot(*node, words(node->segment)));
      } else {
        return search(*node, method);
      }
    }
    return kNone;
  }

  std::uint64_t allowed() const noexcept { return allowed_; }

 private:
  ROUTEC_HOT const Node* root() const noexcept {
    if (tables_.root_count == 0) return nullptr;
    const std::uint32_t last = tables_.root_count - 1;
    const std::uint32_t index = std::min(scan_.segment_count, last);
    if (scan_.first_empty == scan_.segment_count) return &tables_.plain_roots[index];
    if (scan_.first_empty + 1 == scan_.segment_count) return &tables_.trailing_roots[index];
    return &tables_.inner_roots[std::min(scan_.first_empty, last)];
  }

  ROUTEC_HOT const Node* node_at(std::uint32_t index) const noexcept {
    return index == kNone ? nullptr : &tables_.nodes[index];
  }

  ROUTEC_HOT const Node* target(std::uint64_t index) const noexcept {
    return node_at(tables_.targets[index]);
  }

  ROUTEC_HOT SegmentWords words(std::uint32_t index) const noexcept {
    return segment_words(path_ + scan_.begin(index), scan_.size(index));
  }

  std::string_view segment(std::uint32_t index) const noexcept {
    return {path_ + scan_.begin(index), scan_.size(index)};
  }

  ROUTEC_HOT std::uint64_t slot(const Node& node, const SegmentWords& words) const noexcept {
    std::uint64_t hash = words.hash();
    if ((node.shift & kWholeSegment) != 0) [[unlikely]]
      hash += middle_word(path_ + scan_.begin(node.segment), words.size);
    return hash * node.multiplier >> (node.shift % kWholeSegment);
  }

  // Whether the segment is a literal whose ends and size it has.
  ROUTEC_HOT bool same_text(std::uint32_t index, std::uint32_t size,
                            std::uint32_t text) const noexcept {
    return size <= 16 || same_middle(path_ + scan_.begin(index), tables_.texts + text, size);
  }

  ROUTEC_HOT const Node* literal(const Node& node) const noexcept {
    const SegmentWords found = words(node.segment);
    const Edge& edge = tables_.edges[node.first + slot(node, found)];
    const bool same = found.is(edge.head, edge.tail, edge.length) &&
                      same_text(node.segment, edge.length, edge.text);
    return same ? &edge.node : node_at(node.otherwise);
  }

  ROUTEC_HOT bool verify(const Check& check) const noexcept {
    if (check.dfa != kNone) return run(tables_, check.dfa, segment(check.segment)) != 0;
    return words(check.segment).is(check.head, check.tail, check.length) &&
           same_text(check.segment, check.length, check.text);
  }

  ROUTEC_HOT std::uint32_t leaf(const Node& node, std::uint32_t method) noexcept {
    for (std::uint32_t i = 0; i < node.segment; ++i)
      if (!verify(tables_.checks[node.first + i])) return kNone;
    allowed_ |= node.multiplier;
    const std::uint32_t choice = tables_.choices[node.otherwise + method];
    return choice == kNone ? kNone : node.count + choice;
  }

  ROUTEC_COLD std::uint32_t search(const Node& node, std::uint32_t method) noexcept {
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Node& candidate = tables_.nodes[tables_.candidates[node.first + i]];
      const std::uint32_t route = leaf(candidate, method);
      if (route != kNone) return route;
    }
    return kNone;
  }

  const Tables& tables_;
  const char* path_;
  const PathScan& scan_;
  std::uint64_t allowed_ = 0;
};

}  // namespace routec::detail

#endif  // ROUTEC_MATCHER_H_
