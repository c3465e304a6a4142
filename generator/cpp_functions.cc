#include "cpp_functions.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace routec::compiler {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// ---- What is no code ----------------------------------------------------------------------------

std::size_t behind(std::string_view text, std::string_view mark, std::size_t from) {
  const std::size_t at = text.find(mark, from);
  return at == kNowhere ? text.size() : at + mark.size();
}

std::size_t end_of_literal(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::size_t end_of_directive(std::string_view text, std::size_t at) {
  do {
    at = behind(text, "\n", at);
  } while (at >= 2 && at < text.size() && text[at - 2] == '\\');
  return at;
}

// Behind the comment, literal, number or directive that begins at `at`, or `at` itself.
std::size_t end_of_other(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return behind(text, "\n", at) - (rest.find('\n') == kNowhere ? 0 : 1);
  if (rest.starts_with("/*")) return behind(text, "*/", at + 2);
  if (rest.starts_with("R\"")) {
    const std::size_t open = text.find('(', at);
    if (open == kNowhere) return text.size();
    const std::string close = ")" + std::string(text.substr(at + 2, open - at - 2)) + "\"";
    return behind(text, close, open);
  }
  if (rest[0] == '"' || rest[0] == '\'') return end_of_literal(text, at);
  if (rest[0] == '#') return end_of_directive(text, at);
  if (!is_digit(rest[0])) return at;
  while (at < text.size() && (is_word(text[at]) || text[at] == '.' || text[at] == '\'')) ++at;
  return at;
}

// ---- Tokens -------------------------------------------------------------------------------------

struct Token {
  std::string_view text;  // a word, "::" or one character
  std::size_t begin = 0;

  std::size_t end() const { return begin + text.size(); }
  bool is_name() const { return is_word(text[0]); }
};

std::vector<Token> split(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = end_of_other(text, at);
    if (end == at && std::isspace(static_cast<unsigned char>(text[at])) != 0) end = at + 1;
    if (end != at) {
      at = end;
      continue;
    }
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at) end = at + (text.substr(at).starts_with("::") ? 2 : 1);
    tokens.push_back({text.substr(at, end - at), at});
    at = end;
  }
  return tokens;
}

// ---- Functions ----------------------------------------------------------------------------------

class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text), tokens_(split(text)) {}

  std::vector<CppFunction> run() {
    std::vector<CppFunction> found;
    std::size_t first = 0;  // token of a declaration that may begin
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].is_name() && sees(i + 1, "("))
        if (const std::size_t end = take_function(i, first, found); end != kNowhere) i = end;
      if (is_one_of(i, ";{}:")) first = i + 1;
    }
    return found;
  }

 private:
  bool sees(std::size_t i, std::string_view token) const {
    return i < tokens_.size() && tokens_[i].text == token;
  }
  bool is_one_of(std::size_t i, std::string_view characters) const {
    return tokens_[i].text.size() == 1 && characters.find(tokens_[i].text) != kNowhere;
  }

  // The index of what closes the bracket at `open`; the last one's if nothing does.
  std::size_t closing(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (is_one_of(i, "({[")) ++depth;
      if (is_one_of(i, ")}]") && --depth == 0) return i;
    }
    return tokens_.size() - 1;
  }

  // `name` is followed by a parenthesis. Returns the last token of the function, if it is one.
  std::size_t take_function(std::size_t name, std::size_t first, std::vector<CppFunction>& found) {
    const std::size_t close = closing(name + 1);
    std::size_t last = close + 1;
    while (last < tokens_.size() && !is_one_of(last, ";{}(),:")) ++last;
    if (last >= tokens_.size() || !is_one_of(last, ";{")) return kNowhere;
    CppFunction function;
    function.name = tokens_[name].text;
    if (name >= 2 && sees(name - 1, "::")) function.qualifier = tokens_[name - 2].text;
    function.parameters = parameters(name + 2, close);
    for (std::size_t i = close; i < last; ++i) function.is_override |= sees(i, "override");
    function.is_definition = sees(last, "{");
    if (function.is_definition) last = closing(last);
    function.head = head(first, close);
    function.text = whole_lines(first == 0 ? 0 : tokens_[first - 1].end(), tokens_[last].end());
    found.push_back(std::move(function));
    return last;
  }

  std::vector<std::string> parameters(std::size_t begin, std::size_t end) const {
    std::vector<std::string> types;
    std::size_t depth = 0;
    for (std::size_t i = begin; i <= end; ++i) {
      if (i < end && is_one_of(i, "<({[")) ++depth;
      if (i < end && is_one_of(i, ">)}]")) --depth;
      if (i != end && (depth != 0 || !sees(i, ","))) continue;
      if (i > begin) types.push_back(type(begin, i));
      begin = i + 1;
    }
    return types;
  }

  // Of one parameter.
  std::string type(std::size_t begin, std::size_t end) const {
    std::vector<std::string_view> words;
    for (std::size_t i = begin; i < end && !sees(i, "="); ++i) {
      if (sees(i, "::") && !words.empty())
        words.pop_back();
      else if (!sees(i, "const") && !sees(i, "::"))
        words.push_back(tokens_[i].text);
    }
    if (words.size() > 1 && is_word(words.back()[0])) words.pop_back();
    std::string text;
    for (const std::string_view word : words) text.append(text.empty() ? "" : " ").append(word);
    return text;
  }

  std::string head(std::size_t first, std::size_t close) const {
    std::string out;
    for (std::size_t i = first; i <= close; ++i) {
      const bool is_apart = i > first && tokens_[i - 1].end() != tokens_[i].begin;
      if (is_apart && !is_one_of(i, ",)")) out += ' ';
      out += tokens_[i].text;
    }
    return out;
  }

  // From the first line that holds anything on, less what is for clang-format.
  std::string whole_lines(std::size_t begin, std::size_t end) const {
    std::string_view rest = text_.substr(begin, end - begin);
    std::string out;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      const bool is_blank = line.find_first_not_of(" \t\r") == kNowhere;
      const bool is_mark = line.find("// clang-format o") != kNowhere;
      if (!is_mark && !(is_blank && out.empty())) out.append(line).append("\n");
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return out;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<CppFunction> find_functions(std::string_view text) { return Finder(text).run(); }

}  // namespace routec::compiler
