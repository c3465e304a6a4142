#include "precedence.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace routec::compiler {
namespace {

// Sorts types so that every one stands before all that contain it; equal ones have equal ranks.
std::vector<std::size_t> rank_types(const std::vector<ParamType>& types) {
  Languages languages(types);
  Segment segment{{"", ""}, {Param()}};
  std::vector<std::optional<Languages::Id>> ids;
  for (std::size_t i = 0; i < types.size(); ++i) {
    segment.params[0].type = i;
    ids.push_back(languages.of_param(segment, 0));
  }
  const auto is_narrower = [&](std::size_t a, std::size_t b) {
    if (a == b || !ids[a] || !ids[b]) return false;
    if (types[a].kind == TypeKind::kUint && types[b].kind == TypeKind::kInt) return true;
    return languages.meeting(*ids[a], *ids[b]).relation == Relation::kInside;
  };
  std::vector<std::size_t> rank(types.size(), types.size());
  for (std::size_t next = 0; next < types.size(); ++next)
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (rank[i] < types.size()) continue;
      bool is_least = true;
      for (std::size_t j = 0; j < types.size(); ++j)
        if (rank[j] == types.size() && is_narrower(j, i)) is_least = false;
      if (!is_least) continue;
      rank[i] = next;
      break;
    }
  for (std::size_t i = 0; i < types.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (ids[i] && ids[i] == ids[j]) rank[i] = rank[j] = std::min(rank[i], rank[j]);
  return rank;
}

std::size_t literal_octets(const Segment& segment) {
  std::size_t size = 0;
  for (const std::string& text : segment.literals) size += text.size();
  return size;
}

enum class Kind { kLiteral, kAffixed, kTyped, kPlain };

Kind kind_of(const Segment& segment, const std::vector<ParamType>& types) {
  if (segment.is_literal()) return Kind::kLiteral;
  if (!segment.is_plain()) return Kind::kAffixed;
  return types[segment.params[0].type].kind == TypeKind::kStr ? Kind::kPlain : Kind::kTyped;
}

// Explicit methods before ANY; HEAD, which GET serves too, before GET.
int method_rank(std::string_view method) { return method == "ANY" ? 2 : method == "GET" ? 1 : 0; }

}  // namespace

Precedence::Precedence(const RouteTable& table, PatternSet& patterns)
    : table_(table), patterns_(patterns), type_rank_(rank_types(table.types)) {}

std::strong_ordering Precedence::compare(const Variant& a, const Variant& b) const {
  const std::size_t common = std::min(a.segments.size(), b.segments.size());
  for (std::size_t i = 0; i < common; ++i) {
    const Constraint &own = a.segments[i], &other = b.segments[i];
    if (own == other) continue;
    if (own.kind != other.kind) return own.kind <=> other.kind;
    if (own.kind == Constraint::Kind::kLiteral) return own.id <=> other.id;
    const auto order = compare(*patterns_.segments[own.id], *patterns_.segments[other.id]);
    return order != 0 ? order : own.id <=> other.id;
  }
  if (a.segments.size() == b.segments.size() && a.rest != b.rest) return a.rest <=> b.rest;
  // One has a segment where the other has its rest, or they never meet.
  if (const auto order = b.segments.size() <=> a.segments.size(); order != 0) return order;
  if (a.cut_rest != b.cut_rest) return a.cut_rest <=> b.cut_rest;
  const int method_a = method_rank(table_.routes[a.route].method);
  const int method_b = method_rank(table_.routes[b.route].method);
  return method_a != method_b ? method_a <=> method_b : a.route <=> b.route;
}

std::strong_ordering Precedence::compare(const Segment& a, const Segment& b) const {
  const Kind kind_a = kind_of(a, table_.types), kind_b = kind_of(b, table_.types);
  if (kind_a != kind_b) return kind_a <=> kind_b;
  return kind_a == Kind::kAffixed ? compare_affixed(a, b) : compare_types(a, b);
}

std::strong_ordering Precedence::compare_affixed(const Segment& a, const Segment& b) const {
  if (const auto more = literal_octets(b) <=> literal_octets(a); more != 0) return more;
  const std::string &prefix_a = a.literals.front(), &prefix_b = b.literals.front();
  if (const auto longer = prefix_b.size() <=> prefix_a.size(); longer != 0) return longer;
  const std::string &suffix_a = a.literals.back(), &suffix_b = b.literals.back();
  if (const auto longer = suffix_b.size() <=> suffix_a.size(); longer != 0) return longer;
  if (const auto order = a.literals <=> b.literals; order != 0) return order;
  return compare_types(a, b);
}

std::strong_ordering Precedence::compare_types(const Segment& a, const Segment& b) const {
  for (std::size_t i = 0; i < a.params.size(); ++i) {
    const auto order = type_rank_[a.params[i].type] <=> type_rank_[b.params[i].type];
    if (order != 0) return order;
  }
  return std::strong_ordering::equal;
}

bool Precedence::is_uint_beside_int(const Segment& a, const Segment& b) const {
  if (a.literals != b.literals) return false;
  for (std::size_t i = 0; i < a.params.size(); ++i) {
    const TypeKind kind_a = table_.types[a.params[i].type].kind;
    const TypeKind kind_b = table_.types[b.params[i].type].kind;
    if (a.params[i].type == b.params[i].type) continue;
    if (kind_a != TypeKind::kUint || kind_b != TypeKind::kInt) return false;
  }
  return true;
}

Precedence::Comparison Precedence::compare_languages(Languages::Id a, Languages::Id b) {
  if (a == b) return {};
  if (a == Languages::kAny) return {Relation::kAround};
  if (b == Languages::kAny) return {Relation::kInside};
  const Relation relation = patterns_.languages.meeting(a, b).relation;
  if (relation != Relation::kCrossing) return {relation};
  const Segment &own = *patterns_.segments[a], &other = *patterns_.segments[b];
  if (is_uint_beside_int(own, other)) return {Relation::kInside};
  if (is_uint_beside_int(other, own)) return {Relation::kAround};
  return {relation, own.literals == other.literals};
}

}  // namespace routec::compiler
