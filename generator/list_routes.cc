#include "list_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "json_text.h"
#include "quote.h"
#include "utf8.h"

namespace routec::compiler {
namespace {

using Row = std::array<std::string, 4>;
const Row kHeadings = {"METHOD", "PATTERN", "HANDLER", "SUMMARY"};

Row row_of(const Route& route, const RouteTable& table) {
  return {route.method, escape_invisible(route.pattern.text), table.handlers[route.handler].name,
          escape_invisible(route.summary)};
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode_utf8(text.substr(i));
    width += display_width(point.value);
    i += std::max<std::size_t>(1, point.length);
  }
  return width;
}

// Puts a backslash or an entity in place of what a format takes for its own.
std::string replaced(std::string_view text, const std::map<char, std::string>& replacements) {
  std::string out;
  for (const char c : text) {
    const auto found = replacements.find(c);
    if (found == replacements.end())
      out += c;
    else
      out += found->second;
  }
  return out;
}

std::string markdown_cell(std::string_view text) {
  static const std::map<char, std::string> kEscapes = {{'|', "\\|"},  {'*', "\\*"},  {'_', "\\_"},
                                                       {'`', "\\`"},  {'<', "&lt;"}, {'\\', "\\\\"},
                                                       {'&', "&amp;"}};
  return replaced(text, kEscapes);
}

std::string html_text(std::string_view text) {
  static const std::map<char, std::string> kEntities = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  return replaced(text, kEntities);
}

std::string dot_text(std::string_view text) {
  static const std::map<char, std::string> kEscapes = {{'"', "\\\""}, {'\\', "\\\\"}};
  return "\"" + replaced(escape_invisible(text), kEscapes) + "\"";
}

std::string json_params(const Pattern& pattern, const RouteTable& table) {
  std::string out;
  for (const Segment& segment : pattern.segments)
    for (const Param& param : segment.params)
      out += fmt::format("{}{{\"name\": {}, \"type\": {}}}", out.empty() ? "" : ", ",
                         json_string(param.name), json_string(table.types[param.type].name));
  return out;
}

// The segments of a pattern as written, each with its slash.
std::vector<std::string> written_segments(const std::string& text) {
  std::vector<std::string> list;
  for (const char c : text) {
    if (c == '/') list.emplace_back();
    list.back() += c;
  }
  return list;
}

}  // namespace

std::string routes_as_table(const RouteTable& table) {
  std::vector<Row> rows = {kHeadings};
  for (const Route& route : table.routes) rows.push_back(row_of(route, table));
  std::array<std::size_t, 4> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  std::string out;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - width_of(row[i]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string routes_as_json(const RouteTable& table) {
  std::string out;
  for (const Route& route : table.routes)
    out += fmt::format(
        "{}  {{\"method\": {}, \"pattern\": {}, \"handler\": {}, \"name\": {}, \"params\": [{}], "
        "\"summary\": {}, \"body_limit\": {}}}",
        out.empty() ? "" : ",\n", json_string(route.method), json_string(route.pattern.text),
        json_string(table.handlers[route.handler].name), json_string(table.names[route.id].name),
        json_params(route.pattern, table), json_string(route.summary),
        route.body_limit ? std::to_string(*route.body_limit) : "null");
  return "[\n" + out + "\n]\n";
}

std::string routes_as_markdown(const RouteTable& table) {
  std::string out = "| Method | Pattern | Handler | Summary |\n| --- | --- | --- | --- |\n";
  for (const Route& route : table.routes) {
    out += '|';
    for (const std::string& cell : row_of(route, table))
      out += fmt::format(" {} |", markdown_cell(cell));
    out += '\n';
  }
  return out;
}

std::string routes_as_dot(const RouteTable& table) {
  std::string out = "digraph routes {\n  rankdir=LR;\n  node [shape=box];\n";
  std::map<std::string, std::size_t> nodes = {{"", 0}};  // by the text before and of the segment
  out += fmt::format("  n0 [label={}];\n", dot_text(table.manifest_name));
  for (std::size_t i = 0; i < table.routes.size(); ++i) {
    const Route& route = table.routes[i];
    std::string path;
    std::size_t parent = 0;
    for (const std::string& segment : written_segments(route.pattern.text)) {
      path += segment;
      const auto [node, is_new] = nodes.emplace(path, nodes.size());
      if (is_new)
        out += fmt::format("  n{} [label={}];\n  n{} -> n{};\n", node->second, dot_text(segment),
                           parent, node->second);
      parent = node->second;
    }
    const std::string label = route.method + " " + table.handlers[route.handler].name;
    out += fmt::format("  r{} [label={}, shape=ellipse];\n  n{} -> r{};\n", i, dot_text(label),
                       parent, i);
  }
  return out + "}\n";
}

std::string routes_as_html(const RouteTable& table) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>Routes of {0}</title>\n<style>\n"
      "body {{ font-family: sans-serif; margin: 2em; }}\n"
      "table {{ border-collapse: collapse; }}\n"
      "th, td {{ border-bottom: 1px solid #ccc; padding: 0.3em 1em; text-align: left; }}\n"
      "td:nth-child(-n+3) {{ font-family: monospace; }}\n"
      "</style>\n</head>\n<body>\n<h1>Routes of {0}</h1>\n<table>\n<tr>",
      html_text(escape_invisible(table.manifest_name)));
  for (const char* heading : {"Method", "Pattern", "Handler", "Summary"})
    out += fmt::format("<th>{}</th>", heading);
  out += "</tr>\n";
  for (const Route& route : table.routes) {
    out += "<tr>";
    for (const std::string& cell : row_of(route, table))
      out += fmt::format("<td>{}</td>", html_text(cell));
    out += "</tr>\n";
  }
  return out + "</table>\n</body>\n</html>\n";
}

}  // namespace routec::compiler
