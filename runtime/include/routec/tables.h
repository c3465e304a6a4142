// The data that routec generates: plain constexpr tables, read by matcher.h. Nobody writes them by
// hand; they are documented so that generated files can be read.
//
// "Path" below means the path in normal form: percent-escapes decoded, except that an encoded '/',
// '%', '?' or '#', which would mean something else if it stood raw, is a marker: a control octet,
// which no accepted path holds. So every '/' of a normal form separates segments, and a raw path
// without '%' is its own normal form.
#ifndef ROUTEC_TABLES_H_
#define ROUTEC_TABLES_H_

#include <cstddef>
#include <cstdint>

namespace routec::detail {

inline constexpr std::uint32_t kNone = 0xffffffff;

// The normal form of one decoded octet of a segment.
constexpr char normal_octet(char decoded) noexcept {
  switch (decoded) {
    case '/':
      return '\x01';
    case '%':
      return '\x02';
    case '?':
      return '\x03';
    case '#':
      return '\x04';
    default:
      return decoded;
  }
}

// ---- Literal routes: a gperf perfect hash a partition -------------------------------------------

// One octet of the path that a partition's hash looks at: its value is rows[row + octet]. Octets
// that no key has there may have any value, for what is found is compared with the path.
struct Probe {
  std::uint16_t position;  // octet of the path; less than the partition's key length
  std::uint32_t row;       // index into Tables::rows
};

// Keys of one method and one length, at least one. Their hash, the sum of the two probes' values,
// counts them: 0 to count - 1. Or a split: the first probe's value tells which of its children to
// go to. Neither: no key has that method and length.
struct Partition {
  Probe probes[2];
  std::uint32_t first;     // of Tables::literals; of a split's children among the partitions
  std::uint16_t count;     // a larger hash is a miss; 0: a split
  std::uint16_t children;  // a larger value is a miss; 0: no split
};

// The partitions of one method: partitions[first + length - 1].
struct MethodRow {
  std::uint32_t first;    // index into Tables::partitions
  std::uint32_t longest;  // octets of the longest key; 0: the method has no literal route
};

// One literal route. Its length is that of the path that led here.
struct LiteralEntry {
  std::uint32_t text;   // index of its path in Tables::texts
  std::uint32_t route;  // index into Tables::routes
};

// ---- Patterned routes: a decision automaton over segments ---------------------------------------

enum class NodeKind : std::uint8_t {
  kLiteral,  // look the segment up among the edges, else go to `otherwise`
  kSpread,   // of many literals: the hash selects a kLiteral node of a few
  kClass,    // run an automaton over the segment; its accept number selects the edge
  kLeaf,     // verify what is left, then choose by method
  kSearch,   // try leaf after leaf, if any: only where the automaton would grow beyond its limit
};

// Added to a node's shift where the ends of its literals do not tell them apart: the hash is of all
// octets.
inline constexpr std::uint8_t kWholeSegment = 64;

struct Node {
  NodeKind kind;
  std::uint8_t shift;       // kLiteral, kSpread: slot = hash * multiplier >> shift
  std::uint16_t segment;    // the segment looked at; kLeaf: number of checks
  std::uint32_t first;      // of edges (kLiteral), targets (kSpread, kClass), checks or candidates
  std::uint32_t count;      // kSearch: candidates; kClass: index into Tables::dfas; kLeaf: a route
  std::uint32_t otherwise;  // kLiteral: node when no edge fits; kLeaf: first of its choices
  // kLiteral, kSpread: see shift. kLeaf: the methods of all routes that match, a bit a method id.
  std::uint64_t multiplier;
};

// One literal segment and where it leads. The first and last eight octets (little endian, zero
// filled) and the length are the whole text up to 16 octets; longer ones are compared in `text`.
// The node is a copy, so that it comes with the edge: one load less to wait for.
struct Edge {
  std::uint64_t head;
  std::uint64_t tail;
  std::uint32_t length;  // kNone: an empty slot
  std::uint32_t text;    // index into Tables::texts; only read when length > 16
  Node node;
};

// What a leaf still has to verify about one segment.
struct Check {
  std::uint64_t head;  // of a literal, as in Edge
  std::uint64_t tail;
  std::uint32_t length;
  std::uint32_t text;
  std::uint32_t segment;
  std::uint32_t dfa;  // index into Tables::dfas; kNone: a literal
};

// A minimal deterministic automaton over octets. State 0 is dead, state 1 the start. The next state
// is dfa_states[transitions + state * width + class].
struct Dfa {
  std::uint32_t classes;      // 256 octet classes from here in Tables::dfa_classes
  std::uint32_t transitions;  // index into Tables::dfa_states
  std::uint32_t accepts;      // accept number of each state (0: none), in Tables::dfa_states
  std::uint32_t width;        // number of classes
};

// ---- Routes -------------------------------------------------------------------------------------

enum class ParamKind : std::uint8_t {
  kSegment,  // a whole segment
  kRest,     // a segment and all that follow
  kPart,     // of a segment that has other text, too
};

struct ParamEntry {
  const char* name;
  ParamKind kind;
  std::uint16_t segment;  // where it stands; absent when the path has fewer segments
  std::uint16_t prefix;   // kPart: decoded octets of literal text before it in its segment
  std::uint16_t suffix;   // and behind it
  std::uint16_t part;     // several in one segment: which of them this is
  std::uint32_t split;    // and the first Split of the segment; kNone: the only one
};

// The earlier parameter takes the longest text with which the segment matches. For each parameter
// of such a segment: what it may be, and what must follow it, read backwards.
struct Split {
  std::uint32_t dfa;           // of the parameter; kNone: any text
  std::uint32_t reversed_dfa;  // of all that follows, from the right; kNone: the last parameter
  std::uint32_t literal;       // octets of the literal text behind it
};

inline constexpr std::uint64_t kNoBodyLimit = ~std::uint64_t{0};

inline constexpr std::size_t kQuickParams = 8;
inline constexpr std::uint8_t kOtherParam = 0xff;

struct RouteEntry {
  std::uint32_t id;      // enumerator of the generated Route
  std::uint32_t params;  // first one in Tables::params
  std::uint32_t param_count;
  // The segments of the first parameters; kOtherParam: it is not a whole segment.
  std::uint8_t segments[kQuickParams];
  const char* name;          // handler as written in the manifest
  const char* pattern;       // as written
  std::uint64_t body_limit;  // octets; kNoBodyLimit: the server's default
};

// Everything match() needs. All pointers are to arrays with static storage.
struct Tables {
  const char* const* methods;  // by method id: the nine of routec::Method, then the table's own
  std::uint32_t method_count;  // at most 62
  bool redirect_slash;         // answer 308 where only the other trailing slash is a route
  bool any_route;              // there is an ANY route, so that unknown methods may be served
  std::uint64_t all_methods;   // methods of all routes, a bit a method id

