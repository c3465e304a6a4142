// Generated tables without a C++ compiler: reads the initializers of a render model, as a compiler
// would, into arrays that the matcher can use.
#ifndef ROUTEC_TESTS_BEHAVIOUR_LIVE_TABLES_H_
#define ROUTEC_TESTS_BEHAVIOUR_LIVE_TABLES_H_

#include <memory>
#include <string_view>

#include "routec/tables.h"

namespace routec::test {

class LiveTables {
 public:
  // `model` is a result of compiler::plan(). Throws std::runtime_error if it is not legal C++: a
  // number that its field can't hold, a row too many.
  explicit LiveTables(std::string_view model);
  ~LiveTables();

  const detail::Tables& get() const;

 private:
  struct Arrays;
  std::unique_ptr<Arrays> arrays_;
};

}  // namespace routec::test

#endif  // ROUTEC_TESTS_BEHAVIOUR_LIVE_TABLES_H_
