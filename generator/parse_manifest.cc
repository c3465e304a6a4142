#include "parse_manifest.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quote.h"
#include "yaml_text.h"
#include "yaml_tree.h"

namespace routec::compiler {
namespace {

using Kind = YamlNode::Kind;
using Names = std::vector<std::string>;

// An integer of the core schema without its sign '+' and in base 10; the largest there is when it
// is too large.
std::string decimal(const std::string& integer) {
  if (integer.starts_with('-')) return integer;
  const bool has_base = integer.starts_with("0x") || integer.starts_with("0o");
  const int base = !has_base ? 10 : integer[1] == 'x' ? 16 : 8;
  return std::to_string(std::strtoull(integer.c_str() + (has_base ? 2 : 0), nullptr, base));
}

class ManifestParser {
 public:
  ManifestParser(const YamlTree& tree, Diagnostics& diagnostics)
      : tree_(tree), diagnostics_(diagnostics) {}

  std::optional<Manifest> parse();

 private:
  struct Field {
    const YamlNode& key;
    const YamlNode& value;
  };

  const YamlNode& node(YamlNode::Index index) const { return tree_.nodes[index]; }
  std::vector<Field> fields(const YamlNode& mapping) const;

  bool expect(Kind kind, const YamlNode& value, const std::string& what, std::string_view cure);
  std::optional<Text> text(const YamlNode& value, const std::string& what);
  std::optional<Text> octets(const YamlNode& value, const std::string& what);
  std::optional<std::vector<Text>> texts(const YamlNode& value, const std::string& what);
  void unknown_key(const YamlNode& key, const std::string& where, const Names& known);
  void missing_key(Span span, const std::string& text, std::string_view cure);

  void parse_version(const YamlNode& value);
  void parse_options(const YamlNode& value, Manifest& manifest);
  void parse_types(const YamlNode& value, Manifest& manifest);
  TypeDefinition parse_type(const Field& field);
  void parse_routes(const YamlNode& value, Manifest& manifest);
  RouteEntry parse_route(const Field& field);
  void parse_route_field(const Field& field, RouteEntry& route);

