#include "check_manifest.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "naming.h"
#include "param_types.h"
#include "quote.h"
#include "route_key.h"
#include "routec/http.h"

namespace routec::compiler {
namespace {

// routec/tables.h keeps a set of methods in one word, beside two marks.
constexpr std::size_t kMaxMethods = 62;
constexpr std::size_t kMaxUnitDigits = 9;    // of a number before KiB, MiB or GiB
constexpr std::size_t kMaxOctetDigits = 18;  // of a plain number of octets
constexpr char kNameCure[] = "use letters, digits, '_' and '.', as in users.show";

// Handlers or RouteNames from identifiers and what was written, sorted by their C++ names.
template <typename Name>
std::vector<Name> sorted_names(const std::map<std::string, std::string>& names) {
  std::vector<std::string> identifiers;
  for (const auto& [identifier, written] : names) identifiers.push_back(identifier);
  identifiers = escape_names(identifiers);
  std::vector<Name> list;
  for (const auto& [identifier, written] : names)
    list.push_back({written, identifiers[list.size()]});
  std::sort(list.begin(), list.end(),
            [](const Name& a, const Name& b) { return a.cpp_name < b.cpp_name; });
  return list;
}

// The name of the route: its own, or its handler's.
const Text& name_of(const RouteEntry& entry) { return entry.name ? *entry.name : *entry.handler; }

class ManifestChecker {
 public:
  ManifestChecker(const Manifest& manifest, Diagnostics& diagnostics)
      : manifest_(manifest), diagnostics_(diagnostics) {}

  std::optional<RouteTable> check();

 private:
  using Identifiers = std::unordered_map<std::string, const Text*>;  // by C++ name before escaping

  void check_file_name();
  void check_namespace();
  void check_namespace_part(const Text& name, std::size_t begin, std::size_t end);
  void check_slash();
  void check_entry(const RouteEntry& entry);
  bool check_name(const Text& name, const char* what);
  std::optional<std::uint64_t> parse_body_limit(const Text& text);
  void check_route_names();
  void check_handler_names();
  void report_clash(const Text& first, const Text& second);
  static void name_params(Pattern& pattern);
  void name_handlers();
  void name_routes();
  void resolve_over();
  void refuse_own_over();
  void check_handler_parameters();
  void collect_methods();
  void keep_used_types();
  void sort_routes();

