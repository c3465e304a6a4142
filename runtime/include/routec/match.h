// What a lookup found.
//
// Thread-safety: a Match is immutable. Lookups never allocate; functions that return std::string
// do.
#ifndef ROUTEC_MATCH_H_
#define ROUTEC_MATCH_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "routec/http.h"
#include "routec/matcher.h"
#include "routec/param_split.h"

namespace routec {

class Match;

namespace detail {

// Matches `target`, in origin form or "*".
Match match(const Tables& tables, std::string_view method, std::string_view target) noexcept;

// The same, compiled for one set of tables.
template <const Tables& kTables>
ROUTEC_HOT Match match(std::string_view method, std::string_view target) noexcept;

// Text that is decoded only if it holds an escape: a view of the target, or a copy of its own.
class DecodedText {
 public:
  // Every '%' stands before two hex digits, as in all that was matched.
  explicit DecodedText(std::string_view raw) : view_(raw) {
    if (raw.find('%') != std::string_view::npos) decode(raw);
  }
  DecodedText(const DecodedText&) = delete;
  DecodedText& operator=(const DecodedText&) = delete;

  std::string_view view() const noexcept { return view_; }

 private:
  void decode(std::string_view raw) {
    storage_.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] != '%') {
        storage_ += raw[i];
        continue;
      }
      storage_ += static_cast<char>(hex_value(raw[i + 1]) * 16 + hex_value(raw[i + 2]));
      i += 2;
    }
    view_ = storage_;
  }

  std::string storage_;
  std::string_view view_;
};

}  // namespace detail

// The answer to one lookup. It views the target that was matched, which must outlive it, and static
// tables.
class Match {
 public:
  // 200: a route, and only then route(), name(), pattern() and the parameters mean anything.
  // 204: OPTIONS, answered with allow(). 308: see location(). 400: malformed method or path. 404.
  // 405: see allow(). 414: target over kMaxTarget octets. 501: a method that is
  // neither RFC 9110's, nor PATCH, nor in the table.
  int status() const noexcept { return status_; }

  std::uint32_t route() const noexcept { return found() ? entry_->id : 0; }  // enumerator of Route
  // Row of the route table: a method and a pattern.
  std::size_t index() const noexcept {
    return found() ? static_cast<std::size_t>(entry_ - tables_->routes) : 0;
  }
  std::string_view name() const noexcept { return found() ? entry_->name : ""; }
  std::string_view pattern() const noexcept { return found() ? entry_->pattern : ""; }
  // Octets that the request's body may have; empty: the server's default.
  std::optional<std::uint64_t> body_limit() const noexcept;

  std::size_t param_count() const noexcept { return found() ? entry_->param_count : 0; }
  std::string_view param_name(std::size_t index) const noexcept { return param_entry(index).name; }
  // False for an optional parameter that is not there.
  bool has_param(std::size_t index) const { return !raw_param(index).empty(); }
  // As in the target; empty for an optional parameter that is not there.
  std::string_view raw_param(std::size_t index) const;
  detail::DecodedText text(std::size_t index) const {
    return detail::DecodedText(raw_param(index));
  }
  std::string param(std::size_t index) const { return std::string(text(index).view()); }

  // Methods for the path, sorted: "GET, HEAD, OPTIONS". Empty unless the status is 204 or 405.
  std::string allow() const;
  // The path with its other trailing slash, and the query. Empty unless the status is 308.
  std::string location() const;

 private:
  friend Match detail::match(const detail::Tables&, std::string_view, std::string_view) noexcept;
  template <const detail::Tables& kTables>
  friend Match detail::match(std::string_view, std::string_view) noexcept;

  // Leaves what a literal route has no use for as it is: over half a kilobyte.
  Match(const detail::Tables& tables, std::string_view target) noexcept
      : tables_(&tables), target_(target) {}

  bool found() const noexcept { return status_ == 200; }
  const detail::ParamEntry& param_entry(std::size_t index) const noexcept {
    return tables_->params[entry_->params + index];
  }
  std::string_view raw_path() const noexcept { return {target_.data(), scan_.length}; }

