// Finds functions in C++ text, as far as `routec stub` has to know what a person wrote.
#ifndef ROUTEC_GENERATOR_CPP_FUNCTIONS_H_
#define ROUTEC_GENERATOR_CPP_FUNCTIONS_H_

#include <string>
#include <string_view>
#include <vector>

namespace routec::compiler {

struct CppFunction {
  std::string qualifier;  // `Service` of `Service::home`, or empty
  std::string name;
  std::vector<std::string> parameters;  // types, without `const`, namespaces and names
  bool is_override = false;
  bool is_definition = false;
  std::string head;  // up to the ')', on one line
  std::string text;  // as written, with the comment before it

  bool has_signature_of(const CppFunction& other) const {
    return name == other.name && parameters == other.parameters;
  }
};

// Neither compiles nor expands anything: comments, literals, directives and the bodies of functions
// are passed over, and whatever looks like a function is taken for one.
std::vector<CppFunction> find_functions(std::string_view text);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_CPP_FUNCTIONS_H_