  const Manifest& manifest_;
  Diagnostics& diagnostics_;
  ParamTypes types_;
  RouteTable table_;
  std::vector<const RouteEntry*>
      entries_;  // those that became routes; indexed by Route::id at first
};

std::optional<RouteTable> ManifestChecker::check() {
  check_file_name();
  check_namespace();
  check_slash();
  types_.define(manifest_.types, diagnostics_);
  entries_.reserve(manifest_.routes.size());
  for (const RouteEntry& entry : manifest_.routes) check_entry(entry);
  check_handler_names();
  check_route_names();
  collect_methods();
  name_handlers();
  resolve_over();
  refuse_own_over();
  if (diagnostics_.has_errors()) return std::nullopt;
  name_routes();
  keep_used_types();
  sort_routes();
  check_handler_parameters();
  if (diagnostics_.has_errors()) return std::nullopt;
  return std::move(table_);
}

// ---- File name, namespace and options -----------------------------------------------------------

// The stem becomes a part of `#include "STEM_router.h"`.
void ManifestChecker::check_file_name() {
  const std::filesystem::path file(manifest_.file_name);
  table_.manifest_name = file.filename().string();
  table_.stem = file.stem().string();
  const bool can_be_included = escape_invisible(table_.stem) == table_.stem &&
                               table_.stem.find_first_of("\"\\") == std::string::npos &&
                               table_.stem.find("?\?") == std::string::npos;  // a trigraph's begin
  if (can_be_included) return;
  diagnostics_
      .error("invalid-name", Span(),
             "the file name " + quote(table_.manifest_name) +
                 " cannot name C++ files: no #include could hold it")
      .cure = "rename the manifest; use visible UTF-8 text without '\"', '\\' and '?\?'";
}

void ManifestChecker::check_namespace() {
  if (!manifest_.name_space) {
    table_.namespaces = {"routes"};
    return;
  }
  const Text& name = *manifest_.name_space;
  for (std::size_t begin = 0;;) {
    const std::size_t end = name.value.find("::", begin);
    check_namespace_part(name, begin, std::min(end, name.value.size()));
    if (end == std::string::npos) return;
    begin = end + 2;
  }
}

void ManifestChecker::check_namespace_part(const Text& name, std::size_t begin, std::size_t end) {
  const std::string part = name.value.substr(begin, end - begin);
  const bool legal = is_identifier(part);
  if (is_namespace(part)) {
    table_.namespaces.push_back(part);
    return;
  }
  diagnostics_
      .error("invalid-namespace", name.part(begin, end),
             "the namespace " + quote(name.value) + " is not usable: " + quote(part) +
                 (legal ? " is reserved" : " is no C++ identifier"))
      .cure = "use identifiers, joined by '::', such as shop or company::shop";
}

void ManifestChecker::check_slash() {
  static const std::vector<std::string> kModes = {"strict", "redirect", "both"};
  if (!manifest_.slash) return;
  const std::string& value = manifest_.slash->value;
  const auto found = std::find(kModes.begin(), kModes.end(), value);
  if (found != kModes.end()) {
    table_.slash = static_cast<SlashMode>(found - kModes.begin());
    return;
  }
  const std::string nearest = nearest_name(value, kModes);
  diagnostics_
      .error("invalid-value", manifest_.slash->span,
             "'slash' is " + list_words(kModes, "or") + ", not " + quote(value))
      .cure = nearest.empty() ? "write 'slash: strict'" : "did you mean '" + nearest + "'?";
}

// ---- One key under `routes` ---------------------------------------------------------------------

void ManifestChecker::check_entry(const RouteEntry& entry) {
  std::optional<RouteKey> key = parse_route_key(entry.key, types_, diagnostics_);
  bool named = entry.handler && check_name(*entry.handler, "handler");
  if (entry.name) named = check_name(*entry.name, "name") && named;
  Route route;
  if (entry.body_limit) route.body_limit = parse_body_limit(*entry.body_limit);
  if (entry.summary) route.summary = entry.summary->value;
  if (!named || !key) return;
  route.handler = route.id = entries_.size();
  entries_.push_back(&entry);
  name_params(key->pattern);
  route.pattern = std::move(key->pattern);
  route.key = entry.key.span;
  route.path = key->path;
  route.over_span = entry.over_span;
  for (std::string& method : key->methods) {
    route.method = std::move(method);
    table_.routes.push_back(route);
  }
}

bool ManifestChecker::check_name(const Text& name, const char* what) {
  if (is_dotted_name(name.value)) return true;
  diagnostics_
      .error("invalid-name", name.span,
             "the " + std::string(what) + " " + quote(name.value) + " is no name")
      .cure = kNameCure;
  return false;
}

std::optional<std::uint64_t> ManifestChecker::parse_body_limit(const Text& text) {
  static const std::pair<std::string_view, int> kUnits[] = {
      {"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
  const std::string& value = text.value;
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [last, status] = std::from_chars(value.data(), end, number);
  const auto digits = static_cast<std::size_t>(last - value.data());
  const std::string_view unit(last, static_cast<std::size_t>(end - last));
  for (const auto& [name, shift] : kUnits)
    if (status == std::errc() && unit == name &&
        digits <= (shift == 0 ? kMaxOctetDigits : kMaxUnitDigits))
      return number << shift;
  diagnostics_
      .error("invalid-value", text.span, "'body_limit' is a number of octets, not " + quote(value))
      .cure = "write 65536, 64KiB, 2MiB or 1GiB";
  return std::nullopt;
}

// ---- Names --------------------------------------------------------------------------------------

// Two handlers whose names differ only in dots and underscores.
void ManifestChecker::check_handler_names() {
  Identifiers seen;
  for (const RouteEntry* entry : entries_) {
    const Text& name = *entry->handler;
    const auto [first, is_new] = seen.emplace(dots_to_underscores(name.value), &name);
    if (!is_new && first->second->value != name.value) report_clash(*first->second, name);
  }
}

// Two keys that want the same enumerator and URL builder.
void ManifestChecker::check_route_names() {
  Identifiers seen;
  for (const RouteEntry* entry : entries_) {
    const Text& name = name_of(*entry);
    const auto [first, is_new] = seen.emplace(dots_to_underscores(name.value), &name);
    if (is_new) continue;
    if (first->second->value != name.value) {
      report_clash(*first->second, name);
      continue;
    }
    Diagnostic& error =
        diagnostics_.error("name-clash", name.span, "two routes are named " + quote(name.value));
    error.notes.push_back({first->second->span, "the other one"});
    error.cure = entry->name ? "rename one of them"
                             : "one handler may serve both: give one of them a 'name' of its own, "
                               "or list the methods of one path, as in 'GET,POST /path'";
  }
}

void ManifestChecker::report_clash(const Text& first, const Text& second) {
  Diagnostic& error =
      diagnostics_.error("name-clash", second.span,
                         quote(first.value) + " and " + quote(second.value) + " both become " +
                             quote(dots_to_underscores(second.value)) + " in C++");
  error.notes.push_back({first.span, "the other one"});
  error.cure = "rename one of them";
}

void ManifestChecker::name_params(Pattern& pattern) {
  std::vector<Param*> params;
  std::vector<std::string> names;
  for (Segment& segment : pattern.segments)
    for (Param& param : segment.params) {
      params.push_back(&param);
      names.push_back(param.name);
    }
  names = escape_names(names);
  for (std::size_t i = 0; i < params.size(); ++i) params[i]->cpp_name = names[i];
}

void ManifestChecker::name_handlers() {
  std::map<std::string, std::string> names;  // identifier before escaping -> as written
  for (const RouteEntry* entry : entries_)
    names.emplace(dots_to_underscores(entry->handler->value), entry->handler->value);
  table_.handlers = sorted_names<Handler>(names);
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < table_.handlers.size(); ++i) index[table_.handlers[i].name] = i;
  for (Route& route : table_.routes) {
    const auto found = index.find(entries_[route.handler]->handler->value);
    if (found != index.end()) route.handler = found->second;  // else its name clashes
  }
}

void ManifestChecker::name_routes() {
  std::map<std::string, std::string> names;
  for (const RouteEntry* entry : entries_)
    names.emplace(dots_to_underscores(name_of(*entry).value), name_of(*entry).value);
  table_.names = sorted_names<RouteName>(names);
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < table_.names.size(); ++i) index[table_.names[i].name] = i;
  for (Route& route : table_.routes) route.id = index.at(name_of(*entries_[route.id]).value);
}

// ---- Between routes -----------------------------------------------------------------------------

void ManifestChecker::resolve_over() {
  std::vector<std::string> known;
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < table_.handlers.size(); ++i) {
    known.push_back(table_.handlers[i].name);
    index[table_.handlers[i].name] = i;
  }
  for (const RouteEntry& entry : manifest_.routes)
    for (const Text& name : entry.over)
      if (!index.contains(name.value)) {
        const std::string nearest = nearest_name(name.value, known);
        diagnostics_
            .error("unknown-handler", name.span,
                   "'over' names the handler " + quote(name.value) + ", which no route has")
            .cure =
            nearest.empty() ? "name the handler of a route" : "did you mean '" + nearest + "'?";
      }
  for (Route& route : table_.routes) {
    for (const Text& name : entries_[route.id]->over)
      if (const auto found = index.find(name.value); found != index.end())
        route.over.push_back(found->second);
    std::sort(route.over.begin(), route.over.end());
    route.over.erase(std::unique(route.over.begin(), route.over.end()), route.over.end());
  }
}

// Only a handler of several keys has other routes to outrank.
void ManifestChecker::refuse_own_over() {
  std::unordered_map<std::string_view, std::size_t> keys;
  for (const RouteEntry* entry : entries_) ++keys[entry->handler->value];
  for (const RouteEntry* entry : entries_)
    for (const Text& name : entry->over)
      if (name.value == entry->handler->value && keys[name.value] == 1)
        diagnostics_
            .error("over-cycle", name.span,
                   "'over' names the route's own handler " + quote(name.value) +
                       ": it would outrank itself")
            .cure = "name the handler of a route that it is to outrank";
}

// Types in order, and how the last one comes: what makes the signature of a handler.
std::vector<std::size_t> signature(const Pattern& pattern) {
  std::vector<std::size_t> types;
  for (const Segment& segment : pattern.segments)
    for (const Param& param : segment.params) types.push_back(param.type);
  if (pattern.tail != Tail::kNone) types.push_back(~static_cast<std::size_t>(pattern.tail));
  return types;
}

void ManifestChecker::check_handler_parameters() {
  std::vector<const Route*> first(table_.handlers.size());
  for (const Route& route : table_.routes) {
    const Route*& before = first[route.handler];
    if (before == nullptr) before = &route;
    if (signature(before->pattern) == signature(route.pattern)) continue;
    Diagnostic& error =
        diagnostics_.error("handler-parameters", route.key,
                           "the handler " + quote(table_.handlers[route.handler].name) +
                               " serves routes whose parameters differ in number or type");
    error.notes.push_back({before->key, "the other route"});
    error.cure = "give one of them another handler";
  }
}

void ManifestChecker::collect_methods() {
  table_.methods.assign(std::begin(kMethodNames), std::end(kMethodNames));
  std::map<std::string, Span> others;
  for (const Route& route : table_.routes) {
    const bool is_other = route.method != "ANY" &&
                          std::find(table_.methods.begin(), table_.methods.end(), route.method) ==
                              table_.methods.end();
    if (is_other) others.emplace(route.method, route.key);
  }
  for (const auto& [method, span] : others) table_.methods.push_back(method);
  if (table_.methods.size() <= kMaxMethods) return;
  diagnostics_
      .error("limit", others.rbegin()->second,
             "the manifest uses " + std::to_string(others.size()) +
                 " methods beyond the standard ones; " +
                 std::to_string(kMaxMethods - std::size(kMethodNames)) + " are possible")
      .cure = "use ANY, and look at the method in the handler";
}

void ManifestChecker::keep_used_types() {
  const std::vector<ParamType>& all = types_.all();
  std::vector<std::size_t> used;
  const auto each_param = [this](auto&& visit) {
    for (Route& route : table_.routes)
      for (Segment& segment : route.pattern.segments)
        for (Param& param : segment.params) visit(param);
  };
  std::vector<bool> is_used(all.size());
  each_param([&](const Param& param) { is_used[param.type] = true; });
  for (std::size_t i = 0; i < all.size(); ++i)
    if (is_used[i]) used.push_back(i);
  std::sort(used.begin(), used.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(all[a].kind, all[a].name) < std::tie(all[b].kind, all[b].name);
  });
  std::vector<std::size_t> renumbered(all.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    renumbered[used[i]] = i;
    table_.types.push_back(all[used[i]]);
  }
  each_param([&](Param& param) { param.type = renumbered[param.type]; });
}

