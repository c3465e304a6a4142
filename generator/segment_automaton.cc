#include "segment_automaton.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "normal_form.h"
#include "routec/match.h"
#include "segment_hash.h"
#include "text_pool.h"

namespace routec::compiler {
namespace {

constexpr std::uint32_t kNone = detail::kNone;
// More edges than this at one node go through a kSpread node first.
constexpr std::size_t kMaxEdges = 40;

std::string number(std::uint32_t value) {
  return value == kNone ? "kNone" : fmt::format("{}", value);
}

// The arrays under construction.
class Arrays {
 public:
  explicit Arrays(std::size_t text_base) : texts(text_base) {}

  TableRows plain_roots{"routec::detail::Node", "kPlainRoots", {}};
  TableRows trailing_roots{"routec::detail::Node", "kTrailingRoots", {}};
  TableRows inner_roots{"routec::detail::Node", "kInnerRoots", {}};
  TableRows nodes{"routec::detail::Node", "kNodes", {}};
  TableRows edges{"routec::detail::Edge", "kEdges", {}};
  TableRows targets{"std::uint32_t", "kTargets", {}};
  TableRows checks{"routec::detail::Check", "kChecks", {}};
  TableRows choices{"std::uint32_t", "kChoices", {}};
  TableRows candidates{"std::uint32_t", "kCandidates", {}};
  TableRows dfas{"routec::detail::Dfa", "kDfas", {}};
  TableRows dfa_classes{"std::uint8_t", "kDfaClasses", {}};
  TableRows dfa_states{"std::uint16_t", "kDfaStates", {}};
  TableRows params{"routec::detail::ParamEntry", "kParams", {}};
  TableRows splits{"routec::detail::Split", "kSplits", {}};
  TextPool texts;

  // Appends numbers as one row, unless the same row is there already; returns where it begins.
  template <typename Number>
  std::uint32_t add_numbers(TableRows& table, const std::vector<Number>& numbers,
                            const std::string& comment = {}) {
    std::string values;
    for (const Number value : numbers) {
      if (!values.empty()) values += ", ";
      values += number(value);
    }
    const auto [place, is_new] = known_.emplace(table.name + values, sizes_[table.name]);
    if (!is_new) return place->second;
    sizes_[table.name] += static_cast<std::uint32_t>(numbers.size());
    table.rows.push_back({std::move(values), comment});
    return place->second;
  }

  std::uint32_t add_dfa(const Automaton& automaton) {
    const auto [place, is_new] = dfas_known_.emplace(automaton, dfas.rows.size());
    if (!is_new) return place->second;
    std::vector<std::uint8_t> classes(automaton.classes.begin(), automaton.classes.end());
    for (const char c : {'/', '%', '?', '#'})
      classes[static_cast<unsigned char>(detail::normal_octet(c))] =
          automaton.classes[static_cast<unsigned char>(c)];
    const std::uint32_t first_class = add_numbers(dfa_classes, classes);
    const std::uint32_t transitions = add_numbers(dfa_states, automaton.next);
    const std::uint32_t accepts = add_numbers(dfa_states, automaton.accept);
    dfas.rows.push_back(
        {fmt::format("{{{}, {}, {}, {}}}", first_class, transitions, accepts, automaton.width),
         fmt::format("{} states", automaton.accept.size())});
    return place->second;
  }

  // "head, tail, length, text" of a literal in normal form.
  std::string literal_values(const std::string& normal) {
    const detail::SegmentWords words = words_of(normal);
    return fmt::format("0x{:x}, 0x{:x}, {}, {}", words.head, words.tail, words.size,
                       words.size > 16 ? texts.add(normal) : 0);
  }

 private:
  std::unordered_map<std::string, std::uint32_t> known_;
  std::unordered_map<std::string, std::uint32_t> sizes_;
  std::map<Automaton, std::uint32_t> dfas_known_;
};

class Encoder {
 public:
  Encoder(const RouteTable& table, Ranking& ranking, std::size_t text_base,
          const DecisionLimits& limits, Diagnostics& diagnostics)
      : table_(table),
        patterns_(ranking.patterns),
        diagnostics_(diagnostics),
        graph_(decide(table, ranking, limits)),
        arrays_(text_base) {}

