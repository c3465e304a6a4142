#include "render_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "cpp_text.h"
#include "routec/router.h"
#include "table_rows.h"

namespace routec::compiler {
namespace {

using nlohmann::json;

// Of more routes than that, each source file takes g++ longer than it gains from being fewer: it
// needs a second for the headers, and time quadratic in the number of a class's functions.
constexpr std::size_t kRoutesPerPart = 4000;

constexpr std::size_t kCommentWidth = 92;

// ---- C++ spellings ------------------------------------------------------------------------------

const char* spelling(TypeKind kind) {
  switch (kind) {
    case TypeKind::kInt:
      return "std::int64_t";
    case TypeKind::kUint:
      return "std::uint64_t";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kDate:
      return "std::chrono::year_month_day";
    default:
      return "std::string_view";
  }
}

struct Argument {
  std::string type;
  std::string name;
};

// The typed arguments of a route's handler, in the order of the pattern.
std::vector<Argument> arguments(const RouteTable& table, const Pattern& pattern) {
  std::vector<Argument> list;
  for (const Segment& segment : pattern.segments)
    for (const Param& param : segment.params)
      list.push_back({spelling(table.types[param.type].kind), param.cpp_name});
  if (pattern.tail == Tail::kOptional)
    list.back().type = fmt::format("std::optional<{}>", list.back().type);
  return list;
}

json to_json(const std::vector<Argument>& list) {
  json out = json::array();
  for (const Argument& argument : list)
    out.push_back({{"type", argument.type}, {"name", argument.name}});
  return out;
}

// ---- Handlers -----------------------------------------------------------------------------------

json handlers_json(const RouteTable& table) {
  std::vector<json> handlers(table.handlers.size());
  for (std::size_t i = 0; i < handlers.size(); ++i)
    handlers[i] = {{"name", table.handlers[i].cpp_name}, {"docs", json::array()}};
  for (const Route& route : table.routes) {
    json& handler = handlers[route.handler];
    json& docs = handler["docs"];
    if (!handler.contains("params")) handler["params"] = to_json(arguments(table, route.pattern));
    docs.push_back(comment_text(route.method + ' ' + route.pattern.text));
  }
  std::set<std::pair<std::size_t, std::string_view>> summaries;  // once, however many the methods
  for (const Route& route : table.routes) {
    if (!summaries.emplace(route.handler, route.summary).second) continue;
    for (std::string& line : comment_lines(route.summary, kCommentWidth))
      handlers[route.handler]["docs"].push_back(std::move(line));
  }
  return handlers;
}

// ---- URL builders -------------------------------------------------------------------------------

// What make_url fills values into: "/users/{}/posts".
std::string url_form(const Pattern& pattern) {
  std::string form;
  for (const Segment& segment : pattern.segments) {
    const Tail tail = &segment == &pattern.segments.back() ? pattern.tail : Tail::kNone;
    if (tail != Tail::kOptional) form += '/';
    for (std::size_t i = 0; i < segment.literals.size(); ++i) {
      form += encode_segment(segment.literals[i]);
      if (i == segment.params.size()) continue;
      form += tail == Tail::kOptional ? "{?}" : tail == Tail::kRest ? "{...}" : "{}";
    }
  }
  return string_literal(form);
}

std::string literal_url(const Pattern& pattern) {
  std::string url;
  for (const Segment& segment : pattern.segments) url += '/' + encode_segment(segment.literals[0]);
  return string_literal(url);
}

json url_json(const RouteTable& table, std::size_t index, const std::vector<Argument>& params) {
  const Route& route = table.routes[index];
  json url = {{"name", table.names[route.id].cpp_name},
              {"doc", comment_text(route.pattern.text)},
              {"params", to_json(params)}};
  if (route.pattern.is_literal()) {
    url["literal"] = literal_url(route.pattern);
  } else {
    url["method"] = string_literal(route.method);
    url["index"] = index;
    url["form"] = url_form(route.pattern);
  }
  return url;
}

// One builder a name; more only where the parameters of its routes differ.
json urls_json(const RouteTable& table) {
  std::vector<std::pair<std::size_t, json>> urls;
  std::set<std::pair<std::size_t, std::string>> known;
  for (std::size_t i = 0; i < table.routes.size(); ++i) {
    const Route& route = table.routes[i];
    const std::vector<Argument> params = arguments(table, route.pattern);
    std::string signature;
    for (const Argument& param : params) signature += param.type + ',';
    if (known.emplace(route.id, signature).second)
      urls.emplace_back(route.id, url_json(table, i, params));
  }
  std::stable_sort(urls.begin(), urls.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  json list = json::array();
  for (auto& [id, url] : urls) list.push_back(std::move(url));
  return list;
}

// ---- Tables -------------------------------------------------------------------------------------

// "kPlainRoots" is Tables::plain_roots.
std::string field_name(std::string_view table_name) {
  std::string field;
  for (const char c : table_name.substr(1)) {
    const bool is_upper = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (is_upper && !field.empty()) field += '_';
    field += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return field;
}

json rows_json(const TableRows& table) {
  json rows = json::array();
  for (const TableRows::Row& row : table.rows) {
    std::string line = row.values + ',';
    if (!row.comment.empty()) line += "  // " + comment_text(row.comment);
    rows.push_back(std::move(line));
  }
  return rows;
}

// Methods of all routes, a bit a method id.
std::string all_methods(const RouteTable& table, bool& any_route) {
  std::uint64_t bits = 0;
  for (const Route& route : table.routes) {
    any_route = any_route || route.method == "ANY";
    const auto id = std::find(table.methods.begin(), table.methods.end(), route.method);
    if (id != table.methods.end()) bits |= std::uint64_t{1} << (id - table.methods.begin());
  }
  if (any_route) bits = (std::uint64_t{1} << table.methods.size()) - 1;
  return fmt::format("{:#x}", bits);
}

class TablesJson {
 public:
  void add(const TableRows& table) {
    add_field(field_name(table.name), table.rows.empty() ? "nullptr" : table.name);
    if (table.rows.empty()) return;
    arrays_.push_back({{"type", table.type}, {"name", table.name}, {"rows", rows_json(table)}});
  }
  void add_field(const std::string& name, const std::string& value) {
    fields_.push_back({{"name", name}, {"value", value}});
  }
  void add_texts(const std::string& texts) {
    const std::vector<std::vector<std::string>> blocks = text_blocks(texts);
    add_field("texts", blocks.empty() ? "nullptr" : blocks.size() == 1 ? "kTexts" : "kTexts[0]");
    texts_ = blocks;
  }
  json take() {
    return {{"fields", std::move(fields_)},
            {"arrays", std::move(arrays_)},
            {"texts", std::move(texts_)}};
  }

 private:
  json fields_ = json::array();
  json arrays_ = json::array();
  json texts_ = json::array();
};

json tables_json(const RouteTable& table, const HashPlan& hash, const AutomatonPlan& automaton) {
  bool any_route = false;
  const std::string methods = all_methods(table, any_route);
  TablesJson out;
  out.add(method_rows(table));
  out.add_field("method_count", std::to_string(table.methods.size()));
  out.add_field("redirect_slash", table.slash == SlashMode::kRedirect ? "true" : "false");
  out.add_field("any_route", any_route ? "true" : "false");
  out.add_field("all_methods", methods);
  out.add_field("longest_literal", std::to_string(longest_literal(hash)));
  out.add_field("has_split", hash.has_split ? "true" : "false");
  out.add_field("filter_shift", std::to_string(hash.filter_shift));
  for (const TableRows& rows : hash_rows(hash, table)) out.add(rows);
  out.add_texts(hash.texts + automaton.texts + std::string(routec::detail::kSlack, '\0'));
  out.add_field("root_count", std::to_string(automaton.root_count));
  for (const TableRows& rows : automaton.tables) {
    if (rows.name == "kParams") out.add(route_rows(table));  // the order of Tables
    out.add(rows);
  }
  return out.take();
}

// ---- Files --------------------------------------------------------------------------------------

std::string include_guard(const RouteTable& table, const std::string& file) {
  std::string guard;
  for (const std::string& name : table.namespaces) guard += name + '_';
  guard += file + "_h_";
  for (char& c : guard) {
    const auto octet = static_cast<unsigned char>(c);
    c = octet < 0x80 && std::isalnum(octet) != 0 ? static_cast<char>(std::toupper(octet)) : '_';
  }
  // Identifiers that begin with an underscore, or hold two, belong to the implementation.
  std::string out = "ROUTES";
  for (const char c : '_' + guard)
    if (c != '_' || out.back() != '_') out += c;
  return out;
}

std::string part_stem(const RouteTable& table, std::size_t part) {
  return fmt::format("{}_router_{}", table.stem, part + 1);
}

// The share of number `part` of `count` things, of which all but the last shares have as many.
json share_json(std::size_t count, std::size_t part, std::size_t parts) {
  const std::size_t size = (count + parts - 1) / parts;
  return {std::min(part * size, count), std::min((part + 1) * size, count)};
}

json parts_json(const RouteTable& table, std::size_t urls, std::size_t count) {
  json parts = json::array();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string stem = part_stem(table, i);
    parts.push_back({{"number", i + 1},
                     {"header", stem + ".h"},
                     {"guard", include_guard(table, stem)},
                     {"handlers", share_json(table.handlers.size(), i, count)},
                     {"urls", share_json(urls, i, count)}});
  }
  return parts;
}

// The handler of each route.
json calls_json(const RouteTable& table) {
  json calls = json::array();
  for (const Route& route : table.routes) calls.push_back(route.handler);
  return calls;
}

std::size_t part_count(const RouteTable& table, const ModelOptions& options) {
  const std::size_t count = (table.routes.size() + kRoutesPerPart - 1) / kRoutesPerPart;
  return std::max<std::size_t>(options.parts.value_or(count), 1);
}

json outputs_json(const RouteTable& table, std::size_t parts) {
  json outputs = json::array();
  const auto add = [&](const std::string& name, const char* source, std::size_t part) {
    outputs.push_back({{"name", name}, {"template", source}, {"part", part}});
  };
  add(table.stem + "_router.h", "router.h.jinja", 0);
  add(table.stem + "_router.cc", "router.cc.jinja", 0);
  if (parts == 1) return outputs;
  add(table.stem + "_router_tables.cc", "router_tables.cc.jinja", 0);
  for (std::size_t i = 0; i < parts; ++i) {
    add(part_stem(table, i) + ".h", "router_part.h.jinja", i);
    add(part_stem(table, i) + ".cc", "router_part.cc.jinja", i);
  }
  return outputs;
}

// "Service", unless a handler has that name.
std::string service_name(const RouteTable& table) {
  std::string name = "Service";
  const auto is_taken = [&](const Handler& handler) { return handler.cpp_name == name; };
  while (std::any_of(table.handlers.begin(), table.handlers.end(), is_taken)) name += '_';
  return name;
}

}  // namespace

std::string make_render_model(const RouteTable& table, const HashPlan& hash,
                              const AutomatonPlan& automaton, const ModelOptions& options) {
  const std::size_t parts = part_count(table, options);
  json enumerators = json::array();
  for (const RouteName& name : table.names) enumerators.push_back(name.cpp_name);
  json model = {
      {"abi", kAbi},
      {"manifest", comment_text(table.manifest_name)},
      {"header", table.stem + "_router.h"},
      {"guard", include_guard(table, table.stem + "_router")},
      {"namespace", fmt::format("{}", fmt::join(table.namespaces, "::"))},
      {"route_type", table.names.size() > 65536 ? "std::uint32_t" : "std::uint16_t"},
      {"enumerators", std::move(enumerators)},
      {"handlers", handlers_json(table)},
      {"urls", urls_json(table)},
      {"tables", tables_json(table, hash, automaton)},
      {"calls", calls_json(table)},
      {"outputs", outputs_json(table, parts)},
  };
  model["parts"] = parts_json(table, model["urls"].size(), parts);
  return model.dump();
}

std::string make_stub_model(const RouteTable& table) {
  json outputs = json::array();
  for (const char* name : {"handlers.h", "handlers.cc"})
    outputs.push_back({{"name", name}, {"template", name + std::string(".jinja")}, {"part", 0}});
  const json model = {{"manifest", comment_text(table.manifest_name)},
                      {"header", table.stem + "_router.h"},
                      {"guard", include_guard(table, "handlers")},
                      {"namespace", fmt::format("{}", fmt::join(table.namespaces, "::"))},
                      {"service", service_name(table)},
                      {"handlers", handlers_json(table)},
                      {"parts", {json::object()}},
                      {"outputs", outputs}};
  return model.dump();
}

}  // namespace routec::compiler
