// The patterns of a table as plain lists of constraints on segments, whatever their spelling.
#ifndef ROUTEC_GENERATOR_PATTERN_SET_H_
#define ROUTEC_GENERATOR_PATTERN_SET_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "language.h"
#include "route_table.h"

namespace routec::compiler {

// What one segment of a path must be.
struct Constraint {
  enum class Kind : std::uint8_t { kLiteral, kLanguage };
  Kind kind = Kind::kLiteral;
  std::uint32_t id = 0;  // index into PatternSet::literals, or a language

  bool is_any() const { return kind == Kind::kLanguage && id == Languages::kAny; }
  auto operator<=>(const Constraint&) const = default;
};

// One shape of a route's paths. An optional tail makes two of a route, `slash: both` two of each.
struct Variant {
  std::size_t route = 0;  // index into RouteTable::routes
  std::vector<Constraint> segments;
  bool rest = false;  // at least one more segment follows, of any text
  // With `slash: both`, the path of a rest parameter without the slash before it. It ranks as the
  // rest does: below a path that ends here.
  bool cut_rest = false;
};

// It points into the table.
struct PatternSet {
  explicit PatternSet(const std::vector<ParamType>& types) : languages(types) {}

  Languages languages;
  std::vector<std::string> literals;     // decoded
  std::vector<const Segment*> segments;  // by language: one of those that it comes from
  std::vector<Variant> variants;
};

// Reports types that nothing fits and segments whose automaton would be too large.
std::optional<PatternSet> expand_patterns(const RouteTable& table, Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_PATTERN_SET_H_
