// From names of the manifest to C++ identifiers that are legal, unique, and the same for any order
// of the manifest.
#ifndef ROUTEC_GENERATOR_NAMING_H_
#define ROUTEC_GENERATOR_NAMING_H_

#include <string>
#include <string_view>
#include <vector>

namespace routec::compiler {

// [A-Za-z_][A-Za-z0-9_]*
bool is_identifier(std::string_view text);

// Identifiers joined by dots: "users.show".
bool is_dotted_name(std::string_view text);

// "users.show" -> "users_show". Different names may become equal.
std::string dots_to_underscores(std::string_view name);

// Whether generated code cannot use `name` for something of the manifest: a keyword, a reserved
// identifier ([lex.name]), what is or by its capitals could be a macro, or a name that generated
// code itself declares or relies on, among them `request` and `handlers`, its only local names.
bool is_reserved(std::string_view name);

// Identifiers joined by "::", none of them reserved; but capitals that no header has are possible.
bool is_namespace(std::string_view text);

// A C++ name for each of `names`, which are unique identifiers. A name that needs no escape keeps
// itself; `class` becomes `class_`, or `class_2` should `class_` be among the names.
std::vector<std::string> escape_names(const std::vector<std::string>& names);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_NAMING_H_
