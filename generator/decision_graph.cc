#include "decision_graph.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "routec/match.h"

namespace routec::compiler {
namespace {

using Rows = std::vector<std::uint32_t>;  // sorted, so best first
using Tested = std::bitset<detail::kMaxSegments>;
constexpr std::uint32_t kNoNode = DecisionGraph::kNoNode;
constexpr std::uint64_t kAllMethods = ~std::uint64_t{0};

std::vector<PatternRow> collect_rows(const Ranking& ranking) {
  std::vector<PatternRow> rows;
  const Variant* last = nullptr;
  for (const Variant& variant : ranking.patterns.variants) {
    if (ranking.is_looked_up[variant.route]) continue;
    const bool same = last != nullptr && last->segments == variant.segments &&
                      last->rest == variant.rest && last->cut_rest == variant.cut_rest;
    last = &variant;
    if (!same) rows.push_back({variant.segments, variant.rest, {}});
    rows.back().routes.push_back(variant.route);
  }
  return rows;
}

class Builder {
 public:
  Builder(const RouteTable& table, const Ranking& ranking, const DecisionLimits& limits)
      : table_(table), patterns_(ranking.patterns), limits_(limits) {
    graph_.rows = collect_rows(ranking);
    for (const PatternRow& row : graph_.rows) methods_.push_back(methods_of(row));
  }

  DecisionGraph run() {
    add_roots();
    return std::move(graph_);
  }

 private:
  // ---- Roots ----

  void add_roots() {
    std::size_t longest = 0;
    for (const PatternRow& row : graph_.rows)
      longest = std::max(longest, row.segments.size() + (row.rest ? 1 : 0));
    const Constraint empty = empty_literal();
    for (std::size_t count = 0; count <= longest + 1; ++count) {
      graph_.plain_roots.push_back(build(select([&](const PatternRow& row) {
        return fits(row, count) && !has_literal(row, row.segments.size(), empty);
      })));
      graph_.trailing_roots.push_back(build(select([&](const PatternRow& row) {
        const bool ends_empty = !row.rest && !row.segments.empty() && row.segments.back() == empty;
        return fits(row, count) && (row.rest ? row.segments.size() < count : ends_empty);
      })));
      graph_.inner_roots.push_back(build(
          select([&](const PatternRow& row) { return row.rest && row.segments.size() <= count; })));
    }
  }

  Constraint empty_literal() const {
    const auto found = std::find(patterns_.literals.begin(), patterns_.literals.end(), "");
    return {Constraint::Kind::kLiteral,
            static_cast<std::uint32_t>(found - patterns_.literals.begin())};
  }

  static bool has_literal(const PatternRow& row, std::size_t size, const Constraint& literal) {
    const auto end = row.segments.begin() + static_cast<std::ptrdiff_t>(size);
    return std::find(row.segments.begin(), end, literal) != end;
  }

  static bool fits(const PatternRow& row, std::size_t count) {
    return row.rest ? row.segments.size() < count : row.segments.size() == count;
  }

  template <typename Predicate>
  Rows select(Predicate predicate) const {
    Rows rows;
    for (std::uint32_t i = 0; i < graph_.rows.size(); ++i)
      if (predicate(graph_.rows[i])) rows.push_back(i);
    return rows;
  }

  // ---- Nodes ----

  std::uint32_t build(Rows live, const Tested& tested = {}) {
    drop_covered(live, tested);
    if (live.empty()) return kNoNode;
    const auto [place, is_new] = memo_.emplace(key_of(live, tested), kNoNode);
    if (!is_new) return place->second;
    std::uint32_t& node = place->second;  // stays valid: std::map
    work_ += live.size();
    const std::optional<std::size_t> segment = choose(live, tested);
    if (!segment) return node = add_leaf(live, tested);
    if (graph_.nodes.size() >= limits_.nodes || work_ >= limits_.work)
      return node = add_search(live);
    return node = branch(live, tested, *segment);
  }

  static std::string key_of(const Rows& live, const Tested& tested) {
    std::string key = tested.to_string();
    key.erase(0, key.find('1') == std::string::npos ? key.size() : key.find('1'));
    key += ':';
    return key.append(reinterpret_cast<const char*>(live.data()), live.size() * sizeof live[0]);
  }

