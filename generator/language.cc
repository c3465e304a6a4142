#include "language.h"

#include <algorithm>
#include <deque>

#include "ascii.h"

namespace routec::compiler {
namespace {

Regex regex_of_octets(const std::bitset<256>& octets) {
  Regex regex;
  regex.kind = Regex::Kind::kOctet;
  regex.octets = octets;
  return regex;
}

Regex repeat_of(Regex item, std::size_t min, std::size_t max) {
  Regex regex;
  regex.kind = Regex::Kind::kRepeat;
  regex.min = min;
  regex.max = max;
  regex.parts.push_back(std::move(item));
  return regex;
}

Regex any_text() {
  return repeat_of(regex_of_octets(std::bitset<256>().set()), 1, Regex::kUnbounded);
}

bool takes_empty(const Regex& regex) {
  const auto takes = [](const Regex& part) { return takes_empty(part); };
  switch (regex.kind) {
    case Regex::Kind::kOctet:
      return false;
    case Regex::Kind::kConcat:
      return std::all_of(regex.parts.begin(), regex.parts.end(), takes);
    case Regex::Kind::kChoice:
      return std::any_of(regex.parts.begin(), regex.parts.end(), takes);
    case Regex::Kind::kRepeat:
      return regex.min == 0 || takes_empty(regex.parts[0]);
  }
  return false;
}

Regex parsed(std::string_view pattern) {
  RegexError error;
  return parse_regex(pattern, error).value_or(Regex());
}

// Digits whose value is at most `limit`, with any number of zeros before them. Written so that it
// is clear after each digit where in the number it stands: the automaton stays small.
std::string digits_up_to(std::string_view limit) {
  std::string out = "0+|0*([1-9][0-9]{0," + std::to_string(limit.size() - 2) + "}";
  for (std::size_t i = 0; i < limit.size(); ++i) {
    const char least = i == 0 ? '1' : '0';
    if (limit[i] == least) continue;  // no digit is less
    out += "|" + std::string(limit.substr(0, i)) + "[" + least + "-" +
           static_cast<char>(limit[i] - 1) + "]";
    if (i + 1 < limit.size()) out += "[0-9]{" + std::to_string(limit.size() - i - 1) + "}";
  }
  return "(" + out + "|" + std::string(limit) + "))";
}

std::string date_pattern() {
  const std::string leap = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)";
  return "[0-9]{4}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
         "|[0-9]{4}-(0[469]|11)-(0[1-9]|[12][0-9]|30)"
         "|[0-9]{4}-02-(0[1-9]|1[0-9]|2[0-8])|" +
         leap + "-02-29";
}

Regex regex_of_members(const std::vector<std::string>& members) {
  Regex regex;
  regex.kind = Regex::Kind::kChoice;
  for (const std::string& member : members) regex.parts.push_back(regex_of_text(member));
  return regex;
}

// Octets in the order in which a person would pick them for an example. All others follow, but
// control characters, which no request can carry.
constexpr std::string_view kReadable =
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~!$&'()*+,;=:@ ";

std::vector<unsigned char> by_readability() {
  std::vector<unsigned char> octets(kReadable.begin(), kReadable.end());
  for (unsigned octet = 0; octet < 0x100; ++octet) {
    const char c = static_cast<char>(octet);
    if (!is_control(c) && kReadable.find(c) == std::string_view::npos)
      octets.push_back(static_cast<unsigned char>(octet));
  }
  return octets;
}

// One octet, the most readable one, for each pair of classes.
std::vector<unsigned char> joint_representatives(const Automaton& a, const Automaton& b) {
  static const std::vector<unsigned char> kOctets = by_readability();
  std::vector<bool> seen(a.width * b.width);
  std::vector<unsigned char> octets;
  for (const unsigned char octet : kOctets) {
    const std::size_t joint = a.classes[octet] * b.width + b.classes[octet];
    if (seen[joint]) continue;
    seen[joint] = true;
    octets.push_back(octet);
  }
  return octets;
}

}  // namespace

Automaton visible_texts() {
  std::bitset<256> octets;
  for (std::size_t octet = 0; octet < 256; ++octet)
    octets[octet] = !is_control(static_cast<char>(octet));
  return *automaton_of(repeat_of(regex_of_octets(octets), 1, Regex::kUnbounded));
}

Meeting meet(const Automaton& a, const Automaton& b) {
  struct Visit {
    std::pair<std::uint32_t, std::uint32_t> states;
    std::string text;
  };
  const std::vector<unsigned char> octets = joint_representatives(a, b);
  std::deque<Visit> todo{{{a.is_empty() ? 0 : 1, b.is_empty() ? 0 : 1}, {}}};
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> seen{{todo.front().states, true}};
  bool both = false, only_a = false, only_b = false;
  Meeting out;
  for (; !todo.empty(); todo.pop_front()) {
    const Visit visit = std::move(todo.front());
    const auto [p, q] = visit.states;
    const bool in_a = a.accept[p] != 0, in_b = b.accept[q] != 0;
    if (in_a && in_b && !both) out.witness = visit.text;
    both |= in_a && in_b;
    only_a |= in_a && !in_b;
    only_b |= in_b && !in_a;
    for (const unsigned char octet : octets) {
      const std::pair next{p == 0 ? 0 : a.step(p, octet), q == 0 ? 0 : b.step(q, octet)};
      if (next.first + next.second != 0 && seen.emplace(next, true).second)
        todo.push_back({next, visit.text + static_cast<char>(octet)});
    }
  }
  out.relation = !both              ? Relation::kDisjoint
                 : only_a && only_b ? Relation::kCrossing
                 : only_a           ? Relation::kAround
                 : only_b           ? Relation::kInside
                                    : Relation::kEqual;
  return out;
}

