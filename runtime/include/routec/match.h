// What a lookup found.
//
// Thread-safety: a Match is immutable. Lookups never allocate; functions that return std::string
// do.
#ifndef ROUTEC_MATCH_H_
#define ROUTEC_MATCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "routec/http.h"
#include "routec/matcher.h"

namespace routec {

class Match;

namespace detail {

// Matches `target`, in origin form or "*".
Match match(const Tables& tables, std::string_view method, std::string_view target) noexcept;

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

// Where a parameter stands in its decoded segment.
struct Part {
  std::size_t begin;
  std::size_t end;
};
Part find_part(const Tables& tables, const ParamEntry& param, std::string_view segment) noexcept;

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

  std::uint32_t route() const noexcept { return found() ? entry().id : 0; }  // enumerator of Route
  std::uint32_t index() const noexcept { return index_; }  // of the method and pattern
  std::string_view name() const noexcept { return found() ? entry().name : ""; }
  std::string_view pattern() const noexcept { return found() ? entry().pattern : ""; }
  // Octets that the request's body may have; empty: the server's default.
  std::optional<std::uint64_t> body_limit() const noexcept;

  std::size_t param_count() const noexcept { return found() ? entry().param_count : 0; }
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

  Match(const detail::Tables& tables, std::string_view target) noexcept
      : tables_(&tables), target_(target) {}

  bool found() const noexcept { return status_ == 200; }
  const detail::RouteEntry& entry() const noexcept { return tables_->routes[index_]; }
  const detail::ParamEntry& param_entry(std::size_t index) const noexcept {
    return tables_->params[entry().params + index];
  }
  std::string_view raw_path() const noexcept { return target_.substr(0, scan_.length); }

  std::uint32_t method_id(std::string_view method) const noexcept;
  void find(std::string_view method, bool may_redirect) noexcept;
  bool find_literal(std::uint32_t method, std::string_view path) noexcept;
  void find_scanned(std::uint32_t method) noexcept;
  void find_escaped(std::uint32_t method) noexcept;
  void find_in(std::string_view path, const detail::PathScan& scan, std::uint32_t method) noexcept;
  void add_literal_methods(std::string_view path) noexcept;
  bool other_slash_is_found(std::string_view method) const noexcept;
  std::string_view raw_part(const detail::ParamEntry& param, std::string_view raw) const;

