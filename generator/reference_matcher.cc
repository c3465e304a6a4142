#include "reference_matcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "ascii.h"
#include "path_pattern.h"
#include "quote.h"
#include "split_segment.h"

namespace routec::compiler {
namespace {

using Segments = std::vector<std::string>;

// Of "%HH".
std::optional<char> decode_escape(std::string_view escape) {
  if (escape.size() < 3) return std::nullopt;
  const int high = hex_value(escape[1]), low = hex_value(escape[2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

// Splits, then decodes. A sentence instead when the path is to be refused with 400.
std::string split_path(std::string_view path, Segments& segments) {
  if (!path.starts_with('/')) return "the target does not begin with '/'";
  for (std::size_t i = 0; i < path.size(); ++i) {
    char octet = path[i];
    if (octet == '/') {
      segments.emplace_back();
      continue;
    }
    if (octet == '#') return "the path holds '#', which no request target may";
    if (octet == '%') {
      const std::optional<char> decoded = decode_escape(path.substr(i, 3));
      if (!decoded) return fmt::format("{} is no percent-escape", quote(path.substr(i, 3)));
      octet = *decoded;
      i += 2;
    }
    if (is_control(octet)) return "the path holds a control character";
    segments.back() += octet;
  }
  for (const std::string& segment : segments)
    if (segment == "." || segment == "..")
      return fmt::format("the path holds the segment {}", quote(segment));
  return {};
}

// The segments of the path with its last slash taken off or put on. "/" has no other spelling, and
// neither has a path that ends in two slashes.
std::optional<Segments> other_spelling(Segments segments) {
  if (!segments.back().empty()) {
    segments.emplace_back();
    return segments;
  }
  segments.pop_back();
  if (segments.empty() || segments.back().empty()) return std::nullopt;
  return segments;
}

std::string join(const Segments& segments, std::size_t first) {
  std::string text = segments[first];
  for (std::size_t i = first + 1; i < segments.size(); ++i) text += "/" + segments[i];
  return text;
}

// ---- Precedence ---------------------------------------------------------------------------------

// Design, section 4, rule 4. Lower ranks higher.
enum class Rank { kLiteral, kAffixed, kTyped, kPlain, kRest };

// `takes_any`: by type.
Rank rank_of(const Segment& segment, bool is_rest, const std::vector<bool>& takes_any) {
  if (is_rest) return Rank::kRest;
  if (segment.is_literal()) return Rank::kLiteral;
  if (!segment.is_plain()) return Rank::kAffixed;
  return takes_any[segment.params[0].type] ? Rank::kPlain : Rank::kTyped;
}

const char* describe(Rank rank) {
  switch (rank) {
    case Rank::kLiteral:
      return "literal text";
    case Rank::kAffixed:
      return "a parameter with text beside it";
    case Rank::kTyped:
      return "a typed parameter";
    case Rank::kPlain:
      return "a parameter of any text";
    case Rank::kRest:
      return "a rest parameter";
  }
  return "";
}

std::size_t literal_octets(const Segment& segment) {
  std::size_t count = 0;
  for (const std::string& literal : segment.literals) count += literal.size();
  return count;
}

// Negative when `a` is the larger, which ranks higher.
int more_first(std::size_t a, std::size_t b) { return a > b ? -1 : a < b ? 1 : 0; }

int method_rank(const std::string& route_method, std::string_view method) {
  return route_method == method ? 0 : route_method == "ANY" ? 2 : 1;
}

}  // namespace

struct ReferenceMatcher::Request {
  std::string_view method;
  std::string_view path;
  std::string_view query;  // with its '?'
  Segments segments;       // decoded
};

struct ReferenceMatcher::Candidate {
  std::size_t route = 0;
  std::vector<const Segment*> segments;  // without an optional one that is absent
  std::vector<std::pair<std::string, std::string>> params;
};

ReferenceMatcher::ReferenceMatcher(const RouteTable& table) : table_(table) {
  const std::unique_ptr<TypeAutomaton> any_text = make_automaton(ParamType());
  for (const ParamType& type : table.types) {
    types_.push_back(make_automaton(type));
    takes_any_.push_back(includes(*types_.back(), *any_text));
  }
}
ReferenceMatcher::~ReferenceMatcher() = default;

Explanation ReferenceMatcher::explain(std::string_view method, std::string_view target) {
  Explanation explanation;
  const auto refuse = [&](int status, std::string why) {
    explanation.status = status;
    explanation.why.push_back(std::move(why));
    return explanation;
  };
  if (!is_token(method)) return refuse(400, quote(method) + " is no method: it is no token");
  Request request{method, target.substr(0, target.find('?')), {}, {}};
  request.query = target.substr(request.path.size());
  if (method == "OPTIONS" && target == "*") {
    refuse_method(request, explanation);
    return explanation;
  }
  std::string malformed = split_path(request.path, request.segments);
  if (!malformed.empty()) return refuse(400, std::move(malformed));
  if (target.size() > kMaxTargetOctets)
    return refuse(414, fmt::format("the target has {} octets; {} are allowed", target.size(),
                                   kMaxTargetOctets));
  route(request, explanation);
  return explanation;
}

void ReferenceMatcher::route(const Request& request, Explanation& explanation) {
  const std::vector<Candidate> all = candidates(request);
  std::vector<Candidate> own;
  for (const Candidate& candidate : all)
    if (serves(table_.routes[candidate.route], request.method)) own.push_back(candidate);
  const bool is_known = std::find(table_.methods.begin(), table_.methods.end(), request.method) !=
                        table_.methods.end();
  if (!own.empty()) {
    choose(std::move(own), request, explanation);
  } else if (!is_known) {
    explanation.status = 501;
    explanation.why.push_back(fmt::format(
        "the method {} is neither a standard one nor in the manifest, and no ANY route matches",
        quote(request.method)));
  } else if (!all.empty()) {
    refuse_method(request, explanation);
  } else if (!redirect(request, explanation)) {
    explanation.why.push_back("no route of any method matches the path");
    explain_misses(request, explanation);
  }
}

// How many segments of the path fit the pattern before one does not, or one of the two ends.
std::size_t ReferenceMatcher::matched_segments(const Pattern& pattern, const Segments& segments) {
  std::size_t count = 0;
  Candidate scratch;
  while (count < pattern.segments.size() && count < segments.size() &&
         match_segment(pattern.segments[count], segments[count], scratch))
    ++count;
  return count;
}

// Names the routes that fit the longest part of the path, if they fit any of it.
void ReferenceMatcher::explain_misses(const Request& request, Explanation& explanation) {
  constexpr std::size_t kMostShown = 3;
  std::size_t best = 1;
  std::vector<std::size_t> nearest;
  for (std::size_t route = 0; route < table_.routes.size(); ++route) {
    const std::size_t count = matched_segments(table_.routes[route].pattern, request.segments);
    if (count > best) nearest.clear();
    best = std::max(best, count);
    if (count == best) nearest.push_back(route);
  }
  nearest.resize(std::min(nearest.size(), kMostShown));
  for (const std::size_t route : nearest) {
    const std::size_t size = table_.routes[route].pattern.segments.size();
    const std::string misfit =
        best == request.segments.size() ? "the path ends there, and the pattern goes on"
        : best == size
            ? "the pattern ends there, and the path goes on"
            : fmt::format("segment {}, {}, does not fit", best + 1, quote(request.segments[best]));
    explanation.why.push_back(
        fmt::format("{} fits up to segment {}, but {}", title(route), best, misfit));
  }
}

bool ReferenceMatcher::redirect(const Request& request, Explanation& explanation) {
  // A target that begins with two slashes would be taken for the name of a host.
  const bool may = table_.slash == SlashMode::kRedirect && request.path.size() > 1 &&
                   !request.path.starts_with("//");
  if (!may) return false;
  std::string other(request.path);
  if (other.ends_with('/'))
    other.pop_back();
  else
    other += '/';
  if (other.size() + request.query.size() > kMaxTargetOctets) return false;
  Request again{request.method, other, {}, {}};
  if (!split_path(other, again.segments).empty()) return false;
  std::vector<Candidate> list = candidates(again);
  const bool found = std::any_of(list.begin(), list.end(), [&](const Candidate& candidate) {
    return serves(table_.routes[candidate.route], request.method);
  });
  if (!found) return false;
  explanation.status = 308;
  explanation.why.push_back(fmt::format(
      "no route matches the path, but one matches {}, and 'slash' is redirect", quote(other)));
  explanation.location = std::move(other);
  explanation.location += request.query;
  return true;
}

// 405, or 204 for OPTIONS: with the methods of all routes that match the path, or of all routes.
void ReferenceMatcher::refuse_method(const Request& request, Explanation& explanation) {
  std::set<std::string> allow = {"OPTIONS"};
  const auto add = [&](const Route& route) {
    if (route.method == "ANY")
      allow.insert(table_.methods.begin(), table_.methods.end());
    else
      allow.insert(route.method);
    if (route.method == "GET") allow.insert("HEAD");
  };
  if (request.path == "*")
    for (const Route& route : table_.routes) add(route);
  else
    for (const Candidate& candidate : candidates(request)) add(table_.routes[candidate.route]);
  explanation.allow.assign(allow.begin(), allow.end());
  explanation.status = request.method == "OPTIONS" ? 204 : 405;
  explanation.why.push_back(
      request.method == "OPTIONS"
          ? "OPTIONS has no route here and is answered with the methods there are"
          : fmt::format("no route of {} matches the path, but routes of other methods do",
                        quote(request.method)));
}

// ---- Matching -----------------------------------------------------------------------------------

bool ReferenceMatcher::serves(const Route& route, std::string_view method) const {
  return route.method == method || (route.method == "GET" && method == "HEAD") ||
         (route.method == "ANY" && method != "OPTIONS");
}

// The routes of every method that match the path.
std::vector<ReferenceMatcher::Candidate> ReferenceMatcher::candidates(const Request& request) {
  const std::optional<Segments> other =
      table_.slash == SlashMode::kBoth ? other_spelling(request.segments) : std::nullopt;
  std::vector<Candidate> list;
  for (std::size_t route = 0; route < table_.routes.size(); ++route) {
    std::optional<Candidate> candidate = match(route, request.segments);
    if (!candidate && other) candidate = match(route, *other);
    if (candidate) list.push_back(std::move(*candidate));
  }
  return list;
}

std::optional<ReferenceMatcher::Candidate> ReferenceMatcher::match(std::size_t route,
                                                                   const Segments& segments) {
  const Pattern& pattern = table_.routes[route].pattern;
  const std::size_t last = pattern.segments.size() - 1;
  const bool is_root = segments.size() == 1 && segments[0].empty();
  const bool is_absent =
      pattern.tail == Tail::kOptional && (last == 0 ? is_root : segments.size() == last);
  const bool fits = is_absent || segments.size() == last + 1 ||
                    (pattern.tail == Tail::kRest && segments.size() > last + 1);
  if (!fits) return std::nullopt;
  Candidate candidate;
  candidate.route = route;
  const std::size_t matched_one_by_one = is_absent || pattern.tail == Tail::kRest ? last : last + 1;
  for (std::size_t i = 0; i < matched_one_by_one; ++i) {
    if (!match_segment(pattern.segments[i], segments[i], candidate)) return std::nullopt;
    candidate.segments.push_back(&pattern.segments[i]);
  }
  // "/a/" and "/a" only meet where they are two spellings of one path.
  const bool ends_in_slash = !candidate.segments.empty() &&
                             candidate.segments.back()->is_literal() &&
                             candidate.segments.back()->literals[0].empty();
  if (ends_in_slash) candidate.segments.pop_back();
  if (pattern.tail == Tail::kRest) {
    candidate.params.emplace_back(pattern.segments[last].params[0].name, join(segments, last));
    candidate.segments.push_back(&pattern.segments[last]);
  }
  return candidate;
}

bool ReferenceMatcher::match_segment(const Segment& segment, std::string_view text,
                                     Candidate& candidate) {
  if (segment.is_literal()) return text == segment.literals[0];
  const auto values = split_segment(segment, types_, text);
  if (!values) return false;
  for (std::size_t i = 0; i < values->size(); ++i)
    candidate.params.emplace_back(segment.params[i].name, (*values)[i]);
  return true;
}

// ---- Choosing -----------------------------------------------------------------------------------

void ReferenceMatcher::choose(std::vector<Candidate> list, const Request& request,
                              Explanation& explanation) {
  const auto is_over = [&](const Candidate& a, const Candidate& b) {
    const Route& lifted = table_.routes[a.route];
    return std::find(lifted.over.begin(), lifted.over.end(), table_.routes[b.route].handler) !=
           lifted.over.end();
  };
  const auto is_outranked = [&](const Candidate& candidate) {
    return std::any_of(list.begin(), list.end(), [&](const Candidate& other) {
      return other.route != candidate.route && is_over(other, candidate);
    });
  };
  std::string why;
  const Candidate* winner = nullptr;
  for (const Candidate& candidate : list) {
    if (is_outranked(candidate)) continue;
    if (winner == nullptr || compare(candidate, *winner, request, why) < 0) winner = &candidate;
  }
  if (winner == nullptr) winner = &list.front();  // a cycle, which the compiler refuses
  explanation.status = 200;
  explanation.route = winner->route;
  explanation.params = winner->params;
  explanation.why.push_back(title(winner->route) +
                            (list.size() == 1 ? " is the only route that matches" : " wins"));
  for (const Candidate& other : list) {
    if (&other == winner) continue;
    if (is_over(*winner, other))
      why = "the winner is declared 'over' it";
    else
      compare(*winner, other, request, why);
    explanation.why.push_back(fmt::format("{} matches too, but {}", title(other.route), why));
  }
}

int ReferenceMatcher::compare(const Candidate& a, const Candidate& b, const Request& request,
                              std::string& why) {
  const Route& x = table_.routes[a.route];
  const Route& y = table_.routes[b.route];
  const std::size_t common = std::min(a.segments.size(), b.segments.size());
  for (std::size_t i = 0; i < common; ++i) {
    const Rank rank = rank_of(*a.segments[i], x.pattern.is_rest(i), takes_any_);
    const Rank other = rank_of(*b.segments[i], y.pattern.is_rest(i), takes_any_);
    int order = rank < other ? -1 : rank > other ? 1 : 0;
    if (order != 0)
      why = fmt::format("{} ranks above {}", describe(std::min(rank, other)),
                        describe(std::max(rank, other)));
    else if (rank == Rank::kAffixed || rank == Rank::kTyped)
      order = compare_segments(*a.segments[i], *b.segments[i], why);
    if (order != 0) {
      why = fmt::format("in segment {} {}", i + 1, why);
      return order;
    }
  }
  why = "the path that ends ranks above one that goes on";
  if (a.segments.size() != b.segments.size()) return a.segments.size() < b.segments.size() ? -1 : 1;
  why =
      "for the same pattern the request's own method ranks above GET for HEAD, and both above ANY";
  return method_rank(x.method, request.method) - method_rank(y.method, request.method);
}

int ReferenceMatcher::compare_segments(const Segment& a, const Segment& b, std::string& why) {
  why = "more literal octets rank higher";
  if (const int order = more_first(literal_octets(a), literal_octets(b))) return order;
  why = "the longer text before the parameter ranks higher";
  if (const int order = more_first(a.literals.front().size(), b.literals.front().size()))
    return order;
  why = "the longer text behind the parameter ranks higher";
  if (const int order = more_first(a.literals.back().size(), b.literals.back().size()))
    return order;
  why = "the text that comes first in octet order ranks higher";
  if (a.literals != b.literals) return a.literals < b.literals ? -1 : 1;
  for (std::size_t i = 0; i < a.params.size(); ++i)
    if (const int order = compare_types(a.params[i].type, b.params[i].type, why)) return order;
  return 0;
}

int ReferenceMatcher::compare_types(std::size_t a, std::size_t b, std::string& why) {
  if (a == b) return 0;
  const TypeKind x = table_.types[a].kind, y = table_.types[b].kind;
  why = "uint ranks above int";
  if (x == TypeKind::kUint && y == TypeKind::kInt) return -1;
  if (x == TypeKind::kInt && y == TypeKind::kUint) return 1;
  const bool a_is_narrower = includes(*types_[b], *types_[a]);
  const bool b_is_narrower = includes(*types_[a], *types_[b]);
  if (a_is_narrower == b_is_narrower) return 0;
  const std::size_t narrow = a_is_narrower ? a : b, wide = a_is_narrower ? b : a;
  why = fmt::format("the type {} is narrower than {}", table_.types[narrow].name,
                    table_.types[wide].name);
  return a_is_narrower ? -1 : 1;
}

std::string ReferenceMatcher::title(std::size_t index) const {
  const Route& route = table_.routes[index];
  return fmt::format("{} {} ({})", route.method, route.pattern.text,
                     table_.handlers[route.handler].name);
}

}  // namespace routec::compiler
