// Every diagnostic routec can give: its stable name, and what it is about in one line.
// Adding a code means adding a golden for it in tests/golden.
#ifndef ROUTEC_GENERATOR_DIAGNOSTIC_CODES_H_
#define ROUTEC_GENERATOR_DIAGNOSTIC_CODES_H_

#include <string_view>

namespace routec::compiler {

// What is wrong with the manifest. Exit status 1.
#define ROUTEC_ERROR_CODES(X)                                                       \
  X("encoding", "The manifest is not UTF-8 text, or holds control characters.")     \
  X("yaml-syntax", "The manifest is not well-formed YAML.")                         \
  X("yaml-feature", "A feature of YAML that manifests do not use.")                 \
  X("yaml-alias", "An alias without its anchor, or one that holds itself.")         \
  X("nesting", "Collections nested deeper than any manifest needs.")                \
  X("duplicate-key", "A mapping has the same key twice.")                           \
  X("unknown-key", "A key that routec does not know.")                              \
  X("missing-key", "A key that is required is not there.")                          \
  X("wrong-type", "A value of another kind than the key takes.")                    \
  X("version", "A manifest version that this routec does not read.")                \
  X("invalid-value", "A value outside of what the key takes.")                      \
  X("invalid-namespace", "The namespace is not a legal C++ namespace.")             \
  X("invalid-name", "A name that no C++ identifier or file can have.")              \
  X("name-clash", "Two names that become the same C++ identifier.")                 \
  X("route-key", "A key under `routes` that is not `METHOD /path`.")                \
  X("invalid-method", "A method that is not a token, or not usable here.")          \
  X("path-syntax", "A path pattern that breaks the grammar.")                       \
  X("unknown-type", "A parameter type that is neither built in nor under `types`.") \
  X("invalid-type", "A definition under `types` that defines no type.")             \
  X("pattern-syntax", "A regular expression that is malformed or not regular.")     \
  X("unknown-handler", "`over` names a handler that no route has.")                 \
  X("handler-parameters", "One handler serves routes whose parameters differ.")     \
  X("duplicate-route", "Two routes of one method that match the same paths.")       \
  X("type-conflict", "Two types at one place that meet, neither the narrower.")     \
  X("over-cycle", "`over` makes a route outrank itself.")                           \
  X("empty-type", "A pattern that no path can fit.")                                \
  X("pattern-too-large", "Types whose automaton would be too large.")               \
  X("limit", "More of something than the generated router can hold.")

// What is legal and still likely wrong. Each name is also that of its -W option.
#define ROUTEC_WARNING_CODES(X)                                         \
  X("method-typo", "A method that looks like a misspelt standard one.") \
  X("overlap", "Two patterns that meet, neither a part of the other.")  \
  X("unreachable", "A route that never gets a request.")                \
  X("search", "Routes that are tried one after the other.")

// What is wrong around the manifest: files, tools, disk. Exit status 3.
#define ROUTEC_FAILURE_CODES(X)                          \
  X("cannot-read", "An input file cannot be read.")      \
  X("cannot-write", "An output file cannot be written.") \
  X("gperf", "gperf is missing or does not work.")       \
  X("render", "Python, jinja2 or a template does not work.")

struct CodeInfo {
  std::string_view name;
  std::string_view description;
};

#define ROUTEC_CODE_INFO(name, description) CodeInfo{name, description},
inline constexpr CodeInfo kErrorCodes[] = {ROUTEC_ERROR_CODES(ROUTEC_CODE_INFO)};
inline constexpr CodeInfo kWarningCodes[] = {ROUTEC_WARNING_CODES(ROUTEC_CODE_INFO)};
inline constexpr CodeInfo kFailureCodes[] = {ROUTEC_FAILURE_CODES(ROUTEC_CODE_INFO)};
#undef ROUTEC_CODE_INFO

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_DIAGNOSTIC_CODES_H_