  std::optional<AutomatonPlan> run() {
    reserve_nodes();
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) encode(i);
    add_edges();
    if (!graph_.rows.empty()) add_roots();
    for (const Route& route : table_.routes) add_params(route);
    warn_of_search();
    if (diagnostics_.has_errors()) return std::nullopt;
    AutomatonPlan plan;
    if (!graph_.rows.empty())
      plan.root_count = static_cast<std::uint32_t>(graph_.plain_roots.size());
    plan.node_count = arrays_.nodes.rows.size();
    plan.searched_rows = graph_.searched_rows;
    plan.texts = arrays_.texts.take();
    Arrays& a = arrays_;
    for (TableRows* rows : {&a.plain_roots, &a.trailing_roots, &a.inner_roots, &a.nodes, &a.edges,
                            &a.targets, &a.checks, &a.choices, &a.candidates, &a.dfas,
                            &a.dfa_classes, &a.dfa_states, &a.params, &a.splits})
      plan.tables.push_back(std::move(*rows));
    return plan;
  }

 private:
  // Decisions keep their numbers; nodes that an encoding adds stand behind them.
  void reserve_nodes() { arrays_.nodes.rows.resize(graph_.nodes.size()); }

  void add_roots() {
    add_roots(arrays_.plain_roots, graph_.plain_roots);
    add_roots(arrays_.trailing_roots, graph_.trailing_roots);
    add_roots(arrays_.inner_roots, graph_.inner_roots);
  }

  void add_roots(TableRows& table, const std::vector<std::uint32_t>& nodes) {
    for (const std::uint32_t node : nodes) table.rows.push_back(row_of(node));
  }

  // Complete only when all nodes are encoded.
  TableRows::Row row_of(std::uint32_t node) const {
    if (node != kNone) return arrays_.nodes.rows[node];
    return {node_values("kSearch", 0, 0, 0, 0, kNone, 0), "no match"};
  }

  void warn_of_search() {
    if (graph_.searched_rows == 0) return;
    diagnostics_
        .warning(
            "search", table_.routes.front().path,
            fmt::format("the routes mix literals and parameters in too many ways for one pass; "
                        "up to {} of them are tried one after the other",
                        graph_.searched_rows))
        .cure = "use fewer combinations of literals and parameters at the same places";
  }

  std::uint32_t add_node(TableRows::Row row) {
    arrays_.nodes.rows.push_back(std::move(row));
    return static_cast<std::uint32_t>(arrays_.nodes.rows.size() - 1);
  }

  static std::string node_values(std::string_view kind, unsigned shift, std::size_t segment,
                                 std::size_t first, std::size_t count, std::uint32_t otherwise,
                                 std::uint64_t multiplier) {
    return fmt::format("{{NodeKind::{}, {}, {}, {}, {}, {}, 0x{:x}}}", kind, shift, segment, first,
                       count, number(otherwise), multiplier);
  }

  void encode(std::uint32_t index) {
    const DecisionNode& node = graph_.nodes[index];
    switch (node.kind) {
      case DecisionNode::Kind::kLiteral:
        arrays_.nodes.rows[index] = literal_node(node, sorted_edges(node), node.otherwise);
        break;
      case DecisionNode::Kind::kClass:
        arrays_.nodes.rows[index] = class_node(node);
        break;
      case DecisionNode::Kind::kLeaf:
        arrays_.nodes.rows[index] = leaf_node(node);
        break;
      case DecisionNode::Kind::kSearch:
        arrays_.nodes.rows[index] = search_node(node);
        break;
    }
  }

  // ---- Literals ----

  struct LiteralEdge {
    std::string normal;
    std::uint32_t node = 0;
    std::uint64_t hash = 0;  // see set_hashes()
  };

