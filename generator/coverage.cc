#include "coverage.h"

#include <algorithm>
#include <iterator>

namespace routec::compiler {
namespace {

// For all routes of a table. To combine automata costs about the cube of their number.
constexpr std::size_t kMaxWork = 50'000'000;

}  // namespace

bool Coverage::can_help(const Variant& part, const Variant& whole) const {
  const bool fits = part.rest ? part.segments.size() <= whole.segments.size()
                              : !whole.rest && part.segments.size() == whole.segments.size();
  if (!fits) return false;
  for (std::size_t i = 0; i < part.segments.size(); ++i)
    if (whole.segments[i].is_any() && part.segments[i].kind == Constraint::Kind::kLiteral)
      return false;
  return true;
}

std::vector<std::uint32_t> Coverage::cover(const Variant& whole, const Parts& parts) {
  used_.clear();
  if (!covers(whole, 0, parts)) return {};
  return {used_.begin(), used_.end()};
}

bool Coverage::covers(const Variant& whole, std::size_t depth, const Parts& parts) {
  if (parts.empty()) return false;
  if (depth == whole.segments.size()) {
    used_.insert(parts.front());
    return true;
  }
  const Constraint& segment = whole.segments[depth];
  if (segment.kind == Constraint::Kind::kLanguage) return covers_language(whole, depth, parts);
  Parts left;
  for (const std::uint32_t index : parts)
    if (accepts(patterns_.variants[index], depth, segment)) left.push_back(index);
  return covers(whole, depth + 1, left);
}

// Texts that the same parts take stand for each other: one of each kind is followed on.
bool Coverage::covers_language(const Variant& whole, std::size_t depth, const Parts& parts) {
  const Constraint& segment = whole.segments[depth];
  Parts always;
  std::map<Constraint, Parts> sometimes;
  for (const std::uint32_t index : parts) {
    const Variant& part = patterns_.variants[index];
    if (takes_all(part, depth, segment))
      always.push_back(index);
    else
      sometimes[part.segments[depth]].push_back(index);
  }
  if (sometimes.empty()) return covers(whole, depth + 1, always);
  std::vector<const Automaton*> automata{&visible_, automaton(segment)};
  for (const auto& [constraint, list] : sometimes) automata.push_back(automaton(constraint));
  if (std::find(automata.begin(), automata.end(), nullptr) != automata.end()) return false;
  work_ += automata.size() * automata.size() * automata.size();
  if (work_ > kMaxWork) return false;
  const std::optional<Combined> combined = combine(automata);
  if (!combined) return false;
  return std::all_of(
      combined->accepted_by.begin(), combined->accepted_by.end(), [&](const auto& accepting) {
        const bool is_of_segment = accepting.size() > 1 && accepting[0] == 0 && accepting[1] == 1;
        if (!is_of_segment) return true;
        Parts left = always;
        for (std::size_t i = 2; i < accepting.size(); ++i) {
          const auto& list =
              std::next(sometimes.begin(), static_cast<std::ptrdiff_t>(accepting[i] - 2))->second;
          left.insert(left.end(), list.begin(), list.end());
        }
        std::sort(left.begin(), left.end());  // best first
        return covers(whole, depth + 1, left);
      });
}

bool Coverage::accepts(const Variant& part, std::size_t depth, const Constraint& literal) const {
  if (depth >= part.segments.size()) return true;  // in its rest
  const Constraint& segment = part.segments[depth];
  return segment.kind == Constraint::Kind::kLiteral
             ? segment.id == literal.id
             : patterns_.languages.accepts(segment.id, patterns_.literals[literal.id]);
}

bool Coverage::takes_all(const Variant& part, std::size_t depth, const Constraint& segment) const {
  if (depth >= part.segments.size()) return true;  // in its rest
  return part.segments[depth] == segment || part.segments[depth].is_any();
}

const Automaton* Coverage::automaton(const Constraint& segment) {
  if (segment.kind == Constraint::Kind::kLanguage)
    return &patterns_.languages.automaton(segment.id);
  const auto [place, is_new] = literals_.try_emplace(segment.id);
  if (is_new) place->second = automaton_of(regex_of_text(patterns_.literals[segment.id]));
  return place->second ? &*place->second : nullptr;
}

}  // namespace routec::compiler
