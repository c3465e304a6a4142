#include "pattern_set.h"

#include <unordered_map>
#include <utility>

namespace routec::compiler {
namespace {

class Expander {
 public:
  Expander(const RouteTable& table, Diagnostics& diagnostics)
      : table_(table), diagnostics_(diagnostics), set_(table.types) {}

  std::optional<PatternSet> run() {
    for (std::size_t i = 0; i < table_.routes.size(); ++i) add_route(i);
    if (diagnostics_.has_errors()) return std::nullopt;
    return std::move(set_);
  }

 private:
  void add_route(std::size_t index) {
    const Route& route = table_.routes[index];
    const Pattern& pattern = route.pattern;
    Variant whole{index, {}, pattern.tail == Tail::kRest};
    const std::size_t count = pattern.segments.size() - (whole.rest ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<Constraint> constraint = constraint_of(pattern.segments[i], route);
      if (!constraint) return;
      whole.segments.push_back(*constraint);
    }
    if (pattern.tail == Tail::kOptional) {
      Variant absent = whole;
      absent.segments.pop_back();
      // "/{x?}" without its segment is "/".
      if (absent.segments.empty()) absent.segments.push_back(literal(""));
      add(std::move(absent));
    }
    add(std::move(whole));
  }

  std::optional<Constraint> constraint_of(const Segment& segment, const Route& route) {
    if (segment.is_literal()) return literal(segment.literals[0]);
    const std::optional<Languages::Id> id = set_.languages.of(segment);
    if (!id) {
      diagnostics_
          .error("pattern-too-large", route.path,
                 "the types of '" + route.pattern.text + "' need too large an automaton")
          .cure = "use simpler types, or fewer parameters in one segment";
      return std::nullopt;
    }
    if (set_.languages.meeting(*id, Languages::kAny).relation == Relation::kDisjoint) {
      diagnostics_
          .error("empty-type", route.path,
                 "no segment of a path can be what '" + route.pattern.text + "' asks for")
          .cure =
          "a value is never empty, nor '.' or '..', and holds no control characters; widen the "
          "type";
      return std::nullopt;
    }
    if (set_.segments.size() <= *id) set_.segments.resize(*id + 1);
    if (set_.segments[*id] == nullptr) set_.segments[*id] = &segment;
    return Constraint{Constraint::Kind::kLanguage, *id};
  }

  Constraint literal(const std::string& text) {
    const auto [place, is_new] = literal_ids_.emplace(text, set_.literals.size());
    if (is_new) set_.literals.push_back(text);
    return {Constraint::Kind::kLiteral, place->second};
  }

  // With `slash: both`, the other spelling of the trailing slash leads to the same route.
  void add(Variant variant) {
    if (table_.slash == SlashMode::kBoth) add_other_slash(variant);
    set_.variants.push_back(std::move(variant));
  }

  void add_other_slash(const Variant& variant) {
    Variant other = variant;
    const Constraint empty = literal("");
    if (other.segments == std::vector{empty} && !other.rest) return;
    if (other.rest) {
      other.rest = false;
      other.cut_rest = true;
      if (other.segments.empty()) return;
    } else if (other.segments.back() == empty) {
      other.segments.pop_back();
    } else {
      other.segments.push_back(empty);
    }
    set_.variants.push_back(std::move(other));
  }

  const RouteTable& table_;
  Diagnostics& diagnostics_;
  PatternSet set_;
  std::unordered_map<std::string, std::uint32_t> literal_ids_;
};

}  // namespace

std::optional<PatternSet> expand_patterns(const RouteTable& table, Diagnostics& diagnostics) {
  return Expander(table, diagnostics).run();
}

}  // namespace routec::compiler
