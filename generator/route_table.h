// The validated manifest: what every stage after `check` works on. No YAML terms, everything named,
// sorted and decoded; two manifests that differ only in order give equal tables.
#ifndef ROUTEC_GENERATOR_ROUTE_TABLE_H_
#define ROUTEC_GENERATOR_ROUTE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "source_file.h"

namespace routec::compiler {

enum class TypeKind : std::uint8_t {
  kStr,
  kInt,
  kUint,
  kUuid,
  kDate,
  kHex,
  kSlug,
  kBool,
  kEnum,
  kPattern,
};

// The type of a parameter. Equal types share one entry of RouteTable::types.
struct ParamType {
  TypeKind kind = TypeKind::kStr;
  std::string name;                  // as messages show it: "int", "enum(a,b)", "slug_id"
  std::vector<std::string> members;  // kEnum: decoded octets, sorted, unique
  std::string pattern;               // kPattern: the regular expression as written
  Span span;                         // where it is defined; empty for built-in types
};

struct Param {
  std::string name;      // as written
  std::string cpp_name;  // legal, unique within its route
  std::size_t type = 0;  // index into RouteTable::types
  Span span;             // of the braces in the manifest
};

// What stands between two slashes of a pattern:
//   literals[0] {params[0]} literals[1] {params[1]} ... literals[n]
// so literals.size() == params.size() + 1. Literals are decoded octets and may be empty at either
// end; between two parameters they never are.
struct Segment {
  std::vector<std::string> literals{1};
  std::vector<Param> params;

  bool is_literal() const { return params.empty(); }
  // A parameter that is the whole segment.
  bool is_plain() const { return params.size() == 1 && literals[0].empty() && literals[1].empty(); }
};

// How the last segment of a pattern behaves.
enum class Tail : std::uint8_t {
  kNone,      // like any other
  kOptional,  // {x?}: may be absent, together with the slash before it
  kRest,      // {x...}: zero or more segments, empty ones included
};

// A path pattern: "/" is one empty literal segment, "/a/" is "a" and an empty one. With a tail
// other than kNone the last segment is one plain parameter.
struct Pattern {
  std::string text;  // as written
  std::vector<Segment> segments;
  Tail tail = Tail::kNone;

  bool is_literal() const {
    for (const Segment& segment : segments)
      if (!segment.is_literal()) return false;
    return true;
  }

  // Whether the segment is {x...}.
  bool is_rest(std::size_t segment) const {
    return tail == Tail::kRest && segment + 1 == segments.size();
  }
};

// One pure virtual function of `Handlers`. One handler may serve several routes; they then have
// the same parameters (types in order).
struct Handler {
  std::string name;      // as written: "users.show"
  std::string cpp_name;  // "users_show"
};

// One method and pattern.
struct Route {
  std::string method;  // "GET"; "ANY" for every method
  Pattern pattern;
  std::size_t handler = 0;  // index into RouteTable::handlers
  std::size_t id = 0;       // index into RouteTable::names; routes of one key share it
  std::string summary;
  std::optional<std::uint64_t> body_limit;  // octets
  std::vector<std::size_t> over;  // indices into RouteTable::handlers that this route outranks
  Span key;                       // the METHOD and path in the manifest
  Span path;                      // the path alone
  Span over_span;
};

// One enumerator of `Route`, and its URL builder.
struct RouteName {
  std::string name;      // as written: "users.show", or the route's `name`
  std::string cpp_name;  // "users_show"
};

enum class SlashMode : std::uint8_t { kStrict, kRedirect, kBoth };

struct RouteTable {
  std::string manifest_name;            // file name for the banner, without folders: "shop.yaml"
  std::string stem;                     // "shop": outputs are shop_router.h, ...
  std::vector<std::string> namespaces;  // "a::b" is {"a", "b"}
  SlashMode slash = SlashMode::kStrict;
  // Method ids: those of routec::Method, then the table's other tokens, sorted. "ANY" is
  // none of them; its id is methods.size().
  std::vector<std::string> methods;
  std::vector<ParamType> types;   // the used ones, in canonical order
  std::vector<Handler> handlers;  // sorted by cpp_name
  std::vector<RouteName> names;   // sorted by cpp_name
  std::vector<Route> routes;      // sorted by decoded pattern, then method
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_ROUTE_TABLE_H_
