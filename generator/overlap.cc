#include "overlap.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "coverage.h"
#include "meetings.h"
#include "normal_form.h"
#include "precedence.h"
#include "quote.h"

namespace routec::compiler {
namespace {

constexpr std::size_t kMaxOverlapWarnings = 20;
constexpr std::size_t kMaxErrors = 100;

bool is_path_octet(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  return c != '\0' && std::string_view("-._~!$&'()*+,;=:@").find(c) != std::string_view::npos;
}

void append_encoded(std::string& path, std::string_view segment) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  path += '/';
  for (const char c : segment) {
    if (is_path_octet(c)) {
      path += c;
      continue;
    }
    const auto octet = static_cast<unsigned char>(c);
    path += {'%', kHex[octet >> 4], kHex[octet & 15]};
  }
}

// A path without parameters that is its own normal form.
bool is_raw_literal(const Route& route) {
  const auto is_raw = [](const Segment& segment) {
    return segment.is_literal() && !has_marker(normal_form(segment.literals[0]));
  };
  return std::all_of(route.pattern.segments.begin(), route.pattern.segments.end(), is_raw);
}

class Judge {
 public:
  Judge(const RouteTable& table, Diagnostics& diagnostics, PatternSet patterns)
      : table_(table),
        diagnostics_(diagnostics),
        patterns_(std::move(patterns)),
        precedence_(table, patterns_),
        coverage_(patterns_) {}

  std::optional<Ranking> run() {
    std::sort(patterns_.variants.begin(), patterns_.variants.end(),
              [&](const Variant& a, const Variant& b) { return precedence_.compare(a, b) < 0; });
    covered_.resize(patterns_.variants.size());
    helpers_.resize(patterns_.variants.size());
    outranked_.resize(table_.routes.size());
    has_over_ = std::any_of(table_.routes.begin(), table_.routes.end(),
                            [](const Route& route) { return !route.over.empty(); });
    Meetings meetings(patterns_, precedence_);
    for (std::uint32_t i = 0; i < patterns_.variants.size(); ++i)
      meetings.visit(i, [&](const MeetingPair& pair) { judge(pair); });
    add_counts();
    join_helpers();
    lift();
    if (diagnostics_.has_errors()) return std::nullopt;
    const std::vector<bool> unreachable = find_unreachable();
    std::vector<bool> looked_up;
    for (std::size_t i = 0; i < table_.routes.size(); ++i)
      looked_up.push_back(!unreachable[i] && !outranked_[i] && is_raw_literal(table_.routes[i]));
    return Ranking{std::move(patterns_), std::move(looked_up)};
  }

 private:
  const Variant& variant(std::uint32_t index) const { return patterns_.variants[index]; }
  const Route& route(std::uint32_t index) const { return table_.routes[variant(index).route]; }
  std::string shown(std::uint32_t index) const {
    return "'" + route(index).method + " " + route(index).pattern.text + "'";
  }

  // Whether all methods that the first route serves are the second's, too.
  static bool serves_all_of(const Route& first, const Route& second) {
    return first.method == second.method || second.method == "ANY" ||
           (first.method == "HEAD" && second.method == "GET");
  }

  bool lifts(const Route& upper, const Route& lower) const {
    return std::find(upper.over.begin(), upper.over.end(), lower.handler) != upper.over.end();
  }

  void judge(MeetingPair pair) {
    const Route &winner = route(pair.winner), &loser = route(pair.loser);
    if (&winner == &loser) return;
    if (!serves_all_of(winner, loser) && !serves_all_of(loser, winner)) return;
    const bool equal = pair.winner_inside && pair.loser_inside &&
                       variant(pair.winner).cut_rest == variant(pair.loser).cut_rest;
    if (equal && winner.method == loser.method) return report_duplicate(pair);
    const bool kept = lifts(winner, loser), turned = lifts(loser, winner);
    if (has_over_) {
      if (kept || !turned) above_.emplace_back(pair.winner, pair.loser);
      if (turned) above_.emplace_back(pair.loser, pair.winner);
    }
    if (turned) {
      std::swap(pair.winner, pair.loser);
      std::swap(pair.winner_inside, pair.loser_inside);
    }
    if (!route(pair.winner).pattern.is_literal()) outranked_[variant(pair.loser).route] = true;
    if (serves_all_of(route(pair.loser), route(pair.winner))) note_share(pair);
    if (kept || turned || equal) return;
    if (pair.undecided) return report_conflict(pair);
    if (!pair.winner_inside && !pair.loser_inside) report_overlap(pair);
  }

  // What the winner takes from the loser, all or a part.
  void note_share(const MeetingPair& pair) {
    if (!covered_[pair.loser].empty()) return;
    if (pair.loser_inside)
      covered_[pair.loser] = {pair.winner};
    else if (coverage_.can_help(variant(pair.winner), variant(pair.loser)))
      helpers_[pair.loser].push_back(pair.winner);
  }