  std::uint32_t method_id(std::string_view method) const noexcept;
  // The literal route of a standard method, nullptr if there is none.
  const detail::RouteEntry* find_at_once(const detail::Tables& tables,
                                         std::string_view method) const noexcept;
  // All that find_at_once() leaves. The first is compiled for one set of tables, and is given no
  // more than the caller was given, so that the caller has nothing to save.
  template <const detail::Tables& kTables>
  void find_other(std::string_view method) noexcept;
  void find_other(const detail::Tables& tables, std::string_view method) noexcept;
  void find_slowly(std::string_view method) noexcept;
  void find_slowly(std::uint32_t id, bool may_redirect) noexcept;
  // kSlack octets can be read beyond the end of these targets and paths.
  void find_usual(const detail::Tables& tables, std::uint32_t id, std::string_view target,
                  bool may_redirect) noexcept;
  void find_unusual(std::uint32_t id, std::string_view target, bool may_redirect) noexcept;
  bool cut_query(std::uint32_t id, std::string_view& path) noexcept;
  void find_scanned(std::uint32_t id, std::string_view target, bool may_redirect) noexcept;
  bool find_literal_of_any(std::uint32_t method, std::string_view path) noexcept;
  bool find_literal(std::uint32_t method, std::string_view path) noexcept;
  void walk(const detail::Tables& tables, std::uint32_t method, std::string_view path,
            const detail::PathScan& scan) noexcept;
  void find_path(std::uint32_t method, std::string_view path) noexcept;
  void find_escaped(std::uint32_t method) noexcept;
  void miss(const detail::Tables& tables, std::uint32_t method, std::string_view path,
            std::uint64_t allowed) noexcept;
  void miss_literals(std::uint64_t others, std::uint32_t method, std::string_view path,
                     std::uint64_t allowed) noexcept;
  void set_missed(std::uint32_t method, std::uint64_t allowed) noexcept;
  bool set_found(const detail::RouteEntry* route) noexcept;
  void redirect_slash(std::uint32_t id) noexcept;
  bool other_slash_is_found(std::uint32_t id) const noexcept;
  std::string_view raw_segment(std::uint32_t index) const noexcept {
    return {target_.data() + scan_.begin(index), scan_.size(index)};
  }
  std::string_view raw_other_param(const detail::ParamEntry& param) const;
  std::string_view raw_part(const detail::ParamEntry& param, std::string_view raw) const;

  const detail::Tables* tables_;
  std::string_view target_;
  const detail::RouteEntry* entry_;  // of status 200
  int status_ = 404;
  std::uint64_t allowed_;  // a bit a method id; of status 204 and 405
  detail::PathScan scan_;  // of the raw path, unless the route is literal
};

// ---- Lookup -------------------------------------------------------------------------------------

namespace detail {

inline constexpr std::uint32_t kHead = static_cast<std::uint32_t>(Method::head);
inline constexpr std::uint32_t kGet = static_cast<std::uint32_t>(Method::get);
inline constexpr std::uint32_t kOptions = static_cast<std::uint32_t>(Method::options);
inline constexpr std::uint32_t kStandardMethodCount = static_cast<std::uint32_t>(Method::other);

// The standard methods by a minimal perfect hash of their octets, in the high ones of a word, and
// their size.
class StandardMethods {
 public:
  constexpr StandardMethods() noexcept {
    for (const std::string_view name : kMethodNames) {
      std::uint64_t word = 0;
      for (const char c : name)
        word = word >> 8 | std::uint64_t{static_cast<unsigned char>(c)} << 56;
      word |= name.size();
      words_[hash(word)] = word;
    }
  }

  // kNone for any other method, and where eight octets can't be read.
  ROUTEC_HOT std::uint32_t id(std::string_view method) const noexcept {
    const std::size_t size = method.size();
    if (size - 1 >= 7 || !can_read(method.data(), 8)) return kNone;
    const std::uint64_t word = load_le64(method.data()) << (size * 56 & 63) | size;
    const std::uint32_t id = hash(word);
    return words_[id] == word ? id : kNone;
  }

 private:
  // The id. A multiplier found by trying: it puts the nine into their order.
  static constexpr std::uint32_t hash(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word * 0x988d360f78dfc4eb >> 60);
  }

  std::uint64_t words_[16] = {};
};

inline constexpr StandardMethods kStandardMethods;