  std::uint32_t longest_literal;  // octets of the longest key of any method
  bool has_split;                 // some partition is a split
  // A bit for each value of filter_hash() >> filter_shift, set if a key has it. Keeps most paths
  // out of longer searches for a key.
  std::uint32_t filter_shift;
  const std::uint64_t* literal_filter;
  // By method id; number method_count is ANY. HEAD has the keys of GET, too, but where it has its
  // own.
  const MethodRow* method_rows;
  // By length up to longest_literal: the methods that have keys of it, a bit a method id; ANY is
  // bit method_count. Without HEAD if all it has is GET's.
  const std::uint64_t* literal_methods;
  const Partition* partitions;
  const std::uint8_t* rows;
  const LiteralEntry* literals;
  const char* texts;  // with kSlack octets behind the last one

  // Roots by number of segments, clamped to root_count - 1: of paths without an empty segment; of
  // those whose last one only is empty; and, by the index of the first empty one, of all others.
  std::uint32_t root_count;  // 0: there are no patterned routes
  const Node* plain_roots;
  const Node* trailing_roots;
  const Node* inner_roots;
  const Node* nodes;
  const Edge* edges;
  const std::uint32_t* targets;  // nodes: kClass by accept number, kSpread by slot; kNone: no match
  const Check* checks;
  // Of a leaf, by method id, number method_count being methods of no table: what to add to the
  // leaf's route to get that of the method; kNone: it has none.
  const std::uint32_t* choices;
  const std::uint32_t* candidates;  // leaves of kSearch, best first
  const Dfa* dfas;
  const std::uint8_t* dfa_classes;
  const std::uint16_t* dfa_states;

  const RouteEntry* routes;
  const ParamEntry* params;
  const Split* splits;
};

}  // namespace routec::detail

#endif  // ROUTEC_TABLES_H_
