#include "random_request.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace routec::test {
namespace {

using Segments = std::vector<std::string>;

// Inside, at and beyond the edges of the built-in types.
constexpr std::string_view kValues[] = {"0",
                                        "-0",
                                        "+1",
                                        "-1",
                                        "7",
                                        "007",
                                        "12",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "-9223372036854775808",
                                        "-9223372036854775809",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "00000000000000000000001",
                                        "-00000000000000000000001",
                                        "true",
                                        "false",
                                        "True",
                                        "red",
                                        "redd",
                                        "a",
                                        "abc",
                                        "ABCDEF",
                                        "deadbeef",
                                        "0x1f",
                                        "a-b",
                                        "a--b",
                                        "-a",
                                        "a-",
                                        "2024-02-29",
                                        "2023-02-29",
                                        "1900-02-29",
                                        "2000-02-29",
                                        "0000-01-01",
                                        "0001-01-01",
                                        "9999-12-31",
                                        "2024-13-01",
                                        "2024-00-01",
                                        "2024-04-31",
                                        "2024-4-30",
                                        "018f4b9e-7c1d-4a52-b9a0-0123456789ab",
                                        "018F4B9E-7C1D-4A52-B9A0-0123456789AB",
                                        "018f4b9e-7c1d-4a52-b9a0-0123456789a",
                                        "018f4b9e-7c1d-4a52-b9a0-0123456789abc",
                                        "018f4b9e07c1d-4a52-b9a0-0123456789ab",
                                        "...",
                                        ".a",
                                        "%41",
                                        "/",
                                        "a/b",
                                        "?",
                                        "#",
                                        "\xff",
                                        "caf\xc3\xa9",
                                        "a...b...c",
                                        "a-b-a-b",
                                        "new"};

constexpr std::string_view kLetters = "ab0aabb-.:_~+*!'$,;=@AZz19/%?#\x80\xff defghx\xc3\xa9";

constexpr std::string_view kControls = "\x01\x02\x04\x1f\x7f\n";

constexpr std::string_view kMethods[] = {
    "GET",   "HEAD",  "POST",     "PUT",       "DELETE", "CONNECT",  "OPTIONS", "TRACE",
    "PATCH", "PURGE", "M-SEARCH", "ANY",       "get",    "Get",      "GETT",    "GE",
    "",      "G T",   "G/T",      "B\xc3\xa9", "*",      "PROPFIND", "FOO\n"};

constexpr std::string_view kOddEscapes[] = {
    "%",   "%4",  "%zz", "%0",     "%00", "%1f", "%7F", "%2",  "%2F", "%2f", "%25", "%3f",
    "%3F", "%23", "%2e", "%2E%2e", "%%",  "%5C", "\\",  "%g1", "%1g", "%7e", "%41", "%ff"};

constexpr std::string_view kQueries[] = {"?", "?a=1", "?a/b", "?%zz", "?#", "?..", "?\x01", "??"};

constexpr std::size_t kLengths[] = {63,  64,  65,   127,  128,  129, 255,
                                    256, 257, 4096, 8191, 8192, 8193};

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

RequestDrawer::RequestDrawer(const compiler::RouteTable& table, Random& random)
    : table_(table), random_(random) {
  for (const compiler::ParamType& type : table.types)
    types_.push_back(compiler::make_automaton(type));
  for (const compiler::Route& route : table.routes)
    for (const compiler::Segment& part : route.pattern.segments)
      literals_.insert(literals_.end(), part.literals.begin(), part.literals.end());
}

Request RequestDrawer::draw() {
  const compiler::Route& route = random_.pick(table_.routes);
  Segments parts = segments(route.pattern);
  if (random_.percent(30)) disturb(parts);
  const std::size_t escapes = random_.percent(60) ? 0 : random_.percent(80) ? 20 : 100;
  Request request{method(route), {}};
  for (const std::string& part : parts) request.target += '/' + encode(part, escapes);
  if (random_.percent(25)) disturb_target(request.target);
  if (random_.percent(15)) request.target += random_.pick(kQueries);
  if (random_.percent(3)) lengthen(request.target);
  if (random_.percent(1)) request.target = random_.percent(50) ? "*" : "";
  return request;
}

std::string RequestDrawer::method(const compiler::Route& route) {
  if (route.method != "ANY" && random_.percent(65)) return route.method;
  if (random_.percent(30)) return random_.pick(table_.methods);
  return std::string(random_.pick(kMethods));
}

// ---- Decoded segments ---------------------------------------------------------------------------

Segments RequestDrawer::segments(const compiler::Pattern& pattern) {
  Segments parts;
  for (const compiler::Segment& part : pattern.segments) {
    const bool is_last = &part == &pattern.segments.back();
    if (is_last && pattern.tail == compiler::Tail::kOptional && random_.percent(40)) break;
    if (!is_last || pattern.tail != compiler::Tail::kRest) {
      parts.push_back(segment(part));
      continue;
    }
    for (std::size_t more = random_.below(4); more != 0; --more)
      parts.push_back(random_.percent(30) ? "" : text());
  }
  if (parts.empty()) parts.emplace_back();
  return parts;
}

std::string RequestDrawer::segment(const compiler::Segment& pattern) {
  std::string out = pattern.literals[0];
  for (std::size_t i = 0; i < pattern.params.size(); ++i)
    out += value(pattern.params[i].type) + pattern.literals[i + 1];
  return out;
}

std::string RequestDrawer::value(std::size_t type) {
  const bool is_any = table_.types[type].kind == compiler::TypeKind::kStr;
  if (!is_any && random_.percent(70)) return value_in(*types_[type]);
  return text();
}

// A walk through the automaton, as far as it goes.
std::string RequestDrawer::value_in(compiler::TypeAutomaton& type) {
  std::string out, accepted;
  compiler::TypeAutomaton::State state = type.start();
  const std::size_t most = random_.between(1, 40);
  while (out.size() < most) {
    compiler::TypeAutomaton::State next = compiler::TypeAutomaton::kDead;
    for (std::size_t tries = 60; tries != 0 && next == compiler::TypeAutomaton::kDead; --tries) {
      const char c = tries > 20 ? random_.pick(kLetters) : static_cast<char>(random_.below(256));
      next = type.step(state, static_cast<unsigned char>(c));
      if (next != compiler::TypeAutomaton::kDead) out += c;
    }
    if (next == compiler::TypeAutomaton::kDead) break;
    state = next;
    if (type.accepts(state)) accepted = out;
    if (type.accepts(state) && random_.percent(30)) break;
  }
  return accepted.empty() ? out : accepted;
}

// Of any kind, often one that other routes ask for.
std::string RequestDrawer::text() {
  switch (random_.below(4)) {
    case 0:
      return random_.pick(literals_);
    case 1:
      return std::string(random_.pick(kValues));
    case 2:
      return random_.pick(literals_) + std::string(random_.pick(kValues));
    default: {
      std::string out;
      for (std::size_t size = random_.between(1, random_.percent(10) ? 70 : 4); size != 0; --size)
        out += random_.pick(kLetters);
      return out;
    }
  }
}

void RequestDrawer::disturb(Segments& parts) {
  std::string& part = parts[random_.below(parts.size())];
  switch (random_.below(6)) {
    case 0:
      part = text();
      break;
    case 1:
      parts.push_back(random_.percent(50) ? "" : text());
      break;
    case 2:
      if (parts.size() > 1) parts.pop_back();
      break;
    case 3:
      part = random_.percent(60) ? "" : random_.percent(50) ? "." : "..";
      break;
    default:
      change_octet(part);
  }
}

void RequestDrawer::change_octet(std::string& text) {
  const std::size_t place = random_.below(text.size() + 1);
  const char octet = random_.pick(random_.percent(90) ? kLetters : kControls);
  if (place == text.size() || random_.percent(30))
    text.insert(place, 1, octet);
  else if (random_.percent(50))
    text.erase(place, 1);
  else
    text[place] = octet;
}

// ---- The target ---------------------------------------------------------------------------------

// `escapes`: percentage of the octets that need none.
std::string RequestDrawer::encode(const std::string& segment, std::size_t escapes) {
  std::string out;
  for (const char c : segment) {
    const bool needed = std::string_view("/%?#").find(c) != std::string_view::npos ||
                        (is_control(c) && random_.percent(80));
    append_octet(out, c, needed || random_.percent(escapes));
  }
  return out;
}

void RequestDrawer::append_octet(std::string& out, char octet, bool escaped) {
  if (!escaped) {
    out += octet;
    return;
  }
  const std::string_view digits = random_.percent(50) ? "0123456789abcdef" : "0123456789ABCDEF";
  const auto number = static_cast<unsigned char>(octet);
  (out += '%') += digits[number >> 4];
  out += digits[number & 15];
}

void RequestDrawer::disturb_target(std::string& target) {
  const std::size_t place = random_.below(target.size() + 1);
  switch (random_.below(8)) {
    case 0:
      target += '/';
      break;
    case 1:
      if (target.ends_with('/')) target.pop_back();
      break;
    case 2:
      target.insert(place, random_.percent(50) ? "/" : "//");
      break;
    case 3:
      target.insert(place, random_.pick(kOddEscapes));
      break;
    case 4:
      target.insert(place, random_.percent(50) ? "/." : "/..");
      break;
    case 5:
      target.insert(0, "/");
      break;
    case 6:
      target.erase(0, 1);
      break;
    default:
      change_octet(target);
  }
}

// To the lengths at which blocks of octets, and limits, end.
void RequestDrawer::lengthen(std::string& target) {
  const std::size_t length = random_.pick(kLengths);
  static constexpr std::string_view kUnits[] = {"a", "/a", "/", "%41", "?", "."};
  const std::string_view unit = random_.pick(kUnits);
  std::size_t place = random_.percent(50) ? target.size() : random_.below(target.size() + 1);
  std::string filling;
  while (target.size() + filling.size() + unit.size() <= length) filling += unit;
  filling.append(
      length > target.size() + filling.size() ? length - target.size() - filling.size() : 0, 'z');
  target.insert(place, filling);
}

}  // namespace routec::test
