#include "path_pattern.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "ascii.h"
#include "naming.h"
#include "quote.h"

namespace routec::compiler {
namespace {

// Each function returns false after it reported an error.
class PathParser {
 public:
  PathParser(const Text& key, std::size_t begin, ParamTypes& types, Diagnostics& diagnostics)
      : key_(key),
        text_(key.value),
        begin_(begin),
        at_(begin),
        types_(types),
        diagnostics_(diagnostics) {}

  std::optional<Pattern> parse();

 private:
  bool parse_segment();
  bool parse_octet(std::string& literal);
  bool parse_escape(std::string_view text, std::size_t at, std::string& out);
  bool parse_param(Segment& segment);
  bool parse_param_type(std::string_view type, std::size_t at, Param& param);
  bool parse_enum(std::string_view type, std::size_t at, Param& param);
  bool check_segment(const Segment& segment, std::size_t begin);
  bool check_size();

  bool fail(std::size_t begin, std::size_t end, std::string text, std::string cure);
  bool fail_as(std::string_view code, std::size_t begin, std::size_t end, std::string text,
               std::string cure);

  bool at_end() const { return at_ == text_.size(); }
  bool sees(std::string_view expected) const { return text_.substr(at_).starts_with(expected); }

  const Text& key_;
  std::string_view text_;
  std::size_t begin_;
  std::size_t at_;
  ParamTypes& types_;
  Diagnostics& diagnostics_;
  Pattern pattern_;
};

std::optional<Pattern> PathParser::parse() {
  const std::string_view path = text_.substr(begin_);
  if (!path.starts_with('/')) {
    fail(begin_, text_.size(),
         path.empty() ? "the path is missing"
                      : "the path " + quote(path) + " does not begin with '/'",
         "write 'METHOD /path'");
    return std::nullopt;
  }
  while (!at_end()) {
    ++at_;  // the slash
    if (!parse_segment()) return std::nullopt;
  }
  if (!check_size()) return std::nullopt;
  pattern_.text = path;
  return std::move(pattern_);
}

bool PathParser::parse_segment() {
  const std::size_t begin = at_;
  Segment segment;
  while (!at_end() && text_[at_] != '/') {
    if (sees("{") && !sees("{{")) {
      if (!parse_param(segment)) return false;
    } else if (!parse_octet(segment.literals.back())) {
      return false;
    }
  }
  if (!check_segment(segment, begin)) return false;
  pattern_.segments.push_back(std::move(segment));
  return true;
}

bool PathParser::parse_octet(std::string& literal) {
  const char c = text_[at_];
  if (sees("{{") || sees("}}")) {
    literal += c;
    at_ += 2;
    return true;
  }
  if (c == '}') return fail(at_, at_ + 1, "'}' without its '{'", "write '}}' for a brace");
  if (c == '?')
    return fail(at_, text_.size(), "a path has no query, and a '?' begins one",
                "remove it, or write '%3F' for a question mark");
  if (c == '#')
    return fail(at_, text_.size(), "a path has no fragment, and a '#' begins one",
                "remove it, or write '%23'");
  if (c == ' ')
    return fail(at_, at_ + 1, "a space in the path", "remove it, or write '%20' for a space");
  if (is_control(c))
    return fail(at_, at_ + 1,
                "the control character " + quote(text_.substr(at_, 1)) + " in the path",
                "remove it; no request that holds one is answered");
  if (c == '%') {
    if (!parse_escape(text_, at_, literal)) return false;
    at_ += 3;
    return true;
  }
  literal += c;
  ++at_;
  return true;
}

// `at` is that of the '%' in `text`, which is part of the key.
bool PathParser::parse_escape(std::string_view text, std::size_t at, std::string& out) {
  const std::size_t place = static_cast<std::size_t>(text.data() - text_.data()) + at;
  const int high = at + 1 < text.size() ? hex_value(text[at + 1]) : -1;
  const int low = at + 2 < text.size() ? hex_value(text[at + 2]) : -1;
  if (high < 0 || low < 0)
    return fail(place, std::min(place + 3, text_.size()),
                quote(text.substr(at, 3)) + " is no percent-escape: '%' wants two hex digits",
                "write '%25' for a percent sign");
  const auto octet = static_cast<char>(high * 16 + low);
  if (is_control(octet))
    return fail(place, place + 3, quote(text.substr(at, 3)) + " is a control character",
                "remove it; no request that holds one is answered");
  out += octet;
  return true;
}

bool PathParser::parse_param(Segment& segment) {
  const std::size_t open = at_;
  const std::size_t close = text_.find_first_of("}/", open);
  if (close == std::string_view::npos || text_[close] == '/') {
    const std::string_view rest = text_.substr(open, close - open);
    return fail(open, open + rest.size(), quote(rest) + " has no closing '}' in its segment",
                "close it, or write '{{' for a brace");
  }
  if (!segment.params.empty() && segment.literals.back().empty())
    return fail(open, close + 1,
                "nothing stands between '{" + segment.params.back().name + "}' and " +
                    quote(text_.substr(open, close + 1 - open)),
                "put text between them: where the one ends could not be told");
  std::string_view inner = text_.substr(open + 1, close - open - 1);
  Tail tail = Tail::kNone;
  if (inner.ends_with("..."))
    tail = Tail::kRest;
  else if (inner.ends_with('?'))
    tail = Tail::kOptional;
  inner.remove_suffix(tail == Tail::kRest ? 3 : tail == Tail::kOptional ? 1 : 0);
  const std::size_t colon = inner.find(':');
  Param param;
  param.name = inner.substr(0, colon);
  param.span = key_.part(open, close + 1);
  if (!is_identifier(param.name))
    return fail(open, close + 1,
                quote(text_.substr(open, close + 1 - open)) + " has no legal parameter name",
                "a name is letters, digits and '_', not beginning with a digit: {id}, {id:uint}, "
                "{id?}, {rest...}");
  if (colon != std::string_view::npos) {
    if (tail == Tail::kRest)
      return fail(open, close + 1,
                  "'{" + param.name + "...}' takes several segments and has no type",
                  "remove the type");
    if (!parse_param_type(inner.substr(colon + 1), open + 2 + colon, param)) return false;
  }
  if (tail != Tail::kNone) pattern_.tail = tail;
  segment.params.push_back(std::move(param));
  segment.literals.emplace_back();
  at_ = close + 1;
  return true;
}

bool PathParser::parse_param_type(std::string_view type, std::size_t at, Param& param) {
  const bool is_enum = type == "enum" || (type.starts_with("enum") && !is_identifier(type));
  if (is_enum) return parse_enum(type, at, param);
  if (type.empty())
    return fail(at - 1, at, "the type of '{" + param.name + "}' is missing behind the ':'",
                "write {" + param.name + "} or {" + param.name + ":uint}");
  if (const auto index = types_.find(type)) {
    param.type = *index;
    return true;
  }
  const std::string nearest = nearest_name(type, types_.names());
  return fail_as("unknown-type", at, at + type.size(), "there is no type " + quote(type),
                 nearest.empty() ? "the types are " + list_words(types_.names(), "and")
                                 : "did you mean '" + nearest + "'?");
}

bool PathParser::parse_enum(std::string_view type, std::size_t at, Param& param) {
  constexpr std::string_view kHead = "enum(";
  if (!type.starts_with(kHead) || !type.ends_with(')'))
    return fail(at, at + type.size(), quote(type) + " is no enum", "write {x:enum(a,b)}");
  std::string_view rest = type.substr(kHead.size(), type.size() - kHead.size() - 1);
  std::vector<std::string> members;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    const std::string_view written = rest.substr(0, comma);
    const auto place = static_cast<std::size_t>(written.data() - text_.data());
    std::string member;
    for (std::size_t i = 0; i < written.size();) {
      if (written[i] != '%')
        member += written[i++];
      else if (parse_escape(written, i, member))
        i += 3;
      else
        return false;
    }
    const bool holds_control = std::any_of(written.begin(), written.end(), is_control);
    if (member.empty() || holds_control || written.find_first_of("(){ ") != std::string_view::npos)
      return fail(place, place + std::max<std::size_t>(1, written.size()),
                  quote(written) + " is no member of an enum", "write {x:enum(a,b)}");
    if (std::find(members.begin(), members.end(), member) != members.end())
      return fail(place, place + written.size(),
                  "the enum has the member " + quote(member) + " twice", "remove one of them");
    members.push_back(std::move(member));
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  param.type = types_.add_enum(std::move(members));
  return true;
}

bool PathParser::check_segment(const Segment& segment, std::size_t begin) {
  const bool is_last = at_end();
  if (pattern_.tail != Tail::kNone) {
    const Param& param = segment.params.back();
    const std::string shown = "'{" + param.name + (pattern_.tail == Tail::kRest ? "...}'" : "?}'");
    if (!is_last)
      return fail(begin, at_, shown + " is only possible at the end of a path",
                  "move it to the end, or write {" + param.name + "}");
    if (!segment.is_plain())
      return fail(begin, at_, shown + " must be a whole segment", "put a '/' before it");
  }
  if (!segment.is_literal()) return true;
  const std::string& literal = segment.literals[0];
  if (literal == "." || literal == "..")
    return fail(begin, at_, "the segment " + quote(literal) + " can never match",
                "write the path without it; requests that hold it are refused");
  if (literal.empty() && !is_last)
    return fail(begin - 1, at_ + 1, "an empty segment in the path",
                "write one '/', or end the path with {rest...} to take empty segments");
  return true;
}

bool PathParser::check_size() {
  const std::size_t octets = text_.size() - begin_;
  if (octets > kMaxTargetOctets)
    return fail_as("limit", begin_, text_.size(),
                   "the path is longer than the " + std::to_string(kMaxTargetOctets) +
                       " octets that a request target can have",
                   "shorten it");
  if (pattern_.segments.size() > kMaxPatternSegments)
    return fail_as("limit", begin_, text_.size(),
                   "the path has more than the " + std::to_string(kMaxPatternSegments) +
                       " segments that a pattern can have",
                   "shorten it");
  std::vector<const Param*> params;
  for (const Segment& segment : pattern_.segments)
    for (const Param& param : segment.params) params.push_back(&param);
  std::stable_sort(params.begin(), params.end(),
                   [](const Param* a, const Param* b) { return a->name < b->name; });
  const auto twice =
      std::adjacent_find(params.begin(), params.end(),
                         [](const Param* a, const Param* b) { return a->name == b->name; });
  if (twice == params.end()) return true;
  Diagnostic& error = diagnostics_.error("path-syntax", (*std::next(twice))->span,
                                         "two parameters are named " + quote((*twice)->name));
  error.notes.push_back({(*twice)->span, "the first one"});
  error.cure = "rename one of them";
  return false;
}

bool PathParser::fail(std::size_t begin, std::size_t end, std::string text, std::string cure) {
  return fail_as("path-syntax", begin, end, std::move(text), std::move(cure));
}

bool PathParser::fail_as(std::string_view code, std::size_t begin, std::size_t end,
                         std::string text, std::string cure) {
  const std::size_t last = std::min(end, text_.size());
  diagnostics_.error(code, key_.part(std::min(begin, last), last), std::move(text)).cure =
      std::move(cure);
  return false;
}

}  // namespace

std::optional<Pattern> parse_path_pattern(const Text& key, std::size_t begin, ParamTypes& types,
                                          Diagnostics& diagnostics) {
  return PathParser(key, begin, types, diagnostics).parse();
}

}  // namespace routec::compiler
