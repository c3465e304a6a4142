#include "param_types.h"

#include <algorithm>
#include <utility>

#include "ascii.h"
#include "naming.h"
#include "quote.h"
#include "regex.h"

namespace routec::compiler {
namespace {

constexpr std::pair<const char*, TypeKind> kBuiltIn[] = {
    {"str", TypeKind::kStr},   {"int", TypeKind::kInt},   {"uint", TypeKind::kUint},
    {"uuid", TypeKind::kUuid}, {"date", TypeKind::kDate}, {"hex", TypeKind::kHex},
    {"slug", TypeKind::kSlug}, {"bool", TypeKind::kBool}};

bool is_built_in(std::string_view name) {
  return name == "enum" || std::any_of(std::begin(kBuiltIn), std::end(kBuiltIn),
                                       [&](const auto& type) { return name == type.first; });
}

void check_name(const Text& name, Diagnostics& diagnostics) {
  if (is_built_in(name.value))
    diagnostics.error("invalid-type", name.span, "the type " + quote(name.value) + " is built in")
        .cure = "give yours another name";
  else if (!is_identifier(name.value))
    diagnostics
        .error("invalid-name", name.span,
               "the type name " + quote(name.value) + " is no identifier")
        .cure = "use letters, digits and '_', not beginning with a digit";
}

void check_pattern(const Text& pattern, const std::string& type, Diagnostics& diagnostics) {
  RegexError error;
  if (parse_regex(pattern.value, error)) return;
  // The excerpt shows the place; the words of the pattern are for readers of plain logs.
  const std::string_view part =
      std::string_view(pattern.value).substr(error.begin, error.end - error.begin);
  const std::string at = part.empty() ? "" : " at " + quote(part);
  diagnostics
      .error("pattern-syntax", pattern.part(error.begin, error.end),
             "the pattern of type " + quote(type) + " is not taken" + at + ": " + error.text)
      .cure = error.cure;
}

void check_members(const TypeDefinition& definition, Diagnostics& diagnostics) {
  const std::string type = quote(definition.name.value);
  if (definition.members->empty())
    diagnostics
        .error("invalid-type", definition.members_span, "the enum " + type + " has no member")
        .cure = "write enum: [a, b]";
  std::map<std::string_view, Span> seen;
  for (const Text& member : *definition.members) {
    if (member.value.empty())
      diagnostics.error("invalid-type", member.span, "a member of the enum " + type + " is empty")
          .cure = "a parameter is never empty: remove the member";
    if (std::any_of(member.value.begin(), member.value.end(), is_control))
      diagnostics
          .error("invalid-type", member.span,
                 "the member " + quote(member.value) + " of the enum " + type +
                     " holds a control character")
          .cure = "remove it; no request that holds one is answered";
    const auto [first, is_new] = seen.emplace(member.value, member.span);
    if (is_new) continue;
    Diagnostic& error =
        diagnostics.error("invalid-type", member.span,
                          "the enum " + type + " has the member " + quote(member.value) + " twice");
    error.notes.push_back({first->second, "the first one"});
    error.cure = "remove one of them";
  }
}

}  // namespace

ParamTypes::ParamTypes() {
  for (const auto& [name, kind] : kBuiltIn) {
    ParamType type;
    type.kind = kind;
    type.name = name;
    add(std::move(type));
  }
}

void ParamTypes::define(const std::vector<TypeDefinition>& definitions, Diagnostics& diagnostics) {
  for (const TypeDefinition& definition : definitions) define_one(definition, diagnostics);
}

void ParamTypes::define_one(const TypeDefinition& definition, Diagnostics& diagnostics) {
  check_name(definition.name, diagnostics);
  if (definition.is_complete && definition.pattern.has_value() == definition.members.has_value())
    diagnostics
        .error("invalid-type", definition.name.span,
               "the type " + quote(definition.name.value) +
                   (definition.pattern ? " has both 'pattern' and 'enum'"
                                       : " has neither 'pattern' nor 'enum'"))
        .cure = "give it one of the two";
  ParamType type;
  type.name = definition.name.value;
  type.span = definition.name.span;
  if (definition.pattern) {
    type.kind = TypeKind::kPattern;
    type.pattern = definition.pattern->value;
    check_pattern(*definition.pattern, type.name, diagnostics);
  }
  if (definition.members) {
    type.kind = TypeKind::kEnum;
    check_members(definition, diagnostics);
    for (const Text& member : *definition.members) type.members.push_back(member.value);
    std::sort(type.members.begin(), type.members.end());
  }
  if (!is_built_in(type.name)) add(std::move(type));
}

std::optional<std::size_t> ParamTypes::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t ParamTypes::add_enum(std::vector<std::string> members) {
  std::sort(members.begin(), members.end());
  ParamType type;
  type.kind = TypeKind::kEnum;
  for (const std::string& member : members) type.name += (type.name.empty() ? "" : ",") + member;
  type.name = "enum(" + type.name + ")";
  type.members = std::move(members);
  const auto known = find(type.name);
  return known ? *known : add(std::move(type));
}

std::vector<std::string> ParamTypes::names() const {
  std::vector<std::string> list;
  for (const auto& [name, index] : by_name_)
    if (is_identifier(name)) list.push_back(name);
  return list;
}

std::size_t ParamTypes::add(ParamType type) {
  by_name_.emplace(type.name, types_.size());
  types_.push_back(std::move(type));
  return types_.size() - 1;
}

}  // namespace routec::compiler
