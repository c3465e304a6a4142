#include "explain.h"

#include <fmt/format.h>

#include "json_text.h"
#include "quote.h"

namespace routec::compiler {
namespace {

std::string json_list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + json_string(text);
  return "[" + out + "]";
}

const Route* route_of(const Explanation& explanation, const RouteTable& table) {
  return explanation.route ? &table.routes[*explanation.route] : nullptr;
}

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 405:
      return "Method Not Allowed";
    case 414:
      return "URI Too Long";
    case 501:
      return "Not Implemented";
    default:
      return "Not Found";
  }
}

}  // namespace

std::string explanation_as_json(const Explanation& explanation, const RouteTable& table) {
  const Route* route = route_of(explanation, table);
  std::string params;
  for (const auto& [name, value] : explanation.params)
    params +=
        fmt::format("{}{}: {}", params.empty() ? "" : ", ", json_string(name), json_string(value));
  return fmt::format(
      "{{\n  \"status\": {},\n  \"route\": {},\n  \"pattern\": {},\n  \"params\": {{{}}},\n"
      "  \"allow\": {},\n  \"location\": {},\n  \"why\": {}\n}}\n",
      explanation.status, route ? json_string(table.handlers[route->handler].name) : "null",
      route ? json_string(route->pattern.text) : "null", params, json_list(explanation.allow),
      json_string(explanation.location), json_list(explanation.why));
}

std::string explanation_as_text(const Explanation& explanation, const RouteTable& table) {
  std::string out = fmt::format("{} {}\n", explanation.status, reason(explanation.status));
  if (const Route* route = route_of(explanation, table))
    out += fmt::format("  route     {} {} -> {}\n", route->method,
                       escape_invisible(route->pattern.text), table.handlers[route->handler].name);
  for (const auto& [name, value] : explanation.params)
    out += fmt::format("  {:<9} {}\n", name, quote(value));
  if (!explanation.allow.empty())
    out += fmt::format("  allow     {}\n", fmt::join(explanation.allow, ", "));
  if (!explanation.location.empty())
    out += fmt::format("  location  {}\n", escape_invisible(explanation.location));
  for (const std::string& sentence : explanation.why)
    out +=
        fmt::format("  {} {}\n", &sentence == &explanation.why.front() ? "because  " : "         ",
                    escape_invisible(sentence));
  return out;
}

}  // namespace routec::compiler