  std::vector<LiteralEdge> sorted_edges(const DecisionNode& node) const {
    std::vector<LiteralEdge> edges;
    for (const auto& [literal, target] : node.edges)
      edges.push_back({normal_form(patterns_.literals[literal]), target});
    std::sort(edges.begin(), edges.end(),
              [](const LiteralEdge& a, const LiteralEdge& b) { return a.normal < b.normal; });
    return edges;
  }

  TableRows::Row literal_node(const DecisionNode& node, std::vector<LiteralEdge> edges,
                              std::uint32_t otherwise) {
    if (edges.size() > kMaxEdges) return spread_node(node, std::move(edges), otherwise);
    const Hashed hashed = set_hashes(edges, Hashed::kEnds) ? Hashed::kEnds : Hashed::kWhole;
    if (hashed == Hashed::kWhole) otherwise = set_aside_twins(node, edges, otherwise);
    std::vector<std::uint64_t> hashes;
    for (const LiteralEdge& edge : edges) hashes.push_back(edge.hash);
    const SegmentHash hash = find_segment_hash(hashes);
    std::vector<const LiteralEdge*> slots(hash.slot_count());
    for (const LiteralEdge& edge : edges) slots[hash.slot(edge.hash)] = &edge;
    const std::size_t first = edges_.size();
    for (const LiteralEdge* edge : slots)
      edges_.push_back(edge == nullptr ? std::nullopt : std::optional(*edge));
    return {hash_values("kLiteral", hash, hashed, node.segment, first, otherwise),
            fmt::format("segment {}: {} literals", node.segment + 1, edges.size())};
  }

  void add_edges() {
    for (const std::optional<LiteralEdge>& edge : edges_) {
      const TableRows::Row node = row_of(edge ? edge->node : kNone);
      const std::string literal = edge ? arrays_.literal_values(edge->normal) : "0, 0, kNone, 0";
      arrays_.edges.rows.push_back({fmt::format("{{{}, {}}}", literal, node.values),
                                    edge ? edge->normal + ": " + node.comment : ""});
    }
  }

  // Whether the hashes tell the literals apart.
  static bool set_hashes(std::vector<LiteralEdge>& edges, Hashed hashed) {
    std::unordered_set<std::uint64_t> seen;
    for (LiteralEdge& edge : edges) seen.insert(edge.hash = hash_of(edge.normal, hashed));
    return seen.size() == edges.size();
  }

  static std::string hash_values(std::string_view kind, const SegmentHash& hash, Hashed hashed,
                                 std::size_t segment, std::size_t first, std::uint32_t otherwise) {
    const unsigned shift = hash.shift + (hashed == Hashed::kWhole ? detail::kWholeSegment : 0);
    return node_values(kind, shift, segment, first, 0, otherwise, hash.multiplier);
  }

  // Hashes all octets. Different literals with one hash, should they ever be, go to a second node
  // behind the first.
  std::uint32_t set_aside_twins(const DecisionNode& node, std::vector<LiteralEdge>& edges,
                                std::uint32_t otherwise) {
    if (set_hashes(edges, Hashed::kWhole)) return otherwise;
    std::unordered_set<std::uint64_t> seen;
    const auto twins = std::stable_partition(edges.begin(), edges.end(), [&](const LiteralEdge& e) {
      return seen.insert(e.hash).second;
    });
    std::vector<LiteralEdge> rest(std::make_move_iterator(twins),
                                  std::make_move_iterator(edges.end()));
    edges.erase(twins, edges.end());
    return add_node(literal_node(node, std::move(rest), otherwise));
  }

  using Buckets = std::vector<std::vector<LiteralEdge>>;

  static Buckets spread(const std::vector<LiteralEdge>& edges, const SegmentHash& hash) {
    Buckets buckets(hash.slot_count());
    for (const LiteralEdge& edge : edges) buckets[hash.slot(edge.hash)].push_back(edge);
    return buckets;
  }

