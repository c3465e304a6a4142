// The types that parameters can have: the built-in ones, those of the manifest, and enums written
// in a path.
#ifndef ROUTEC_GENERATOR_PARAM_TYPES_H_
#define ROUTEC_GENERATOR_PARAM_TYPES_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics.h"
#include "manifest.h"
#include "route_table.h"

namespace routec::compiler {

class ParamTypes {
 public:
  static constexpr std::size_t kStr = 0;  // index of the type `str`

  ParamTypes();

  // Adds the definitions under `types`, and reports what is wrong with them. A faulty one is known
  // by its name all the same, so that its uses are no further errors.
  void define(const std::vector<TypeDefinition>& definitions, Diagnostics& diagnostics);

  std::optional<std::size_t> find(std::string_view name) const;
  std::size_t add_enum(std::vector<std::string> members);

  std::vector<std::string> names() const;  // for suggestions: no enums of paths
  const std::vector<ParamType>& all() const { return types_; }

 private:
  std::size_t add(ParamType type);
  void define_one(const TypeDefinition& definition, Diagnostics& diagnostics);

  std::vector<ParamType> types_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_PARAM_TYPES_H_