  void join_helpers() {
    for (std::uint32_t i = 0; i < helpers_.size(); ++i) {
      if (!covered_[i].empty() || helpers_[i].empty()) continue;
      std::sort(helpers_[i].begin(), helpers_[i].end());
      covered_[i] = coverage_.cover(variant(i), helpers_[i]);
    }
    helpers_.clear();
  }

  // The later one of a pair carries the message, the other one a note.
  Diagnostic* report(const MeetingPair& pair, std::string_view code, std::string text) {
    if (++errors_ > kMaxErrors) return nullptr;
    const bool in_order = before(route(pair.winner).key, route(pair.loser).key);
    const std::uint32_t first = in_order ? pair.winner : pair.loser;
    const std::uint32_t second = in_order ? pair.loser : pair.winner;
    Diagnostic& message = diagnostics_.error(code, route(second).path, std::move(text));
    message.notes.push_back({route(first).path, "the other one, " + shown(first) + ", is here"});
    return &message;
  }

  static bool before(const Span& a, const Span& b) {
    return std::pair(a.file, a.begin) < std::pair(b.file, b.begin);
  }

  void report_duplicate(const MeetingPair& pair) {
    const bool in_order = before(route(pair.winner).key, route(pair.loser).key);
    const std::uint32_t first = in_order ? pair.winner : pair.loser;
    const std::uint32_t second = in_order ? pair.loser : pair.winner;
    Diagnostic* message = report(pair, "duplicate-route",
                                 shown(second) + " matches the same paths as " + shown(first) +
                                     ": one of them never gets a request");
    if (message)
      message->cure = "remove one of them; names of parameters do not tell patterns apart";
  }

  void report_conflict(const MeetingPair& pair) {
    const auto [a, b] = crossing_segments(pair);
    const std::string path = witness(pair);
    Diagnostic* message = report(pair, "type-conflict",
                                 "'" + path + "' fits both " + shown(pair.winner) + " and " +
                                     shown(pair.loser) + ": " + types_of(*a) + " and " +
                                     types_of(*b) + " meet, and neither is a part of the other");
    if (message)
      message->cure = "narrow one of the types, or write 'over: " +
                      table_.handlers[route(pair.loser).handler].name + "' on " +
                      shown(pair.winner);
  }

  std::pair<const Segment*, const Segment*> crossing_segments(const MeetingPair& pair) const {
    const Variant &a = variant(pair.winner), &b = variant(pair.loser);
    std::size_t at = 0;
    while (a.segments[at] == b.segments[at]) ++at;
    return {patterns_.segments[a.segments[at].id], patterns_.segments[b.segments[at].id]};
  }

  std::string types_of(const Segment& segment) const {
    std::string names;
    for (const Param& param : segment.params)
      names += (names.empty() ? "" : "-") + table_.types[param.type].name;
    return "'" + names + "'";
  }

  void report_overlap(const MeetingPair& pair) {
    const std::pair routes(static_cast<std::uint32_t>(variant(pair.winner).route),
                           static_cast<std::uint32_t>(variant(pair.loser).route));
    overlaps_.push_back(routes);
    if (shown_.size() == kMaxOverlapWarnings || !shown_.insert(routes).second) return;
    const std::string path = witness(pair);
    Diagnostic& message =
        diagnostics_.warning("overlap", route(pair.winner).path,
                             "'" + path + "' fits both " + shown(pair.winner) + " and " +
                                 shown(pair.loser) + "; " + shown(pair.winner) + " wins");
    message.notes.push_back({route(pair.loser).path, "the other one is here"});
    message.cure = "narrow a type, add a route for what both match, or write 'over: " +
                   table_.handlers[route(pair.loser).handler].name + "' on " + shown(pair.winner) +
                   " to say that it is meant";
    last_overlap_ = diagnostics_.all().size() - 1;
  }

  void add_counts() {
    const bool is_silenced = last_overlap_ >= diagnostics_.all().size() ||
                             diagnostics_.all()[last_overlap_].code != "overlap";
    std::sort(overlaps_.begin(), overlaps_.end());
    overlaps_.erase(std::unique(overlaps_.begin(), overlaps_.end()), overlaps_.end());
    if (overlaps_.size() <= kMaxOverlapWarnings || is_silenced) return;
    Diagnostic& last = diagnostics_.all()[last_overlap_];
    last.notes.push_back({last.span, std::to_string(overlaps_.size() - kMaxOverlapWarnings) +
                                         " more overlaps are not shown"});
  }

  // A short path that both match.
  std::string witness(const MeetingPair& pair) {
    const Variant &a = variant(pair.winner), &b = variant(pair.loser);
    const std::size_t size = std::max(a.segments.size(), b.segments.size());
    std::string path;
    for (std::size_t i = 0; i < size; ++i) {
      const Constraint any{Constraint::Kind::kLanguage, Languages::kAny};
      append_encoded(path, common_text(i < a.segments.size() ? a.segments[i] : any,
                                       i < b.segments.size() ? b.segments[i] : any));
    }
    const bool rest_of_both = a.rest && b.rest && a.segments.size() == b.segments.size();
    return rest_of_both ? path + "/x" : path;
  }

