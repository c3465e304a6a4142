#include "route_key.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "ascii.h"
#include "path_pattern.h"
#include "quote.h"
#include "routec/http.h"

namespace routec::compiler {
namespace {

bool is_standard_method(std::string_view method) {
  return std::find(std::begin(kMethodNames), std::end(kMethodNames), method) !=
         std::end(kMethodNames);
}

void warn_of_misspelt_method(const Text& key, std::size_t begin, const std::string& method,
                             Diagnostics& diagnostics) {
  if (is_standard_method(method)) return;
  static const std::vector<std::string> kKnown = [] {
    std::vector<std::string> known(std::begin(kMethodNames), std::end(kMethodNames));
    known.push_back("ANY");
    return known;
  }();
  const std::string nearest = nearest_name(method, kKnown);
  if (nearest.empty() || nearest == method) return;
  diagnostics
      .warning("method-typo", key.part(begin, begin + method.size()),
               "the method " + quote(method) + " is no standard one")
      .cure = "did you mean " + nearest + "? If not, silence this with -Wno-method-typo";
}

bool check_method(const Text& key, std::size_t begin, std::size_t end, Diagnostics& diagnostics) {
  const std::string method = key.value.substr(begin, end - begin);
  if (method.empty()) {
    diagnostics
        .error("invalid-method", key.part(begin, std::min(end + 1, key.value.size())),
               "a method is missing in " + quote(key.value))
        .cure = "write 'GET,POST /path', without spaces or empty places in the list";
    return false;
  }
  if (!is_token(method)) {
    diagnostics
        .error(
            "invalid-method", key.part(begin, end),
            quote(method) + " is no HTTP method: a method is letters, digits and !#$%&'*+-.^_`|~")
        .cure = "write 'GET /path'";
    return false;
  }
  std::string upper = method;
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (upper != method && (is_standard_method(upper) || upper == "ANY")) {
    diagnostics
        .error("invalid-method", key.part(begin, end),
               "the method " + quote(method) + " is not " + upper + ": methods are case-sensitive")
        .cure = "write " + upper;
    return false;
  }
  warn_of_misspelt_method(key, begin, method, diagnostics);
  return true;
}

// Empty after an error.
std::vector<std::string> parse_methods(const Text& key, std::size_t end, Diagnostics& diagnostics) {
  std::vector<std::string> methods;
  bool ok = true;
  for (std::size_t begin = 0; begin <= end;) {
    const std::size_t comma = std::min(key.value.find(',', begin), end);
    std::string method = key.value.substr(begin, comma - begin);
    ok = check_method(key, begin, comma, diagnostics) && ok;
    if (std::find(methods.begin(), methods.end(), method) != methods.end()) {
      diagnostics
          .error("invalid-method", key.part(begin, comma),
                 "the method " + quote(method) + " is in the list twice")
          .cure = "remove one of them";
      ok = false;
    }
    methods.push_back(std::move(method));
    begin = comma + 1;
  }
  if (methods.size() > 1 && std::find(methods.begin(), methods.end(), "ANY") != methods.end()) {
    diagnostics
        .error("invalid-method", key.part(0, end),
               "ANY stands for every method and has no others beside it")
        .cure = "write ANY alone, or list the methods without it";
    ok = false;
  }
  return ok ? methods : std::vector<std::string>{};
}

}  // namespace

std::optional<RouteKey> parse_route_key(const Text& key, ParamTypes& types,
                                        Diagnostics& diagnostics) {
  const std::string& text = key.value;
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) {
    diagnostics
        .error("route-key", key.span, quote(text) + " is no route: it must be 'METHOD /path'")
        .cure = text.starts_with('/') ? "write 'GET " + quote(text).substr(1) : "write 'GET /path'";
    return std::nullopt;
  }
  RouteKey route;
  route.methods = parse_methods(key, space, diagnostics);
  std::optional<Pattern> pattern = parse_path_pattern(key, space + 1, types, diagnostics);
  if (route.methods.empty() || !pattern) return std::nullopt;
  route.pattern = std::move(*pattern);
  route.path = key.part(space + 1, text.size());
  return route;
}

}  // namespace routec::compiler
