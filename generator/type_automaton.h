// What a parameter type accepts, octet by octet: written for being obviously right, and apart from
// everything that the generated code is made from.
#ifndef ROUTEC_GENERATOR_TYPE_AUTOMATON_H_
#define ROUTEC_GENERATOR_TYPE_AUTOMATON_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "route_table.h"

namespace routec::compiler {

// A deterministic automaton whose states come into being as they are reached.
class TypeAutomaton {
 public:
  using State = std::uint32_t;
  static constexpr State kDead = 0;

  virtual ~TypeAutomaton() = default;
  virtual State start() const = 0;
  virtual State step(State state, unsigned char octet) = 0;
  virtual bool accepts(State state) const = 0;
};

std::unique_ptr<TypeAutomaton> make_automaton(const ParamType& type);

// Whether `text` is one of the type's. No type holds the empty text.
bool accepts(TypeAutomaton& automaton, std::string_view text);

// Whether every text of `inner` is one of `outer`.
bool includes(TypeAutomaton& outer, TypeAutomaton& inner);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_TYPE_AUTOMATON_H_