  TableRows::Row spread_node(const DecisionNode& node, std::vector<LiteralEdge> edges,
                             std::uint32_t otherwise) {
    const std::string comment =
        fmt::format("segment {}: {} literals", node.segment + 1, edges.size());
    const SegmentHash hash = spread_hash(edges.size());
    Hashed hashed = Hashed::kEnds;
    set_hashes(edges, hashed);
    Buckets buckets = spread(edges, hash);
    if (std::any_of(buckets.begin(), buckets.end(),
                    [](const auto& bucket) { return bucket.size() > kMaxEdges; })) {
      hashed = Hashed::kWhole;
      otherwise = set_aside_twins(node, edges, otherwise);
      buckets = spread(edges, hash);
    }
    std::vector<std::uint32_t> targets;
    for (std::vector<LiteralEdge>& bucket : buckets)
      targets.push_back(
          bucket.empty() ? otherwise : add_node(literal_node(node, std::move(bucket), otherwise)));
    const std::uint32_t first = arrays_.add_numbers(arrays_.targets, targets);
    return {hash_values("kSpread", hash, hashed, node.segment, first, kNone), comment};
  }

  // ---- Other nodes ----

  TableRows::Row class_node(const DecisionNode& node) {
    const std::uint32_t dfa = arrays_.add_dfa(node.automaton);
    const std::uint32_t first = arrays_.add_numbers(arrays_.targets, node.by_accept);
    return {node_values("kClass", 0, node.segment, first, dfa, kNone, 0),
            fmt::format("segment {}: by type", node.segment + 1)};
  }

  TableRows::Row leaf_node(const DecisionNode& node) {
    const std::uint32_t first = add_checks(node);
    std::vector<std::uint32_t> choices = choices_of(node);
    const std::uint32_t route = *std::min_element(choices.begin(), choices.end());
    for (std::uint32_t& choice : choices)
      if (choice != kNone) choice -= route;
    const std::uint32_t place = arrays_.add_numbers(arrays_.choices, choices);
    const Route& best = table_.routes[graph_.rows[node.rows[0]].routes[0]];
    return {node_values("kLeaf", 0, node.checks.size(), first, route, place, methods_of(node)),
            best.method + " " + best.pattern.text};
  }

  std::uint32_t add_checks(const DecisionNode& node) {
    std::string key;
    std::vector<TableRows::Row> rows;
    for (const auto& [segment, asked] : node.checks) {
      rows.push_back(check_row(segment, asked));
      key += rows.back().values;
    }
    const auto [place, is_new] =
        checks_known_.emplace(key, static_cast<std::uint32_t>(arrays_.checks.rows.size()));
    if (is_new) std::move(rows.begin(), rows.end(), std::back_inserter(arrays_.checks.rows));
    return place->second;
  }

  TableRows::Row check_row(std::size_t segment, const Constraint& asked) {
    if (asked.kind == Constraint::Kind::kLiteral) {
      const std::string normal = normal_form(patterns_.literals[asked.id]);
      return {fmt::format("{{{}, {}, kNone}}", arrays_.literal_values(normal), segment),
              fmt::format("segment {}: {}", segment + 1, normal)};
    }
    const std::uint32_t dfa = arrays_.add_dfa(patterns_.languages.automaton(asked.id));
    return {fmt::format("{{0, 0, 0, 0, {}, {}}}", segment, dfa),
            fmt::format("segment {}: by type", segment + 1)};
  }

  // The route of each method, and last that of any other token: the best row that has one.
  std::vector<std::uint32_t> choices_of(const DecisionNode& node) const {
    std::vector<std::uint32_t> choices;
    for (std::size_t id = 0; id <= table_.methods.size(); ++id) {
      choices.push_back(kNone);
      for (const std::uint32_t row : node.rows)
        if (choices.back() == kNone) choices.back() = choice(graph_.rows[row], id);
    }
    return choices;
  }

