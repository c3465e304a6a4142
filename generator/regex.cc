#include "regex.h"

#include <algorithm>
#include <utility>

#include "ascii.h"

namespace routec::compiler {
namespace {

using Octets = std::bitset<256>;
constexpr std::size_t kMaxDepth = 100;
constexpr std::size_t kMaxCount = 1000;

Octets range(unsigned char first, unsigned char last) {
  Octets set;
  for (unsigned c = first; c <= last; ++c) set.set(c);
  return set;
}

Octets one_of(std::string_view text) {
  Octets set;
  for (const char c : text) set.set(static_cast<unsigned char>(c));
  return set;
}

std::optional<Octets> shorthand_class(char letter) {
  switch (letter) {
    case 'd':
      return range('0', '9');
    case 'D':
      return ~range('0', '9');
    case 'w':
      return range('0', '9') | range('a', 'z') | range('A', 'Z') | one_of("_");
    case 'W':
      return ~(range('0', '9') | range('a', 'z') | range('A', 'Z') | one_of("_"));
    case 's':
      return one_of(" \t\n\r\f\v");
    case 'S':
      return ~one_of(" \t\n\r\f\v");
    default:
      return std::nullopt;
  }
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t saturating_product(std::size_t a, std::size_t b) {
  return b != 0 && a > kMaxRegexSize * 2 / b ? kMaxRegexSize + 1 : a * b;
}

// Recursive descent; every function returns false once `error_` is set.
class Parser {
 public:
  Parser(std::string_view text, RegexError& error) : text_(text), error_(error) {}

  bool parse(Regex& out) {
    if (!choice(out, 0)) return false;
    if (!at_end())
      return fail(pos_, pos_ + 1, "')' closes nothing", "write '\\)' for the character");
    if (expanded_size(out) > kMaxRegexSize)
      return fail(0, text_.size(), "the pattern is too large once its repeats are written out",
                  "use smaller counts, or '*' and '+'");
    return true;
  }

 private:
  bool at_end() const { return pos_ >= text_.size(); }
  bool looking_at(std::string_view prefix) const { return text_.substr(pos_).starts_with(prefix); }

  bool fail(std::size_t begin, std::size_t end, std::string text, std::string cure) {
    error_ = {begin, std::min(end, text_.size()), std::move(text), std::move(cure)};
    return false;
  }

  bool choice(Regex& out, std::size_t depth) {
    if (depth > kMaxDepth)
      return fail(pos_, pos_ + 1, "groups nested too deeply", "flatten the expression");
    out.kind = Regex::Kind::kChoice;
    do {
      if (!concat(out.parts.emplace_back(), depth)) return false;
    } while (accept('|'));
    if (out.parts.size() == 1) {
      Regex only = std::move(out.parts.front());
      out = std::move(only);
    }
    return true;
  }

  bool concat(Regex& out, std::size_t depth) {
    out.kind = Regex::Kind::kConcat;
    while (!at_end() && text_[pos_] != '|' && text_[pos_] != ')') {
      Regex item;
      if (!atom(item, depth) || !repeats(item)) return false;
      out.parts.push_back(std::move(item));
    }
    return true;
  }

  bool accept(char c) {
    if (at_end() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }

  bool atom(Regex& out, std::size_t depth) {
    const char c = text_[pos_];
    switch (c) {
      case '(':
        return group(out, depth);
      case '[':
        return bracket(out);
      case '\\':
        return escape(out);
      case '.':
        return ++pos_, octet(out, Octets().set());
      case '*':
      case '+':
      case '?':
      case '{':
        return fail(pos_, pos_ + 1, std::string("'") + c + "' has nothing to repeat",
                    std::string("write '\\") + c + "' for the character");
      case '^':
      case '$':
        return fail(pos_, pos_ + 1,
                    std::string("'") + c + "' is not needed: a pattern fits the whole value",
                    std::string("drop it, or write '\\") + c + "' for the character");
      default:
        return literal(out, c);
    }
  }

  bool literal(Regex& out, char c) {
    if (static_cast<unsigned char>(c) >= 0x80)
      return fail(pos_, pos_ + 1, "patterns are ASCII", "write the octets as '\\xHH'");
    ++pos_;
    return octet(out, one_of({&c, 1}));
  }

  static bool octet(Regex& out, Octets set) {
    out.kind = Regex::Kind::kOctet;
    out.octets = set;
    return true;
  }

  bool group(Regex& out, std::size_t depth) {
    const std::size_t begin = pos_++;
    if (looking_at("?:")) {
      pos_ += 2;
    } else if (looking_at("?")) {
      const std::size_t end = std::min(text_.find_first_not_of("?<=!", pos_), text_.size());
      const std::string seen(text_.substr(begin, end - begin));
      return fail(
          begin, end,
          "'" + seen + "' is not regular: look-around, named groups and flags are not taken",
          "describe the whole value without it");
    }
    if (!choice(out, depth + 1)) return false;
    if (!accept(')')) return fail(begin, begin + 1, "'(' is not closed", "add ')'");
    return true;
  }

  // \d, \x2e, \. ...: one octet or a class.
  bool escaped_octets(Octets& out) {
    const std::size_t begin = pos_++;
    if (at_end())
      return fail(begin, begin + 1, "'\\' at the end", "write '\\\\' for the character");
    const char c = text_[pos_++];
    if (const auto set = shorthand_class(c)) {
      out = *set;
      return true;
    }
    if (c == 'x') return hex_octet(begin, out);
    static constexpr std::string_view kNames = "tnrfv", kValues = "\t\n\r\f\v";
    if (const std::size_t i = kNames.find(c); i != std::string_view::npos) {
      out = one_of(kValues.substr(i, 1));
      return true;
    }
    if (is_digit(c) || is_word(c)) return bad_escape(begin, c);
    if (static_cast<unsigned char>(c) >= 0x80)
      return --pos_, fail(begin, pos_, "patterns are ASCII", "write the octets as '\\xHH'");
    out = one_of({&c, 1});
    return true;
  }

  bool bad_escape(std::size_t begin, char c) {
    const std::string seen = std::string("'\\") + c + "'";
    if (is_digit(c) || c == 'k' || c == 'g')
      return fail(begin, pos_, seen + " is a back-reference, which is not regular",
                  "write the text out");
    if (c == 'b' || c == 'B' || c == 'A' || c == 'Z' || c == 'z')
      return fail(begin, pos_, seen + " is not needed: a pattern fits the whole value", "drop it");
    return fail(
        begin, pos_, seen + " is no escape of this syntax",
        "taken are \\d \\D \\w \\W \\s \\S \\t \\n \\r \\f \\v \\xHH and escaped punctuation");
  }

  bool hex_octet(std::size_t begin, Octets& out) {
    const int high = pos_ < text_.size() ? hex_value(text_[pos_]) : -1;
    const int low = pos_ + 1 < text_.size() ? hex_value(text_[pos_ + 1]) : -1;
    if (high < 0 || low < 0)
      return fail(begin, pos_, "'\\x' needs two hex digits", "write '\\x2e'");
    pos_ += 2;
    out.reset().set(static_cast<std::size_t>(high) * 16 + static_cast<std::size_t>(low));
    return true;
  }

  bool escape(Regex& out) {
    Octets set;
    return escaped_octets(set) && octet(out, set);
  }

  bool bracket(Regex& out) {
    const std::size_t begin = pos_++;
    const bool negated = accept('^');
    Octets set;
    bool first = true;
    while (!at_end() && (text_[pos_] != ']' || first)) {
      if (!bracket_item(set)) return false;
      first = false;
    }
    if (!accept(']')) return fail(begin, begin + 1, "'[' is not closed", "add ']'");
    set = negated ? ~set : set;
    if (set.none()) return fail(begin, pos_, "the class holds no octet", "name at least one");
    return octet(out, set);
  }

  bool bracket_item(Octets& set) {
    const std::size_t begin = pos_;
    if (looking_at("[:") || looking_at("[.") || looking_at("[="))
      return fail(begin, begin + 2, "POSIX classes are not taken", "write the range, as in [a-z]");
    Octets low;
    if (!bracket_octets(low)) return false;
    const bool ranged = looking_at("-") && pos_ + 1 < text_.size() && text_[pos_ + 1] != ']';
    if (!ranged) {
      set |= low;
      return true;
    }
    ++pos_;
    Octets high;
    if (!bracket_octets(high)) return false;
    return add_range(set, low, high, begin);
  }

  bool bracket_octets(Octets& out) {
    if (at_end()) return true;  // bracket() reports the missing ']'
    const char c = text_[pos_];
    if (c == '\\') return escaped_octets(out);
    if (static_cast<unsigned char>(c) >= 0x80)
      return fail(pos_, pos_ + 1, "patterns are ASCII", "write the octets as '\\xHH'");
    ++pos_;
    out = one_of({&c, 1});
    return true;
  }

  bool add_range(Octets& set, const Octets& low, const Octets& high, std::size_t begin) {
    if (at_end() && high.none()) return true;
    if (low.count() != 1 || high.count() != 1)
      return fail(begin, pos_, "a range needs one character at either end",
                  "write '\\-' for the character");
    const std::size_t first = low._Find_first(), last = high._Find_first();
    if (first > last) return fail(begin, pos_, "the range runs backwards", "swap its ends");
    set |= range(static_cast<unsigned char>(first), static_cast<unsigned char>(last));
    return true;
  }

  bool repeats(Regex& item) {
    const std::size_t begin = pos_;
    std::size_t min = 0, max = Regex::kUnbounded;
    if (accept('*')) {
    } else if (accept('+')) {
      min = 1;
    } else if (accept('?')) {
      max = 1;
    } else if (looking_at("{")) {
      if (!counts(min, max)) return false;
    } else {
      return true;
    }
    if (!at_end() && (text_[pos_] == '?' || text_[pos_] == '+'))
      return fail(begin, pos_ + 1,
                  "lazy and possessive repeats are not taken: a pattern fits the whole value",
                  "drop the second sign");
    if (!at_end() && (text_[pos_] == '*' || text_[pos_] == '{'))
      return fail(begin, pos_ + 1, "two repeats in a row", "put the first one in a group");
    Regex repeat;
    repeat.kind = Regex::Kind::kRepeat;
    repeat.min = min;
    repeat.max = max;
    repeat.parts.push_back(std::move(item));
    item = std::move(repeat);
    return true;
  }

  bool counts(std::size_t& min, std::size_t& max) {
    const std::size_t begin = pos_++;
    const bool has_min = number(min);
    max = min;
    if (accept(',')) {
      max = Regex::kUnbounded;
      number(max);
    }
    if (!has_min || !accept('}'))
      return fail(begin, pos_ + 1, "a count is {m}, {m,} or {m,n}",
                  "write '\\{' for the character");
    if (min > kMaxCount || (max != Regex::kUnbounded && max > kMaxCount))
      return fail(begin, pos_, "a count is at most 1000", "use '*' or '+'");
    if (min > max) return fail(begin, pos_, "the counts run backwards", "swap them");
    return true;
  }

  bool number(std::size_t& value) {
    if (at_end() || !is_digit(text_[pos_])) return false;
    value = 0;
    while (!at_end() && is_digit(text_[pos_])) {
      value = std::min<std::size_t>(value * 10 + static_cast<std::size_t>(text_[pos_] - '0'),
                                    kMaxCount + 1);
      ++pos_;
    }
    return true;
  }

  std::string_view text_;
  RegexError& error_;
  std::size_t pos_ = 0;
};

}  // namespace

std::size_t expanded_size(const Regex& regex) {
  if (regex.kind == Regex::Kind::kOctet) return 1;
  std::size_t size = 0;
  for (const Regex& part : regex.parts)
    size = std::min(size + expanded_size(part), kMaxRegexSize + 1);
  if (regex.kind != Regex::Kind::kRepeat) return size;
  const std::size_t times = regex.max == Regex::kUnbounded ? regex.min + 1 : regex.max;
  return std::min(saturating_product(size, times), kMaxRegexSize + 1);
}

std::optional<Regex> parse_regex(std::string_view pattern, RegexError& error) {
  Regex out;
  if (!Parser(pattern, error).parse(out)) return std::nullopt;
  return out;
}

}  // namespace routec::compiler
