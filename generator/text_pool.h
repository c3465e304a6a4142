// Texts side by side in one array of octets, found again by index.
#ifndef ROUTEC_GENERATOR_TEXT_POOL_H_
#define ROUTEC_GENERATOR_TEXT_POOL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace routec::compiler {

// The array is written as C++ string literals, of which compilers need not take more than 65,536
// octets each. So no text crosses a multiple of kTextBlock, and the last octet of each block is the
// NUL that ends its literal.
inline constexpr std::size_t kTextBlock = 65536;

class TextPool {
 public:
  // `base`: index of the first octet, when the pool continues another one.
  explicit TextPool(std::size_t base = 0) : base_(base) {}

  // The index of `text`, shorter than kTextBlock. Equal texts are stored once.
  std::uint32_t add(std::string_view text);

  std::string take() { return std::move(octets_); }

 private:
  std::size_t base_;
  std::string octets_;
  std::unordered_map<std::string, std::uint32_t> known_;
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_TEXT_POOL_H_