Regex without_empty(const Regex& regex) {
  if (!takes_empty(regex)) return regex;
  Regex out;
  out.kind = Regex::Kind::kChoice;
  switch (regex.kind) {
    case Regex::Kind::kOctet:
      return regex;
    case Regex::Kind::kRepeat:
      return repeat_of(without_empty(regex.parts[0]), 1, regex.max);
    case Regex::Kind::kChoice:
      for (const Regex& part : regex.parts) out.parts.push_back(without_empty(part));
      return out;
    case Regex::Kind::kConcat:
      // The first part that is not empty may be any of them.
      for (auto first = regex.parts.begin(); first != regex.parts.end(); ++first) {
        Regex& tail = out.parts.emplace_back();
        tail.parts.push_back(without_empty(*first));
        tail.parts.insert(tail.parts.end(), first + 1, regex.parts.end());
      }
      return out;
  }
  return out;
}

Regex reversed(const Regex& regex) {
  Regex out = regex;
  for (Regex& part : out.parts) part = reversed(part);
  if (out.kind == Regex::Kind::kConcat) std::reverse(out.parts.begin(), out.parts.end());
  return out;
}

Regex regex_of_text(std::string_view text) {
  Regex regex;
  for (const char c : text)
    regex.parts.push_back(regex_of_octets(std::bitset<256>().set(static_cast<unsigned char>(c))));
  return regex;
}

Regex regex_of(const ParamType& type) {
  switch (type.kind) {
    case TypeKind::kStr:
      return any_text();
    case TypeKind::kInt:
      return parsed(digits_up_to("9223372036854775807") + "|-" +
                    digits_up_to("9223372036854775808"));
    case TypeKind::kUint:
      return parsed(digits_up_to("18446744073709551615"));
    case TypeKind::kUuid:
      return parsed("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    case TypeKind::kDate:
      return parsed(date_pattern());
    case TypeKind::kHex:
      return parsed("[0-9a-fA-F]+");
    case TypeKind::kSlug:
      return parsed("[a-z0-9]+(-[a-z0-9]+)*");
    case TypeKind::kBool:
      return parsed("true|false");
    case TypeKind::kEnum:
      return regex_of_members(type.members);
    case TypeKind::kPattern:
      return parsed(type.pattern);
  }
  return {};
}

// ---- Languages ----------------------------------------------------------------------------------

namespace {

// What an automaton is for; the first character of its key.
constexpr char kSegment = 's', kParam = 'p', kReversed = 'r';

// Texts may hold any octet, so each is preceded by its size.
std::string key_of(const Segment& segment, std::size_t first_literal, char purpose) {
  std::string key(1, purpose);
  for (std::size_t i = first_literal; i < segment.literals.size(); ++i) {
    const std::string& text = segment.literals[i];
    if (i > first_literal) key += "t" + std::to_string(segment.params[i - 1].type);
    key += "l" + std::to_string(text.size()) + ":" + text;
  }
  return key;
}

}  // namespace

Languages::Languages(const std::vector<ParamType>& types) {
  for (const ParamType& type : types) types_.push_back(without_empty(regex_of(type)));
  intern(std::string(1, kSegment) + "any", any_text());
}

std::optional<Languages::Id> Languages::intern(std::string key, const Regex& regex) {
  const auto [place, is_new] = by_key_.emplace(std::move(key), std::nullopt);
  if (!is_new) return place->second;
  std::optional<Automaton> automaton = automaton_of(regex);
  if (!automaton) return std::nullopt;
  const bool is_segment = place->first.front() == kSegment;
  if (is_segment) automaton = without_dots(*automaton);
  const auto number = static_cast<Id>(automata_.size());
  const auto [same, added] = by_automaton_.emplace(*automaton, number);
  if (added) automata_.push_back(*std::move(automaton));
  return place->second = same->second;
}

Regex Languages::regex_of_parts(const Segment& segment, std::size_t first_literal) const {
  Regex regex;
  for (std::size_t i = first_literal; i < segment.literals.size(); ++i) {
    if (i > first_literal) regex.parts.push_back(types_[segment.params[i - 1].type]);
    regex.parts.push_back(regex_of_text(segment.literals[i]));
  }
  return regex;
}

std::optional<Languages::Id> Languages::of(const Segment& segment) {
  return intern(key_of(segment, 0, kSegment), regex_of_parts(segment, 0));
}

std::optional<Languages::Id> Languages::of_param(const Segment& segment, std::size_t param) {
  const std::size_t type = segment.params[param].type;
  return intern(kParam + std::to_string(type), types_[type]);
}

std::optional<Languages::Id> Languages::of_rest_reversed(const Segment& segment,
                                                         std::size_t param) {
  return intern(key_of(segment, param + 1, kReversed),
                reversed(regex_of_parts(segment, param + 1)));
}

const Meeting& Languages::meeting(Id a, Id b) {
  const auto [place, is_new] = meetings_.try_emplace({a, b});
  if (is_new) place->second = meet(automata_[a], automata_[b]);
  return place->second;
}

}  // namespace routec::compiler