// Whether every escape is well formed and stands for no control octet, and no segment decodes to
// "." or "..". Raw control octets are found by scan_path().
inline bool is_acceptable(std::string_view path) noexcept {
  std::size_t size = 0, dots = 0;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    if (i == path.size() || path[i] == '/') {
      if (size == dots && (size == 1 || size == 2)) return false;
      size = dots = 0;
      continue;
    }
    char octet = path[i];
    if (octet == '%') {
      const int high = i + 2 < path.size() ? hex_value(path[i + 1]) : -1;
      const int low = i + 2 < path.size() ? hex_value(path[i + 2]) : -1;
      octet = static_cast<char>(high * 16 + low);
      if (high < 0 || low < 0 || static_cast<unsigned char>(octet) < 0x20 || octet == 0x7f)
        return false;
      i += 2;
    }
    ++size;
    if (octet == '.') ++dots;
  }
  return true;
}

// Writes the normal form of an acceptable path to `out`, which has room for it; returns its size.
inline std::size_t normalize(std::string_view path, char* out) noexcept {
  char* end = out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '%') {
      *end++ = path[i];
      continue;
    }
    *end++ = normal_octet(static_cast<char>(hex_value(path[i + 1]) * 16 + hex_value(path[i + 2])));
    i += 2;
  }
  return static_cast<std::size_t>(end - out);
}

template <const Tables& kTables>
ROUTEC_HOT Match match(std::string_view method, std::string_view target) noexcept {
  Match match(kTables, target);
  if (!match.set_found(match.find_at_once(kTables, method))) [[unlikely]]
    match.find_other<kTables>(method);
  return match;
}

inline Match match(const Tables& tables, std::string_view method,
                   std::string_view target) noexcept {
  Match match(tables, target);
  if (!match.set_found(match.find_at_once(tables, method))) match.find_other(tables, method);
  return match;
}

}  // namespace detail

// The id; method_count for another token, and one more for what is no token.
inline std::uint32_t Match::method_id(std::string_view method) const noexcept {
  const auto standard = static_cast<std::uint32_t>(parse_method(method));
  if (standard != detail::kStandardMethodCount) return standard;
  for (std::uint32_t id = detail::kStandardMethodCount; id < tables_->method_count; ++id)
    if (method == tables_->methods[id]) return id;
  return tables_->method_count + (detail::is_token(method) ? 0u : 1u);
}

// What is no path is no key either, so the whole target can be looked up before it is scanned.
ROUTEC_HOT const detail::RouteEntry* Match::find_at_once(const detail::Tables& tables,
                                                         std::string_view method) const noexcept {
  const std::uint32_t id = detail::kStandardMethods.id(method);
  return id == detail::kNone ? nullptr : detail::find_literal(tables, id, target_);
}

ROUTEC_HOT void Match::find_other(const detail::Tables& tables, std::string_view method) noexcept {
  const std::uint32_t id = detail::kStandardMethods.id(method);
  if (id == detail::kNone) [[unlikely]]
    return find_slowly(method);
  if (target_.size() - 1 >= detail::kMaxTarget || !detail::has_slack(target_)) [[unlikely]]
    return find_slowly(id, tables.redirect_slash);
  find_usual(tables, id, target_, tables.redirect_slash);
}

template <const detail::Tables& kTables>
ROUTEC_COLD void Match::find_other(std::string_view method) noexcept {
  find_other(kTables, method);
}

ROUTEC_HOT void Match::find_usual(const detail::Tables& tables, std::uint32_t id,
                                  std::string_view target, bool may_redirect) noexcept {
  if (tables.any_route && find_literal_of_any(id, target)) return;
  if (!detail::scan_usual_path(target, scan_, tables.root_count != 0)) [[unlikely]]
    return find_unusual(id, target, may_redirect);
  walk(tables, id, target, scan_);
  if (may_redirect && status_ == 404) redirect_slash(id);
}

ROUTEC_COLD void Match::find_unusual(std::uint32_t id, std::string_view target,
                                     bool may_redirect) noexcept {
  std::string_view path = target;
  if (!cut_query(id, path)) return find_scanned(id, target, may_redirect);
  if (status_ == 200) return;
  walk(*tables_, id, path, scan_);
  if (may_redirect && status_ == 404) redirect_slash(id);
}

// Looks for a literal route once more, without the query. False: there is none, or what is left is
// no usual path.
ROUTEC_COLD bool Match::cut_query(std::uint32_t id, std::string_view& path) noexcept {
  const std::size_t size = path.find('?');
  if (size == std::string_view::npos || size == 0) return false;
  path = path.substr(0, size);
  return find_literal(id, path) || detail::scan_usual_path(path, scan_);
}