  Constraint constraint(std::uint32_t row, std::size_t segment) const {
    const PatternRow& pattern = graph_.rows[row];
    const bool bound = segment < pattern.segments.size();
    return bound ? pattern.segments[segment]
                 : Constraint{Constraint::Kind::kLanguage, Languages::kAny};
  }

  std::size_t longest(const Rows& live) const {
    std::size_t size = 0;
    for (const std::uint32_t row : live) size = std::max(size, graph_.rows[row].segments.size());
    return size;
  }

  // What a row still asks for, as a key.
  std::string residual(std::uint32_t row, const Tested& tested) const {
    std::string key;
    for (std::size_t i = 0; i < graph_.rows[row].segments.size(); ++i) {
      const Constraint asked = constraint(row, i);
      if (tested[i] || asked.is_any()) continue;
      const std::uint32_t numbers[] = {static_cast<std::uint32_t>(i),
                                       static_cast<std::uint32_t>(asked.kind), asked.id};
      key.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
    }
    return key;
  }

  // Method ids that a row answers, a bit each; the bits behind them: any other token. OPTIONS is
  // only answered by a route of its own.
  std::uint64_t methods_of(const PatternRow& row) const {
    std::uint64_t methods = 0;
    for (const std::size_t index : row.routes) {
      const std::string& method = table_.routes[index].method;
      if (method == "ANY") methods |= kAllMethods & ~(std::uint64_t{1} << detail::kOptions);
      for (std::size_t id = 0; id < table_.methods.size(); ++id)
        if (table_.methods[id] == method || (method == "GET" && table_.methods[id] == "HEAD"))
          methods |= std::uint64_t{1} << id;
    }
    return methods;
  }

  // Drops rows that ask for the same as better ones and answer no other method.
  void drop_covered(Rows& live, const Tested& tested) const {
    if (live.size() < 2) return;
    std::unordered_map<std::string, std::uint64_t> answered;
    const auto is_covered = [&](std::uint32_t row) {
      std::uint64_t& methods = answered[residual(row, tested)];
      const bool covered = (methods_[row] & ~methods) == 0;
      methods |= methods_[row];
      return covered;
    };
    live.erase(std::remove_if(live.begin(), live.end(), is_covered), live.end());
  }

  // The segment that leaves the smallest sets; empty if all rows ask for the same.
  std::optional<std::size_t> choose(const Rows& live, const Tested& tested) const {
    std::optional<std::size_t> best;
    double best_cost = 0;
    const std::size_t size = live.size() < 2 ? 0 : longest(live);
    for (std::size_t i = 0; i < size; ++i) {
      if (tested[i]) continue;
      const std::optional<double> cost = cost_of(live, i);
      if (!cost || (best && *cost >= best_cost)) continue;
      best = i;
      best_cost = *cost;
    }
    return best;
  }

  // Sum of the squares of the sets that a segment leaves; empty if it tells nothing apart.
  std::optional<double> cost_of(const Rows& live, std::size_t segment) const {
    std::map<Constraint, std::size_t> counts;
    for (const std::uint32_t row : live) ++counts[constraint(row, segment)];
    if (counts.size() == 1) return std::nullopt;
    double wild = 0, cost = 0;
    for (const auto& [asked, count] : counts)
      if (asked.kind == Constraint::Kind::kLanguage) wild += static_cast<double>(count);
    for (const auto& [asked, count] : counts) {
      const double left = static_cast<double>(count) + wild;
      if (asked.kind == Constraint::Kind::kLiteral) cost += left * left;
    }
    return cost + wild * wild;
  }

  std::uint32_t add(DecisionNode node) {
    graph_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(graph_.nodes.size() - 1);
  }

  std::uint32_t add_leaf(const Rows& live, const Tested& tested) {
    DecisionNode leaf;
    leaf.rows = live;
    for (std::size_t i = 0; i < graph_.rows[live[0]].segments.size(); ++i)
      if (const Constraint asked = constraint(live[0], i); !tested[i] && !asked.is_any())
        leaf.checks.emplace_back(i, asked);
    return add(std::move(leaf));
  }

  std::uint32_t add_search(const Rows& live) {
    DecisionNode search;
    search.kind = DecisionNode::Kind::kSearch;
    for (const std::uint32_t row : live) {
      const auto [leaf, is_new] = leaves_.emplace(row, kNoNode);
      if (is_new) leaf->second = add_leaf({row}, {});
      search.candidates.push_back(leaf->second);
    }
    graph_.searched_rows = std::max(graph_.searched_rows, live.size());
    return add(std::move(search));
  }