void ManifestChecker::sort_routes() {
  const auto before = [](const Segment& a, const Segment& b) {
    if (a.literals != b.literals) return a.literals < b.literals;
    return std::lexicographical_compare(
        a.params.begin(), a.params.end(), b.params.begin(), b.params.end(),
        [](const Param& x, const Param& y) { return x.type < y.type; });
  };
  std::vector<Route*> order;  // routes are dear to move
  for (Route& route : table_.routes) order.push_back(&route);
  std::sort(order.begin(), order.end(), [&](const Route* a, const Route* b) {
    const auto &x = a->pattern.segments, &y = b->pattern.segments;
    if (std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), before)) return true;
    if (std::lexicographical_compare(y.begin(), y.end(), x.begin(), x.end(), before)) return false;
    return std::tie(a->pattern.tail, a->method, a->pattern.text) <
           std::tie(b->pattern.tail, b->method, b->pattern.text);
  });
  std::vector<Route> sorted;
  sorted.reserve(order.size());
  for (Route* route : order) sorted.push_back(std::move(*route));
  table_.routes = std::move(sorted);
}

}  // namespace

std::optional<RouteTable> check_manifest(const Manifest& manifest, Diagnostics& diagnostics) {
  return ManifestChecker(manifest, diagnostics).check();
}

}  // namespace routec::compiler