ROUTEC_COLD void Match::find_slowly(std::string_view method) noexcept {
  find_slowly(method_id(method), tables_->redirect_slash);
}

ROUTEC_COLD void Match::find_slowly(std::uint32_t id, bool may_redirect) noexcept {
  if (target_.size() - 1 < detail::kMaxTarget) {
    const detail::SlackText<detail::kMaxTarget> text(target_);
    const std::string_view target(text.data(), target_.size());
    if (id < tables_->method_count) {
      if (!set_found(detail::find_literal(*tables_, id, target)))
        find_usual(*tables_, id, target, may_redirect);
    } else if (id > tables_->method_count || !find_literal(id, target)) {
      find_scanned(id, target, may_redirect);
    }
  } else {
    detail::scan_path(target_, scan_);
    const bool acceptable = !scan_.malformed && detail::is_acceptable(raw_path());
    status_ = acceptable && id <= tables_->method_count ? 414 : 400;
  }
}

ROUTEC_COLD void Match::find_scanned(std::uint32_t id, std::string_view target,
                                     bool may_redirect) noexcept {
  if (id == detail::kOptions && target == "*") {
    status_ = 204;
    allowed_ = tables_->all_methods;
    return;
  }
  detail::scan_path(target, scan_);
  const std::uint32_t unknown = tables_->method_count;
  const bool doubtful = scan_.escaped || scan_.dots;
  if (scan_.malformed || id > unknown || (doubtful && !detail::is_acceptable(raw_path()))) {
    status_ = 400;
  } else if (id == unknown && !tables_->any_route) {
    status_ = 501;
  } else {
    find_path(id, target.substr(0, scan_.length));
    if (may_redirect && status_ == 404) redirect_slash(id);
    if (id == unknown && status_ != 200) status_ = 501;
  }
}

ROUTEC_HOT bool Match::set_found(const detail::RouteEntry* route) noexcept {
  if (route == nullptr) return false;
  entry_ = route;
  status_ = 200;
  return true;
}

ROUTEC_COLD bool Match::find_literal_of_any(std::uint32_t method, std::string_view path) noexcept {
  return tables_->any_route && method != detail::kOptions &&
         set_found(detail::find_literal(*tables_, tables_->method_count, path));
}

// Among literal routes, explicit HEAD comes before GET, and both before ANY. A literal route beats
// every patterned one, whichever of the three it is.
inline bool Match::find_literal(std::uint32_t method, std::string_view path) noexcept {
  return set_found(detail::find_literal(*tables_, method, path)) ||
         find_literal_of_any(method, path);
}

ROUTEC_HOT void Match::walk(const detail::Tables& tables, std::uint32_t method,
                            std::string_view path, const detail::PathScan& scan) noexcept {
  detail::Walk walk(tables, path.data(), scan);
  const std::uint32_t route = walk.find(method);
  if (route == detail::kNone) return miss(tables, method, path, walk.allowed());
  set_found(&tables.routes[route]);
}

inline void Match::find_path(std::uint32_t method, std::string_view path) noexcept {
  if (scan_.escaped) return find_escaped(method);
  // Without a query this was looked up already.
  if (path.size() != target_.size() && find_literal(method, path)) return;
  walk(*tables_, method, path, scan_);
}

inline void Match::find_escaped(std::uint32_t method) noexcept {
  char normal[detail::kMaxTarget + detail::kSlack];
  const std::string_view path(normal, detail::normalize(raw_path(), normal));
  std::memset(normal + path.size(), 0, detail::kSlack);
  if (find_literal(method, path)) return;
  detail::PathScan scan;
  detail::scan_path(path, scan);
  walk(*tables_, method, path, scan);
}

// `allowed`: the methods of patterned routes that match the path.
ROUTEC_HOT void Match::miss(const detail::Tables& tables, std::uint32_t method,
                            std::string_view path, std::uint64_t allowed) noexcept {
  if (path.size() <= tables.longest_literal) {
    // The own method's literal routes were asked before.
    const std::uint64_t others =
        tables.literal_methods[path.size()] & ~(std::uint64_t{1} << method);
    if (others != 0 && detail::passes_filter(tables, path))
      return miss_literals(others, method, path, allowed);
  }
  set_missed(method, allowed);
}