  const YamlTree& tree_;
  Diagnostics& diagnostics_;
};

std::vector<ManifestParser::Field> ManifestParser::fields(const YamlNode& mapping) const {
  std::vector<Field> list;
  for (std::size_t i = 0; i + 1 < mapping.items.size(); i += 2)
    list.push_back({node(mapping.items[i]), node(mapping.items[i + 1])});
  return list;
}

// ---- Values -------------------------------------------------------------------------------------

bool ManifestParser::expect(Kind kind, const YamlNode& value, const std::string& what,
                            std::string_view cure) {
  if (value.kind == kind) return true;
  const std::string wanted = kind == Kind::kMapping ? "a mapping" : "a list";
  diagnostics_
      .error("wrong-type", value.span, what + " must be " + wanted + ", not " + describe(value))
      .cure = cure;
  return false;
}

std::optional<Text> ManifestParser::text(const YamlNode& value, const std::string& what) {
  if (value.kind == Kind::kText) return value.text;
  const bool is_scalar = value.kind != Kind::kMapping && value.kind != Kind::kSequence;
  const bool is_absent = is_scalar && value.text.value.empty();
  diagnostics_.error("wrong-type", value.span, what + " must be text, not " + describe(value))
      .cure = is_absent   ? "write the text behind the ':'"
              : is_scalar ? "put it in quotes if it is meant as text"
                          : "write one text in its place";
  return std::nullopt;
}

std::optional<Text> ManifestParser::octets(const YamlNode& value, const std::string& what) {
  if (value.kind == Kind::kText) return value.text;
  if (value.kind == Kind::kInt) {
    Text number = value.text;
    number.value = decimal(number.value);
    return number;
  }
  diagnostics_
      .error("wrong-type", value.span, what + " must be a number of octets, not " + describe(value))
      .cure = "write 65536, 64KiB, 2MiB or 1GiB";
  return std::nullopt;
}

std::optional<std::vector<Text>> ManifestParser::texts(const YamlNode& value,
                                                       const std::string& what) {
  std::vector<Text> list;
  for (const YamlNode::Index index : value.items)
    if (std::optional<Text> item = text(node(index), what)) list.push_back(std::move(*item));
  return list.size() == value.items.size() ? std::optional(std::move(list)) : std::nullopt;
}

void ManifestParser::unknown_key(const YamlNode& key, const std::string& where,
                                 const Names& known) {
  const std::string& name = key.text.value;
  Diagnostic& error = diagnostics_.error("unknown-key", key.span,
                                         "unknown key " + quote(name) + " in " + where +
                                             "; the known keys are " + list_words(known, "and"));
  const std::string nearest = nearest_name(name, known);
  if (name == "<<")
    error.cure = "manifests have no merge keys: write the keys out";
  else
    error.cure =
        nearest.empty() ? "remove it, or use a known key" : "did you mean '" + nearest + "'?";
}

void ManifestParser::missing_key(Span span, const std::string& text, std::string_view cure) {
  diagnostics_.error("missing-key", span, text).cure = cure;
}

// ---- The manifest -------------------------------------------------------------------------------

std::optional<Manifest> ManifestParser::parse() {
  static const Names kKeys = {"routec", "namespace", "options", "types", "routes"};
  const YamlNode& root = node(tree_.root);
  if (root.kind == Kind::kNull) {
    missing_key(root.span, "the manifest is empty; it needs at least 'routec: 1' and 'routes'",
                "begin with 'routec: 1'");
    return std::nullopt;
  }
  if (!expect(Kind::kMapping, root, "a manifest", "begin with 'routec: 1'")) return std::nullopt;
  Manifest manifest;
  bool has_version = false, has_routes = false;
  for (const Field& field : fields(root)) {
    const std::string& key = field.key.text.value;
    has_version = has_version || key == "routec";
    has_routes = has_routes || key == "routes";
    if (key == "routec")
      parse_version(field.value);
    else if (key == "namespace")
      manifest.name_space = text(field.value, "'namespace'");
    else if (key == "options")
      parse_options(field.value, manifest);
    else if (key == "types")
      parse_types(field.value, manifest);
    else if (key == "routes")
      parse_routes(field.value, manifest);
    else
      unknown_key(field.key, "the manifest", kKeys);
  }
  const Span start{root.span.begin, root.span.begin, root.span.file};
  if (!has_version)
    missing_key(start, "the key 'routec' is missing", "begin with 'routec: 1', the version");
  if (!has_routes)
    missing_key(start, "the key 'routes' is missing", "add 'routes:' with at least one route");
  return manifest;
}

void ManifestParser::parse_version(const YamlNode& value) {
  const bool is_number = value.kind == Kind::kInt || value.kind == Kind::kFloat;
  if (!is_number) {
    diagnostics_
        .error("wrong-type", value.span,
               "'routec' must be the number of the manifest version, not " + describe(value))
        .cure = "write 'routec: 1'";
  } else if (std::strtod(value.text.value.c_str(), nullptr) != 1.0) {
    diagnostics_
        .error(
            "version", value.span,
            "manifest version " + value.text.value + " is not known; this routec reads version 1")
        .cure = "write 'routec: 1', or use a newer routec";
  }
}

void ManifestParser::parse_options(const YamlNode& value, Manifest& manifest) {
  static const Names kKeys = {"slash"};
  if (!expect(Kind::kMapping, value, "'options'", "write 'options: { slash: strict }'")) return;
  for (const Field& field : fields(value)) {
    if (field.key.text.value == "slash")
      manifest.slash = text(field.value, "'slash'");
    else
      unknown_key(field.key, "options", kKeys);
  }
}

void ManifestParser::parse_types(const YamlNode& value, Manifest& manifest) {
  if (!expect(Kind::kMapping, value, "'types'", "write 'name: { enum: [a, b] }' under it")) return;
  for (const Field& field : fields(value)) manifest.types.push_back(parse_type(field));
}

TypeDefinition ManifestParser::parse_type(const Field& field) {
  static const Names kKeys = {"pattern", "enum"};
  TypeDefinition type;
  type.name = field.key.text;
  type.span = field.value.span;
  const std::string where = "the type " + quote(type.name.value);
  type.is_complete =
      expect(Kind::kMapping, field.value, where, "write { pattern: '...' } or { enum: [a, b] }");
  if (!type.is_complete) return type;
  for (const Field& part : fields(field.value)) {
    const std::string& key = part.key.text.value;
    if (key == "pattern") {
      type.pattern = text(part.value, "'pattern' of " + where);
      type.is_complete = type.is_complete && type.pattern;
    } else if (key == "enum") {
      type.members_span = part.value.span;
      const bool is_list =
          expect(Kind::kSequence, part.value, "'enum' of " + where, "write enum: [a, b]");
      if (is_list) type.members = texts(part.value, "a member of the enum of " + where);
      type.is_complete = type.is_complete && type.members;
    } else {
      unknown_key(part.key, where, kKeys);
      type.is_complete = false;
    }
  }
  return type;
}

void ManifestParser::parse_routes(const YamlNode& value, Manifest& manifest) {
  if (!expect(Kind::kMapping, value, "'routes'", "write 'GET /path: handler' under it")) return;
  if (value.items.empty() && !value.lost_keys)
    missing_key(value.span, "'routes' is empty; a manifest needs at least one route",
                "write 'GET /path: handler' under it");
  manifest.routes.reserve(value.items.size() / 2);
  for (const Field& field : fields(value)) manifest.routes.push_back(parse_route(field));
}

RouteEntry ManifestParser::parse_route(const Field& field) {
  RouteEntry route;
  route.key = field.key.text;
  if (field.value.kind == Kind::kText) {
    route.handler = field.value.text;
    return route;
  }
  if (field.value.kind != Kind::kMapping) {
    text(field.value, "the handler of " + quote(route.key.value));
    return route;
  }
  bool has_handler = false;
  for (const Field& part : fields(field.value)) {
    parse_route_field(part, route);
    has_handler = has_handler || part.key.text.value == "handler";
  }
  if (!has_handler)
    missing_key(field.key.span, "the route " + quote(route.key.value) + " has no handler",
                "add 'handler: some.name'");
  return route;
}

void ManifestParser::parse_route_field(const Field& field, RouteEntry& route) {
  static const Names kKeys = {"handler", "name", "summary", "body_limit", "over"};
  const std::string& key = field.key.text.value;
  const std::string what = "'" + key + "'";
  if (key == "handler")
    route.handler = text(field.value, what);
  else if (key == "name")
    route.name = text(field.value, what);
  else if (key == "summary")
    route.summary = text(field.value, what);
  else if (key == "body_limit")
    route.body_limit = octets(field.value, what);
  else if (key != "over")
    return unknown_key(field.key, "the route " + quote(route.key.value), kKeys);
  else {
    route.over_span = field.value.span;
    if (field.value.kind == Kind::kSequence)
      route.over = texts(field.value, what).value_or(std::vector<Text>{});
    else if (std::optional<Text> one = text(field.value, what))
      route.over.push_back(std::move(*one));
  }
}

}  // namespace

std::optional<Manifest> parse_manifest(const SourceFile& source, std::uint32_t file_index,
                                       Diagnostics& diagnostics) {
  const std::optional<YamlTree> tree = read_yaml(source, file_index, diagnostics);
  if (!tree) return std::nullopt;
  std::optional<Manifest> manifest = ManifestParser(*tree, diagnostics).parse();
  if (manifest) manifest->file_name = source.name();
  return manifest;
}

}  // namespace routec::compiler