  std::uint32_t choice(const PatternRow& row, std::size_t id) const {
    const bool known = id < table_.methods.size();
    const auto serves = [&](std::size_t route) {
      const std::string& own = table_.routes[route].method;
      return (known && own == table_.methods[id]) || (own == "GET" && id == detail::kHead) ||
             (own == "ANY" && id != detail::kOptions);
    };
    const auto best = std::find_if(row.routes.begin(), row.routes.end(), serves);
    return best == row.routes.end() ? kNone : static_cast<std::uint32_t>(*best);
  }

  std::uint64_t methods_of(const DecisionNode& node) const {
    std::uint64_t methods = 0;
    for (const std::uint32_t row : node.rows)
      for (const std::size_t route : graph_.rows[row].routes) methods |= method_bits(route);
    return methods;
  }

  std::uint64_t method_bits(std::size_t route) const {
    const std::string& method = table_.routes[route].method;
    if (method == "ANY") return (std::uint64_t{1} << table_.methods.size()) - 1;
    const auto id = std::find(table_.methods.begin(), table_.methods.end(), method);
    return std::uint64_t{1} << (id - table_.methods.begin());
  }

  TableRows::Row search_node(const DecisionNode& node) {
    const std::uint32_t first = arrays_.add_numbers(arrays_.candidates, node.candidates);
    return {node_values("kSearch", 0, 0, first, node.candidates.size(), kNone, 0),
            fmt::format("{} candidates", node.candidates.size())};
  }

  // ---- Parameters ----

  void add_params(const Route& route) {
    const std::vector<Segment>& segments = route.pattern.segments;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const std::uint32_t split =
          segments[i].params.size() > 1 ? add_splits(segments[i], route) : kNone;
      const char* kind = route.pattern.is_rest(i) ? "kRest"
                         : segments[i].is_plain() ? "kSegment"
                                                  : "kPart";
      for (std::size_t part = 0; part < segments[i].params.size(); ++part)
        arrays_.params.rows.push_back(
            {fmt::format("{{\"{}\", ParamKind::{}, {}, {}, {}, {}, {}}}",
                         segments[i].params[part].name, kind, i,
                         segments[i].literals.front().size(), segments[i].literals.back().size(),
                         part, number(split)),
             part + i == 0 ? route.pattern.text : ""});
    }
  }

  std::uint32_t add_splits(const Segment& segment, const Route& route) {
    const auto first = static_cast<std::uint32_t>(arrays_.splits.rows.size());
    for (std::size_t part = 0; part < segment.params.size(); ++part) {
      const bool last = part + 1 == segment.params.size();
      const std::optional<Languages::Id> own = patterns_.languages.of_param(segment, part);
      const std::optional<Languages::Id> rest =
          last ? own : patterns_.languages.of_rest_reversed(segment, part);
      if (!own || !rest) {
        diagnostics_
            .error("pattern-too-large", route.path,
                   "the types of '" + route.pattern.text + "' need too large an automaton")
            .cure = "use simpler types, or fewer parameters in one segment";
        return kNone;
      }
      const bool any = table_.types[segment.params[part].type].kind == TypeKind::kStr;
      arrays_.splits.rows.push_back(
          {fmt::format("{{{}, {}, {}}}",
                       number(any ? kNone : arrays_.add_dfa(patterns_.languages.automaton(*own))),
                       number(last ? kNone : arrays_.add_dfa(patterns_.languages.automaton(*rest))),
                       segment.literals[part + 1].size()),
           route.pattern.text});
    }
    return first;
  }

  const RouteTable& table_;
  PatternSet& patterns_;
  Diagnostics& diagnostics_;
  const DecisionGraph graph_;
  Arrays arrays_;
  std::vector<std::optional<LiteralEdge>> edges_;  // of all nodes
  std::unordered_map<std::string, std::uint32_t> checks_known_;
};

}  // namespace

std::optional<AutomatonPlan> plan_automaton(const RouteTable& table, Ranking& ranking,
                                            std::size_t text_base, const DecisionLimits& limits,
                                            Diagnostics& diagnostics) {
  return Encoder(table, ranking, text_base, limits, diagnostics).run();
}

}  // namespace routec::compiler
