// Reads the values of C++ initializers one after the other: numbers, strings, the few names that
// generated tables use. Braces, commas and comments are skipped.
#ifndef ROUTEC_TESTS_BEHAVIOUR_INITIALIZER_READER_H_
#define ROUTEC_TESTS_BEHAVIOUR_INITIALIZER_READER_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "routec/tables.h"

namespace routec::test {

class InitializerReader {
 public:
  // `text` must outlive it.
  explicit InitializerReader(std::string_view text) : text_(text) { skip_space(); }

  bool at_end() const { return text_.empty(); }

  template <typename Number>
  void read(Number& number) {
    const std::uint64_t value = value_of(word());
    if (value > std::numeric_limits<Number>::max()) fail("narrowing conversion");
    number = static_cast<Number>(value);
  }
  void read(bool& flag);
  void read(detail::NodeKind& kind);
  void read(detail::ParamKind& kind);
  void read(std::string& text);  // of adjacent string literals

 private:
  // The index of the next word among `names`.
  std::size_t read_name(std::initializer_list<std::string_view> names);
  [[noreturn]] void fail(const std::string& why) const;
  void skip_space();
  std::string_view word();
  std::uint64_t value_of(std::string_view word) const;
  void read_literal(std::string& text);

  std::string_view text_;  // what is left
};

}  // namespace routec::test

#endif  // ROUTEC_TESTS_BEHAVIOUR_INITIALIZER_READER_H_
