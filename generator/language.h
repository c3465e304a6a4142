// Segments as regular languages over decoded octets: deterministic automata, and how two relate.
#ifndef ROUTEC_GENERATOR_LANGUAGE_H_
#define ROUTEC_GENERATOR_LANGUAGE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "regex.h"
#include "route_table.h"

namespace routec::compiler {

// A minimal deterministic automaton in canonical numbering, so that equal languages are equal
// values. State 0 is dead, state 1 the start.
struct Automaton {
  std::array<std::uint8_t, 256> classes{};  // of octets
  std::size_t width = 1;                    // number of classes
  std::vector<std::uint32_t> next;          // state * width + class
  std::vector<std::uint32_t> accept;        // accept number by state; 0: refused

  std::uint32_t step(std::uint32_t state, unsigned char octet) const {
    return next[state * width + classes[octet]];
  }
  std::uint32_t run(std::string_view text) const;  // the accept number
  bool is_empty() const { return accept.size() < 2; }
  auto operator<=>(const Automaton&) const = default;
};

// Automata beyond this many states are refused: they would be a burden in the generated tables.
inline constexpr std::size_t kMaxStates = 4096;

std::optional<Automaton> automaton_of(const Regex& regex);  // empty: over kMaxStates
// Accept number i + 1 stands for accepted_by[i], the sorted indices of the parts that accept.
struct Combined {
  Automaton automaton;
  std::vector<std::vector<std::size_t>> accepted_by;
};
std::optional<Combined> combine(const std::vector<const Automaton*>& parts);
// What `automaton` accepts but "." and "..", which no segment that is matched ever is.
Automaton without_dots(const Automaton& automaton);
// Every text of at least one octet that a request can carry: without control characters.
Automaton visible_texts();

// Any text of at least one octet that is in `regex`; a parameter is never empty.
Regex without_empty(const Regex& regex);
Regex reversed(const Regex& regex);
Regex regex_of_text(std::string_view text);
// What a value of the type may be. A pattern was parsed before and is well formed.
Regex regex_of(const ParamType& type);

enum class Relation : std::uint8_t {
  kDisjoint,
  kEqual,
  kInside,    // the first is a part of the second
  kAround,    // the second is a part of the first
  kCrossing,  // they meet, and each has something of its own
};

struct Meeting {
  Relation relation = Relation::kDisjoint;
  std::string witness;  // a short text in both, unless disjoint
};
// Of the texts that a request can carry.
Meeting meet(const Automaton& a, const Automaton& b);

// The different segments of a table that are no literals; equal languages share a number.
class Languages {
 public:
  using Id = std::uint32_t;
  static constexpr Id kAny = 0;  // {x}: every text of at least one octet

  explicit Languages(const std::vector<ParamType>& types);

  // Empty when the automaton would exceed kMaxStates. "." and ".." are left out.
  std::optional<Id> of(const Segment& segment);
  const Automaton& automaton(Id id) const { return automata_[id]; }
  bool accepts(Id id, std::string_view text) const {
    return id == kAny ? !text.empty() : automata_[id].run(text) != 0;
  }
  const Meeting& meeting(Id a, Id b);

  // For segments with several parameters: the parameter alone, and all that follows it, reversed.
  std::optional<Id> of_param(const Segment& segment, std::size_t param);
  std::optional<Id> of_rest_reversed(const Segment& segment, std::size_t param);

 private:
  std::optional<Id> intern(std::string key, const Regex& regex);
  Regex regex_of_parts(const Segment& segment, std::size_t first_literal) const;

  std::vector<Regex> types_;  // without the empty text
  std::vector<Automaton> automata_;
  std::map<std::string, std::optional<Id>> by_key_;
  std::map<Automaton, Id> by_automaton_;
  std::map<std::pair<Id, Id>, Meeting> meetings_;
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_LANGUAGE_H_
