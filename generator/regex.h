// Regular expressions of `pattern` types: the syntax only.
//
// Taken: literals, `.`, `[...]`, `[^...]`, `(...)`, `(?:...)`, `|`, `*`, `+`, `?`, `{m}`, `{m,}`,
// `{m,n}`, `\d \D \w \W \s \S`, `\t \n \r \f \v \xHH` and escaped punctuation. All of it ASCII,
// case-sensitive, anchored at both ends. What is not regular (back-references, look-around, lazy or
// possessive repeats, word boundaries) is refused with its place.
#ifndef ROUTEC_GENERATOR_REGEX_H_
#define ROUTEC_GENERATOR_REGEX_H_

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace routec::compiler {

struct Regex {
  enum class Kind : std::uint8_t {
    kOctet,   // one octet of `octets`
    kConcat,  // parts in order; without parts: the empty text
    kChoice,  // one of the parts
    kRepeat,  // parts[0], `min` to `max` times
  };
  static constexpr std::size_t kUnbounded = static_cast<std::size_t>(-1);

  Kind kind = Kind::kConcat;
  std::bitset<256> octets;
  std::vector<Regex> parts;
  std::size_t min = 0;
  std::size_t max = kUnbounded;
};

struct RegexError {
  std::size_t begin = 0;  // octets of the pattern text
  std::size_t end = 0;
  std::string text;
  std::string cure;
};

// Octets that an expression stands for once its counted repeats are written out; what counts
// against kMaxRegexSize.
std::size_t expanded_size(const Regex& regex);
inline constexpr std::size_t kMaxRegexSize = 4096;

std::optional<Regex> parse_regex(std::string_view pattern, RegexError& error);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_REGEX_H_
