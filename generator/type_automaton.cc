#include "type_automaton.h"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "regex.h"

namespace routec::compiler {
namespace {

using State = TypeAutomaton::State;

bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
bool is_lower(unsigned char c) { return c >= 'a' && c <= 'z'; }
bool is_hex_digit(unsigned char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

class StrAutomaton : public TypeAutomaton {
 public:
  State start() const override { return 1; }
  State step(State state, unsigned char) override { return state; }
  bool accepts(State) const override { return true; }
};

class HexAutomaton : public TypeAutomaton {
 public:
  State start() const override { return 1; }
  State step(State, unsigned char octet) override { return is_hex_digit(octet) ? 2 : kDead; }
  bool accepts(State state) const override { return state == 2; }
};

// [a-z0-9]+(-[a-z0-9]+)*
class SlugAutomaton : public TypeAutomaton {
 public:
  State start() const override { return kAfterDash; }
  State step(State state, unsigned char octet) override {
    if (is_digit(octet) || is_lower(octet)) return kAfterOther;
    return octet == '-' && state == kAfterOther ? kAfterDash : kDead;
  }
  bool accepts(State state) const override { return state == kAfterOther; }

 private:
  static constexpr State kAfterDash = 1;  // or at the begin
  static constexpr State kAfterOther = 2;
};

// 8-4-4-4-12 hex digits. The state is one more than the octets read.
class UuidAutomaton : public TypeAutomaton {
 public:
  State start() const override { return 1; }
  State step(State state, unsigned char octet) override {
    const State at = state - 1;
    const bool wants_dash = at == 8 || at == 13 || at == 18 || at == 23;
    const bool fits = at < kLength && (wants_dash ? octet == '-' : is_hex_digit(octet));
    return fits ? state + 1 : kDead;
  }
  bool accepts(State state) const override { return state == kLength + 1; }

 private:
  static constexpr State kLength = 36;
};

// A decimal number between two bounds: int and uint. Leading zeros are allowed. The state numbers
// what was read: a sign, how many digits without leading zeros, and how these compare with as many
// digits of the bound.
class IntegerAutomaton : public TypeAutomaton {
 public:
  // The bounds without their signs; without `least`, there are no negative numbers.
  IntegerAutomaton(std::string most, std::string least)
      : bounds_{std::move(most), std::move(least)} {
    number({});
  }

  State start() const override { return 1; }

  State step(State state, unsigned char octet) override {
    Read read = known_[state - 1];
    if (octet == '-' && state == start() && !bounds_[1].empty()) {
      read.is_negative = true;
      return number(read);
    }
    if (!is_digit(octet)) return kDead;
    read.has_digit = true;
    if (read.digits == 0 && octet == '0') return number(read);
    const std::string& bound = bounds_[read.is_negative ? 1 : 0];
    if (read.digits == bound.size()) return kDead;
    const auto limit = static_cast<unsigned char>(bound[read.digits]);
    if (read.compared == 0) read.compared = octet < limit ? -1 : octet > limit ? 1 : 0;
    ++read.digits;
    return number(read);
  }

  bool accepts(State state) const override {
    const Read& read = known_[state - 1];
    const std::string& bound = bounds_[read.is_negative ? 1 : 0];
    return read.has_digit && (read.digits < bound.size() || read.compared <= 0);
  }

 private:
  struct Read {
    bool is_negative = false;
    bool has_digit = false;
    std::size_t digits = 0;
    int compared = 0;
    auto operator<=>(const Read&) const = default;
  };

  State number(const Read& read) {
    const auto found = std::find(known_.begin(), known_.end(), read);
    const auto state = static_cast<State>(found - known_.begin() + 1);
    if (found == known_.end()) known_.push_back(read);
    return state;
  }

  std::string bounds_[2];
  std::vector<Read> known_;
};

// A YYYY-MM-DD of the proleptic Gregorian calendar. The leap years repeat every 400 years, so that
// the year modulo 400 is enough.
class DateAutomaton : public TypeAutomaton {
 public:
  DateAutomaton() { number({}); }

  State start() const override { return 1; }

  State step(State state, unsigned char octet) override {
    Read read = known_[state - 1];
    const bool wants_dash = read.octets == 4 || read.octets == 7;
    const bool fits = wants_dash ? octet == '-' : is_digit(octet);
    if (!fits || read.octets == kLength) return kDead;
    const unsigned digit = octet - unsigned{'0'};
    if (read.octets < 4)
      read.year = (read.year * 10 + digit) % 400;
    else if (read.octets < 7 && !wants_dash)
      read.month = read.month * 10 + digit;
    else if (!wants_dash)
      read.day = read.day * 10 + digit;
    ++read.octets;
    return is_possible(read) ? number(read) : kDead;
  }

  bool accepts(State state) const override { return known_[state - 1].octets == kLength; }

 private:
  static constexpr unsigned kLength = 10;
  struct Read {
    unsigned octets = 0, year = 0, month = 0, day = 0;
    auto operator<=>(const Read&) const = default;
  };

  static unsigned days(const Read& read) {
    constexpr unsigned kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = read.year % 4 == 0 && (read.year % 100 != 0 || read.year == 0);
    return kDays[read.month - 1] + (read.month == 2 && is_leap ? 1 : 0);
  }
  static bool is_possible(const Read& read) {
    if (read.octets >= 7 && (read.month < 1 || read.month > 12)) return false;
    return read.octets < kLength || (read.day >= 1 && read.day <= days(read));
  }

  State number(const Read& read) {
    const auto [place, is_new] = numbers_.emplace(read, static_cast<State>(known_.size() + 1));
    if (is_new) known_.push_back(read);
    return place->second;
  }

  std::map<Read, State> numbers_;
  std::vector<Read> known_;
};

// One of some texts. The state is the text so far.
class EnumAutomaton : public TypeAutomaton {
 public:
  explicit EnumAutomaton(const std::vector<std::string>& members)
      : members_(members.begin(), members.end()) {
    number("");
  }

  State start() const override { return 1; }
  State step(State state, unsigned char octet) override {
    std::string text = prefixes_[state - 1] + static_cast<char>(octet);
    const auto next = members_.lower_bound(text);
    return next != members_.end() && next->starts_with(text) ? number(text) : kDead;
  }
  bool accepts(State state) const override { return members_.contains(prefixes_[state - 1]); }

 private:
  State number(const std::string& text) {
    const auto [place, is_new] = numbers_.emplace(text, static_cast<State>(prefixes_.size() + 1));
    if (is_new) prefixes_.push_back(text);
    return place->second;
  }

  std::set<std::string> members_;
  std::map<std::string, State> numbers_;
  std::vector<std::string> prefixes_;
};

// A regular expression, simulated by the set of places where a match could be.
class RegexAutomaton : public TypeAutomaton {
 public:
  explicit RegexAutomaton(const Regex& regex) {
    places_.emplace_back();  // the end
    const Place begin = build(regex, kEnd);
    std::set<Place> set;
    close(begin, set);
    start_ = number(set);
  }

  State start() const override { return start_; }

  State step(State state, unsigned char octet) override {
    const auto known = steps_.find({state, octet});
    if (known != steps_.end()) return known->second;
    std::set<Place> next;
    for (const Place place : sets_[state - 1])
      if (places_[place].octets.test(octet))
        for (const Place after : places_[place].after) close(after, next);
    return steps_[{state, octet}] = next.empty() ? kDead : number(next);
  }

  bool accepts(State state) const override { return sets_[state - 1].contains(kEnd); }

 private:
  using Place = std::size_t;
  static constexpr Place kEnd = 0;

  // Reads one of `octets` and goes on to `after`; without octets it goes on without reading.
  struct Node {
    std::bitset<256> octets;
    std::vector<Place> after;
  };

  Place add(Node node) {
    places_.push_back(std::move(node));
    return places_.size() - 1;
  }

  // The place where `regex` begins, when `after` follows it.
  Place build(const Regex& regex, Place after) {
    switch (regex.kind) {
      case Regex::Kind::kOctet:
        return add({regex.octets, {after}});
      case Regex::Kind::kConcat:
        for (std::size_t i = regex.parts.size(); i-- > 0;) after = build(regex.parts[i], after);
        return after;
      case Regex::Kind::kChoice: {
        Node choice;
        for (const Regex& part : regex.parts) choice.after.push_back(build(part, after));
        return add(std::move(choice));
      }
      case Regex::Kind::kRepeat:
        return build_repeat(regex, after);
    }
    return after;
  }

  Place build_repeat(const Regex& regex, Place after) {
    const Regex& part = regex.parts[0];
    Place begin = after;
    if (regex.max == Regex::kUnbounded) {
      begin = add({{}, {after}});
      const Place again = build(part, begin);
      places_[begin].after.push_back(again);
    } else {
      for (std::size_t i = regex.min; i < regex.max; ++i)
        begin = add({{}, {build(part, begin), after}});
    }
    for (std::size_t i = 0; i < regex.min; ++i) begin = build(part, begin);
    return begin;
  }

  // Adds `place` and all that is reached from it without reading.
  void close(Place place, std::set<Place>& set) const {
    std::vector<Place> open = {place};
    while (!open.empty()) {
      const Place here = open.back();
      open.pop_back();
      if (!set.insert(here).second || places_[here].octets.any()) continue;
      open.insert(open.end(), places_[here].after.begin(), places_[here].after.end());
    }
  }

  State number(const std::set<Place>& set) {
    const auto [place, is_new] = numbers_.emplace(set, static_cast<State>(sets_.size() + 1));
    if (is_new) sets_.push_back(set);
    return place->second;
  }

  std::vector<Node> places_;
  State start_ = kDead;
  std::map<std::set<Place>, State> numbers_;
  std::vector<std::set<Place>> sets_;
  std::map<std::pair<State, unsigned char>, State> steps_;
};

}  // namespace

std::unique_ptr<TypeAutomaton> make_automaton(const ParamType& type) {
  switch (type.kind) {
    case TypeKind::kStr:
      return std::make_unique<StrAutomaton>();
    case TypeKind::kInt:
      return std::make_unique<IntegerAutomaton>("9223372036854775807", "9223372036854775808");
    case TypeKind::kUint:
      return std::make_unique<IntegerAutomaton>("18446744073709551615", "");
    case TypeKind::kUuid:
      return std::make_unique<UuidAutomaton>();
    case TypeKind::kDate:
      return std::make_unique<DateAutomaton>();
    case TypeKind::kHex:
      return std::make_unique<HexAutomaton>();
    case TypeKind::kSlug:
      return std::make_unique<SlugAutomaton>();
    case TypeKind::kBool:
      return std::make_unique<EnumAutomaton>(std::vector<std::string>{"false", "true"});
    case TypeKind::kEnum:
      return std::make_unique<EnumAutomaton>(type.members);
    case TypeKind::kPattern: {
      RegexError error;  // check_manifest has parsed it before
      return std::make_unique<RegexAutomaton>(parse_regex(type.pattern, error).value());
    }
  }
  return nullptr;
}

bool accepts(TypeAutomaton& automaton, std::string_view text) {
  State state = automaton.start();
  for (const char c : text) {
    state = automaton.step(state, static_cast<unsigned char>(c));
    if (state == TypeAutomaton::kDead) return false;
  }
  return !text.empty() && automaton.accepts(state);
}

// Looks for a text of `inner` that is none of `outer`, over the pairs of states that texts lead to.
bool includes(TypeAutomaton& outer, TypeAutomaton& inner) {
  std::set<std::pair<State, State>> seen;
  std::vector<std::pair<State, State>> open = {{outer.start(), inner.start()}};
  while (!open.empty()) {
    const auto [out, in] = open.back();
    open.pop_back();
    for (unsigned octet = 0; octet < 256; ++octet) {
      const auto c = static_cast<unsigned char>(octet);
      const State next_in = inner.step(in, c);
      if (next_in == TypeAutomaton::kDead) continue;
      const State next_out =
          out == TypeAutomaton::kDead ? TypeAutomaton::kDead : outer.step(out, c);
      const bool is_out = next_out != TypeAutomaton::kDead && outer.accepts(next_out);
      if (inner.accepts(next_in) && !is_out) return false;
      if (seen.emplace(next_out, next_in).second) open.emplace_back(next_out, next_in);
    }
  }
  return true;
}

}  // namespace routec::compiler