  std::uint32_t branch(const Rows& live, Tested tested, std::size_t segment) {
    std::set<std::uint32_t> literals;
    Rows others;
    for (const std::uint32_t row : live) {
      const Constraint asked = constraint(row, segment);
      if (asked.kind == Constraint::Kind::kLiteral)
        literals.insert(asked.id);
      else
        others.push_back(row);
    }
    if (literals.empty()) return classify(others, tested, segment);
    DecisionNode node;
    node.kind = DecisionNode::Kind::kLiteral;
    node.segment = segment;
    std::map<std::uint32_t, Rows> sets = split(live, literals, others, segment);
    Tested after = tested;
    after.set(segment);
    for (auto& [literal, rows] : sets)
      node.edges.emplace_back(literal, build(std::move(rows), after));
    node.otherwise = classify(others, tested, segment);
    return add(std::move(node));
  }

  // Whether a row without a literal at a segment takes that text there. A rest takes any, {x} none
  // that is empty.
  bool takes(std::uint32_t row, std::size_t segment, const std::string& text) const {
    const bool is_rest = segment >= graph_.rows[row].segments.size();
    return is_rest || patterns_.languages.accepts(constraint(row, segment).id, text);
  }

  // By literal: the rows that ask for it, and those that take it all the same.
  std::map<std::uint32_t, Rows> split(const Rows& live, const std::set<std::uint32_t>& literals,
                                      const Rows& others, std::size_t segment) const {
    std::map<std::uint32_t, Rows> sets;
    for (const std::uint32_t row : live)
      if (const Constraint asked = constraint(row, segment);
          asked.kind == Constraint::Kind::kLiteral)
        sets[asked.id].push_back(row);
    for (const std::uint32_t literal : literals) {
      Rows& set = sets[literal];
      for (const std::uint32_t row : others)
        if (takes(row, segment, patterns_.literals[literal])) set.push_back(row);
      std::sort(set.begin(), set.end());
    }
    return sets;
  }

  // Rows that ask for no literal: by the set of languages that take the segment.
  std::uint32_t classify(const Rows& rows, Tested tested, std::size_t segment) {
    std::vector<Languages::Id> languages;
    for (const std::uint32_t row : rows)
      if (const Constraint asked = constraint(row, segment); !asked.is_any())
        languages.push_back(asked.id);
    std::sort(languages.begin(), languages.end());
    languages.erase(std::unique(languages.begin(), languages.end()), languages.end());
    tested.set(segment);
    if (languages.empty()) return build(rows, tested);
    std::vector<const Automaton*> parts;
    for (const Languages::Id id : languages) parts.push_back(&patterns_.languages.automaton(id));
    std::optional<Combined> combined = combine(parts);
    if (!combined) return add_search(rows);
    DecisionNode node;
    node.kind = DecisionNode::Kind::kClass;
    node.segment = segment;
    combined->accepted_by.insert(combined->accepted_by.begin(), std::vector<std::size_t>{});
    for (const std::vector<std::size_t>& accepting : combined->accepted_by) {
      const auto takes = [&](std::uint32_t row) {
        const Constraint asked = constraint(row, segment);
        return asked.is_any() ||
               std::any_of(accepting.begin(), accepting.end(),
                           [&](std::size_t i) { return languages[i] == asked.id; });
      };
      Rows left;
      std::copy_if(rows.begin(), rows.end(), std::back_inserter(left), takes);
      node.by_accept.push_back(build(std::move(left), tested));
    }
    node.automaton = std::move(combined->automaton);
    return add(std::move(node));
  }

  const RouteTable& table_;
  const PatternSet& patterns_;
  const DecisionLimits& limits_;
  DecisionGraph graph_;
  std::vector<std::uint64_t> methods_;  // by row
  std::map<std::string, std::uint32_t> memo_;
  std::map<std::uint32_t, std::uint32_t> leaves_;  // of single rows, for searches
  std::size_t work_ = 0;
};

}  // namespace

DecisionGraph decide(const RouteTable& table, const Ranking& ranking,
                     const DecisionLimits& limits) {
  return Builder(table, ranking, limits).run();
}

}  // namespace routec::compiler
