// What `routec routes` prints: the table, for people and for tools.
#ifndef ROUTEC_GENERATOR_LIST_ROUTES_H_
#define ROUTEC_GENERATOR_LIST_ROUTES_H_

#include <string>

#include "route_table.h"

namespace routec::compiler {

// Columns, aligned.
std::string routes_as_table(const RouteTable& table);
// A list of {"method", "pattern", "handler", "name", "params": [{"name", "type"}], "summary",
// "body_limit"}.
std::string routes_as_json(const RouteTable& table);
// A table of GitHub-flavoured Markdown.
std::string routes_as_markdown(const RouteTable& table);
// A graph of segments for Graphviz.
std::string routes_as_dot(const RouteTable& table);
// One page without scripts or outside resources.
std::string routes_as_html(const RouteTable& table);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_LIST_ROUTES_H_