// Asks for the path among the literal routes of `others`.
ROUTEC_COLD void Match::miss_literals(std::uint64_t others, std::uint32_t method,
                                      std::string_view path, std::uint64_t allowed) noexcept {
  for (; others != 0; others &= others - 1) {
    const auto id = static_cast<std::uint32_t>(std::countr_zero(others));
    if (detail::find_literal(*tables_, id, path) == nullptr) continue;
    const std::uint64_t bit = others & -others;
    allowed |= id == tables_->method_count ? bit - 1 : bit;  // ANY is all methods
  }
  set_missed(method, allowed);
}

inline void Match::set_missed(std::uint32_t method, std::uint64_t allowed) noexcept {
  allowed_ = allowed;
  status_ = allowed == 0 ? 404 : method == detail::kOptions ? 204 : 405;
}

// ---- The other trailing slash -------------------------------------------------------------------

ROUTEC_COLD void Match::redirect_slash(std::uint32_t id) noexcept {
  if (other_slash_is_found(id)) status_ = 308;
}

inline bool Match::other_slash_is_found(std::uint32_t id) const noexcept {
  const std::string_view path = raw_path();
  if (path.size() < 2 || path.starts_with("//")) return false;
  char other[detail::kMaxTarget];
  std::size_t size = path.copy(other, path.size());
  if (path.back() == '/') {
    --size;
  } else {
    if (target_.size() == detail::kMaxTarget) return false;  // the location would be refused
    other[size++] = '/';
  }
  Match match(*tables_, std::string_view(other, size));
  match.find_slowly(id, false);
  return match.found();
}

inline std::string Match::location() const {
  if (status_ != 308) return {};
  const std::string_view path = raw_path(), query = target_.substr(path.size());
  std::string location(path);
  if (path.back() == '/')
    location.pop_back();
  else
    location += '/';
  return location.append(query);
}

// ---- Methods and parameters ---------------------------------------------------------------------

inline std::optional<std::uint64_t> Match::body_limit() const noexcept {
  if (!found() || entry_->body_limit == detail::kNoBodyLimit) return std::nullopt;
  return entry_->body_limit;
}

inline std::string Match::allow() const {
  if (status_ != 204 && status_ != 405) return {};
  std::uint64_t methods = allowed_ | std::uint64_t{1} << detail::kOptions;
  if ((methods >> detail::kGet & 1) != 0) methods |= std::uint64_t{1} << detail::kHead;
  std::vector<std::string_view> names;
  for (std::uint32_t id = 0; id < tables_->method_count; ++id)
    if ((methods >> id & 1) != 0) names.emplace_back(tables_->methods[id]);
  std::sort(names.begin(), names.end());
  std::string list;
  for (const std::string_view name : names) {
    if (!list.empty()) list += ", ";
    list += name;
  }
  return list;
}

inline std::string_view Match::raw_param(std::size_t index) const {
  const std::uint32_t segment =
      index < detail::kQuickParams ? entry_->segments[index] : detail::kOtherParam;
  if (segment == detail::kOtherParam) [[unlikely]]
    return raw_other_param(param_entry(index));
  return segment < scan_.segment_count ? raw_segment(segment) : std::string_view();
}

ROUTEC_COLD std::string_view Match::raw_other_param(const detail::ParamEntry& param) const {
  if (param.segment >= scan_.segment_count) return {};
  const std::string_view raw = raw_segment(param.segment);
  if (param.kind == detail::ParamKind::kPart) return raw_part(param, raw);
  if (param.kind == detail::ParamKind::kSegment) return raw;
  return target_.substr(scan_.begin(param.segment), scan_.length - scan_.begin(param.segment));
}

inline std::string_view Match::raw_part(const detail::ParamEntry& param,
                                        std::string_view raw) const {
  const detail::DecodedText decoded(raw);
  const detail::Part part = detail::find_part(*tables_, param, decoded.view());
  const auto raw_offset = [&](std::size_t octets) {
    std::size_t offset = 0;
    for (; octets != 0; --octets) offset += raw[offset] == '%' ? 3 : 1;
    return offset;
  };
  const std::size_t begin = raw_offset(part.begin);
  return raw.substr(begin, raw_offset(part.end) - begin);
}

}  // namespace routec

#endif  // ROUTEC_MATCH_H_