  std::string common_text(const Constraint& a, const Constraint& b) {
    if (a.kind == Constraint::Kind::kLiteral) return patterns_.literals[a.id];
    if (b.kind == Constraint::Kind::kLiteral) return patterns_.literals[b.id];
    return a.is_any() && b.is_any() ? "x" : patterns_.languages.meeting(a.id, b.id).witness;
  }

  // Sorts again where `over` turned a pair round: best first, as before wherever it may be.
  void lift() {
    if (!has_over_) return;
    const std::size_t count = patterns_.variants.size();
    std::vector<std::vector<std::uint32_t>> below(count);
    std::vector<std::size_t> waiting(count);
    for (const auto& [upper, lower] : above_) {
      below[upper].push_back(lower);
      ++waiting[lower];
    }
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t i = 0; i < count; ++i)
      if (waiting[i] == 0) ready.push(i);
    std::vector<std::uint32_t> order;
    for (; !ready.empty();) {
      const std::uint32_t next = ready.top();
      ready.pop();
      order.push_back(next);
      for (const std::uint32_t lower : below[next])
        if (--waiting[lower] == 0) ready.push(lower);
    }
    if (order.size() < count) return report_cycle(waiting);
    reorder(order);
  }

  void report_cycle(const std::vector<std::size_t>& waiting) {
    for (std::uint32_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i] == 0 || route(i).over.empty()) continue;
      diagnostics_
          .error("over-cycle", route(i).over_span,
                 "'over' goes round in a circle: " + shown(i) + " would outrank itself")
          .cure = "remove one 'over' of the circle";
      return;
    }
  }

  void reorder(const std::vector<std::uint32_t>& order) {
    std::vector<Variant> variants;
    std::vector<std::vector<std::uint32_t>> covered;
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    for (const std::uint32_t old : order) {
      variants.push_back(std::move(patterns_.variants[old]));
      for (std::uint32_t& by : covered.emplace_back(covered_[old])) by = place[by];
    }
    patterns_.variants = std::move(variants);
    covered_ = std::move(covered);
  }

  std::vector<bool> find_unreachable() {
    std::vector<bool> unreachable(table_.routes.size(), true);
    for (std::uint32_t i = 0; i < covered_.size(); ++i)
      if (covered_[i].empty()) unreachable[variant(i).route] = false;
    for (std::uint32_t i = 0; i < covered_.size(); ++i) {
      if (!unreachable[variant(i).route] || !reported_.insert(variant(i).route).second) continue;
      report_unreachable(i);
    }
    return unreachable;
  }

  void report_unreachable(std::uint32_t index) {
    constexpr std::size_t kMaxShown = 3;
    const std::vector<std::uint32_t>& winners = covered_[index];
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(winners.size(), kMaxShown); ++i)
      names.push_back(shown(winners[i]));
    if (winners.size() > kMaxShown)
      names.push_back(std::to_string(winners.size() - kMaxShown) + " more");
    const bool is_one = winners.size() == 1;
    Diagnostic& message =
        diagnostics_.warning("unreachable", route(index).path,
                             shown(index) + " never gets a request: " + list_words(names, "and") +
                                 (is_one ? " wins" : " win") + " wherever it matches");
    for (std::size_t i = 0; i < std::min(winners.size(), kMaxShown); ++i)
      message.notes.push_back({route(winners[i]).path, "the winner is here"});
    message.cure = "remove it, or make the winner narrower";
  }

  const RouteTable& table_;
  Diagnostics& diagnostics_;
  PatternSet patterns_;
  Precedence precedence_;
  Coverage coverage_;
  bool has_over_ = false;
  std::size_t errors_ = 0;
  std::size_t last_overlap_ = 0;
  std::vector<std::vector<std::uint32_t>> covered_;  // by variant: those that always beat it
  std::vector<std::vector<std::uint32_t>> helpers_;  // by variant: those that beat it in a part
  std::vector<bool> outranked_;  // by route: somewhere, by one that is not literal
  std::vector<std::pair<std::uint32_t, std::uint32_t>> overlaps_;  // routes; there may be millions
  std::set<std::pair<std::uint32_t, std::uint32_t>> shown_;        // those with a warning
  std::set<std::size_t> reported_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> above_;  // only filled if has_over_
};

}  // namespace

std::optional<Ranking> rank_routes(const RouteTable& table, Diagnostics& diagnostics) {
  std::optional<PatternSet> patterns = expand_patterns(table, diagnostics);
  if (!patterns) return std::nullopt;
  return Judge(table, diagnostics, *std::move(patterns)).run();
}

}  // namespace routec::compiler
