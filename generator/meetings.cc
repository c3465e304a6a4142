#include "meetings.h"

#include <algorithm>

namespace routec::compiler {

Meetings::Meetings(const PatternSet& patterns, Precedence& precedence)
    : patterns_(patterns), precedence_(precedence) {
  for (std::uint32_t i = 0; i < patterns.variants.size(); ++i) insert(i);
}

void Meetings::visit(std::uint32_t index, const Visit& visit) {
  variant_ = &patterns_.variants[index];
  visit_ = &visit;
  Step start;
  start.pair.winner = index;
  walk(start);
}

void Meetings::insert(std::uint32_t index) {
  const Variant& variant = patterns_.variants[index];
  std::uint32_t node = 0;
  for (const Constraint& segment : variant.segments) node = child(node, segment);
  (variant.rest ? nodes_[node].rests : nodes_[node].ends).push_back(index);
}

std::uint32_t Meetings::child(std::uint32_t node, const Constraint& segment) {
  const auto fresh = static_cast<std::uint32_t>(nodes_.size());
  std::uint32_t found = fresh;
  if (segment.kind == Constraint::Kind::kLiteral) {
    found = nodes_[node].literals.emplace(segment.id, fresh).first->second;
  } else {
    auto& languages = nodes_[node].languages;
    const auto known = std::find_if(languages.begin(), languages.end(),
                                    [&](const auto& entry) { return entry.first == segment.id; });
    if (known != languages.end()) return known->second;
    languages.emplace_back(segment.id, fresh);
  }
  if (found == fresh) nodes_.emplace_back();
  return found;
}

void Meetings::report(const std::vector<std::uint32_t>& losers, MeetingPair pair) {
  auto at = std::upper_bound(losers.begin(), losers.end(), pair.winner);
  for (; at != losers.end(); ++at) {
    pair.loser = *at;
    (*visit_)(pair);
  }
}

void Meetings::walk(const Step& at) {
  const std::size_t size = variant_->segments.size();
  if (at.depth >= size) {
    if (variant_->rest) return walk_rest(at);
    return report(nodes_[at.node].ends, at.pair);
  }
  MeetingPair beside_rest = at.pair;
  beside_rest.loser_inside = false;
  report(nodes_[at.node].rests, beside_rest);
  const Constraint& segment = variant_->segments[at.depth];
  if (segment.kind == Constraint::Kind::kLiteral)
    walk_literal(at, segment.id);
  else
    walk_language(at, segment.id);
}

// From here on everything is in the variant's rest.
void Meetings::walk_rest(const Step& at) {
  const Node& node = nodes_[at.node];
  Step next = at;
  ++next.depth;
  report(node.rests, at.pair);
  next.pair.winner_inside = false;
  if (at.depth > variant_->segments.size()) report(node.ends, next.pair);
  for (const auto& [id, child] : node.literals) {
    next.node = child;
    walk_rest(next);
  }
  for (const auto& [id, child] : node.languages) {
    next.node = child;
    walk_rest(next);
  }
}

void Meetings::walk_literal(const Step& at, std::uint32_t literal) {
  const Node& node = nodes_[at.node];
  Step next = at;
  ++next.depth;
  if (const auto same = node.literals.find(literal); same != node.literals.end()) {
    next.node = same->second;
    walk(next);
  }
  next.pair.loser_inside = false;
  next.differs = true;
  for (const auto& [language, child] : node.languages) {
    if (!patterns_.languages.accepts(language, patterns_.literals[literal])) continue;
    next.node = child;
    walk(next);
  }
}

void Meetings::walk_language(const Step& at, Languages::Id language) {
  const Node& node = nodes_[at.node];
  for (const auto& [other, child] : node.languages) {
    const auto [relation, undecided] = precedence_.compare_languages(language, other);
    if (relation == Relation::kDisjoint) continue;
    Step next = at;
    ++next.depth;
    next.node = child;
    next.differs = at.differs || language != other;
    if (!at.differs) next.pair.undecided = undecided;
    if (relation == Relation::kAround || relation == Relation::kCrossing)
      next.pair.winner_inside = false;
    if (relation == Relation::kInside || relation == Relation::kCrossing)
      next.pair.loser_inside = false;
    walk(next);
  }
  Step next = at;
  ++next.depth;
  next.pair.winner_inside = false;
  next.differs = true;
  for (const auto& [literal, child] : node.literals) {
    if (!patterns_.languages.accepts(language, patterns_.literals[literal])) continue;
    next.node = child;
    walk(next);
  }
}

}  // namespace routec::compiler