  const detail::Tables* tables_;
  std::string_view target_;
  std::uint32_t index_ = 0;
  int status_ = 404;
  std::uint64_t allowed_ = 0;  // a bit a method id
  detail::PathScan scan_;      // of the raw path
};

// ---- Lookup -------------------------------------------------------------------------------------

namespace detail {

inline constexpr std::uint32_t kHead = static_cast<std::uint32_t>(Method::head);
inline constexpr std::uint32_t kGet = static_cast<std::uint32_t>(Method::get);
inline constexpr std::uint32_t kOptions = static_cast<std::uint32_t>(Method::options);
inline constexpr std::uint32_t kStandardMethodCount = static_cast<std::uint32_t>(Method::other);

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

inline Match match(const Tables& tables, std::string_view method,
                   std::string_view target) noexcept {
  Match match(tables, target);
  match.find(method, tables.redirect_slash);
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

inline void Match::find(std::string_view method, bool may_redirect) noexcept {
  const std::uint32_t id = method_id(method);
  const std::uint32_t unknown = tables_->method_count;
  if (id <= unknown && target_.size() <= detail::kMaxTarget && find_literal(id, target_)) return;
  if (id == detail::kOptions && target_ == "*") {
    status_ = 204;
    allowed_ = tables_->all_methods;
    return;
  }
  detail::scan_path(target_, scan_);
  const bool doubtful = scan_.escaped || scan_.dots;
  if (scan_.malformed || id > unknown || (doubtful && !detail::is_acceptable(raw_path()))) {
    status_ = 400;
  } else if (target_.size() > detail::kMaxTarget) {
    status_ = 414;
  } else if (id == unknown && !tables_->any_route) {
    status_ = 501;
  } else {
    find_scanned(id);
    if (status_ == 404 && may_redirect && other_slash_is_found(method)) status_ = 308;
    if (id == unknown && status_ != 200) status_ = 501;
  }
}

// Among literal routes: explicit HEAD before GET, both before ANY. A literal route beats every
// patterned one, whichever of the three it is.
inline bool Match::find_literal(std::uint32_t method, std::string_view path) noexcept {
  std::uint32_t route = detail::find_literal(*tables_, method, path);
  if (route == detail::kNone && method == detail::kHead)
    route = detail::find_literal(*tables_, detail::kGet, path);
  if (route == detail::kNone && tables_->any_route && method != detail::kOptions)
    route = detail::find_literal(*tables_, tables_->method_count, path);
  if (route == detail::kNone) return false;
  index_ = route;
  status_ = 200;
  return true;
}

inline void Match::find_scanned(std::uint32_t method) noexcept {
  if (scan_.escaped) return find_escaped(method);
  // The whole target was looked up already.
  if (scan_.length != target_.size() && find_literal(method, raw_path())) return;
  find_in(raw_path(), scan_, method);
}

inline void Match::find_escaped(std::uint32_t method) noexcept {
  char normal[detail::kMaxTarget];
  const std::string_view path(normal, detail::normalize(raw_path(), normal));
  if (find_literal(method, path)) return;
  detail::PathScan scan;
  detail::scan_path(path, scan);
  find_in(path, scan, method);
}

inline void Match::find_in(std::string_view path, const detail::PathScan& scan,
                           std::uint32_t method) noexcept {
  detail::Walk walk(*tables_, path, scan);
  const std::uint32_t route = walk.find(method);
  if (route != detail::kNone) {
    index_ = route;
    status_ = 200;
    return;
  }
  allowed_ = walk.allowed();
  add_literal_methods(path);
  if (allowed_ != 0) status_ = method == detail::kOptions ? 204 : 405;
}

inline void Match::add_literal_methods(std::string_view path) noexcept {
  const std::uint32_t any = tables_->method_count;
  for (std::uint32_t id = 0; id < any; ++id)
    if (detail::find_literal(*tables_, id, path) != detail::kNone)
      allowed_ |= std::uint64_t{1} << id;
  if (detail::find_literal(*tables_, any, path) != detail::kNone)
    allowed_ |= (std::uint64_t{1} << any) - 1;
}

// ---- The other trailing slash -------------------------------------------------------------------

inline bool Match::other_slash_is_found(std::string_view method) const noexcept {
  const std::string_view path = raw_path();
  if (path.size() < 2 || path.starts_with("//") || path.size() >= detail::kMaxTarget) return false;
  char other[detail::kMaxTarget];
  std::size_t size = path.copy(other, path.size());
  if (path.back() == '/')
    --size;
  else
    other[size++] = '/';
  Match match(*tables_, std::string_view(other, size));
  match.find(method, false);
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
  if (!found() || entry().body_limit == detail::kNoBodyLimit) return std::nullopt;
  return entry().body_limit;
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
  const detail::ParamEntry& param = param_entry(index);
  const std::string_view path = raw_path();
  if (scan_.length == 0 || param.segment >= scan_.segment_count) return {};
  const std::uint32_t begin = scan_.begin(param.segment);
  if (param.rest) return path.substr(begin);
  const std::string_view raw = path.substr(begin, scan_.size(param.segment));
  const bool whole = param.prefix + param.suffix == 0 && param.split == detail::kNone;
  return whole ? raw : raw_part(param, raw);
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

namespace detail {

// Offsets of a text, a bit each.
class OffsetSet {
 public:
  void add(std::size_t offset) noexcept { words_[offset / 64] |= std::uint64_t{1} << offset % 64; }
  bool has(std::size_t offset) const noexcept {
    return (words_[offset / 64] >> offset % 64 & 1) != 0;
  }

 private:
  std::uint64_t words_[kMaxTarget / 64 + 1] = {};
};

// The offsets from `begin` on at which the rest of `text` is accepted, read from its end.
inline void mark_rests(const Tables& tables, std::uint32_t reversed_dfa, std::string_view text,
                       std::size_t begin, OffsetSet& marks) noexcept {
  const Dfa& dfa = tables.dfas[reversed_dfa];
  std::uint32_t state = 1;
  for (std::size_t at = text.size(); at-- > begin && state != 0;) {
    state = step(tables, dfa, state, text[at]);
    if (tables.dfa_states[dfa.accepts + state] != 0) marks.add(at);
  }
}

// The end of the longest text from `begin` on that the parameter accepts and after which the rest
// fits.
inline std::size_t longest(const Tables& tables, const Split& split, std::string_view text,
                           std::size_t begin) noexcept {
  OffsetSet fits;
  mark_rests(tables, split.reversed_dfa, text, begin, fits);
  std::size_t end = begin;
  std::uint32_t state = 1;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (split.dfa != kNone) {
      const Dfa& dfa = tables.dfas[split.dfa];
      state = step(tables, dfa, state, text[at]);
      if (state == 0) break;
      if (tables.dfa_states[dfa.accepts + state] == 0) continue;
    }
    if (fits.has(at + 1)) end = at + 1;
  }
  return end;
}

inline Part find_part(const Tables& tables, const ParamEntry& param,
                      std::string_view segment) noexcept {
  if (param.split == kNone) return {param.prefix, segment.size() - param.suffix};
  std::size_t begin = param.prefix;
  for (std::uint32_t i = 0;; ++i) {
    const Split& split = tables.splits[param.split + i];
    const std::size_t end = split.reversed_dfa == kNone ? segment.size() - split.literal
                                                        : longest(tables, split, segment, begin);
    if (i == param.part) return {begin, end};
    begin = end + split.literal;
  }
}

}  // namespace detail
}  // namespace routec

#endif  // ROUTEC_MATCH_H_
