#include "naming.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <unordered_set>

namespace routec::compiler {
namespace {

// Each list is sorted, for binary search.
constexpr std::string_view kKeywords[] = {"alignas",       "alignof",     "and",
                                          "and_eq",        "asm",         "auto",
                                          "bitand",        "bitor",       "bool",
                                          "break",         "case",        "catch",
                                          "char",          "char16_t",    "char32_t",
                                          "char8_t",       "class",       "co_await",
                                          "co_return",     "co_yield",    "compl",
                                          "concept",       "const",       "const_cast",
                                          "consteval",     "constexpr",   "constinit",
                                          "continue",      "decltype",    "default",
                                          "delete",        "do",          "double",
                                          "dynamic_cast",  "else",        "enum",
                                          "explicit",      "export",      "extern",
                                          "false",         "float",       "for",
                                          "friend",        "goto",        "if",
                                          "inline",        "int",         "long",
                                          "mutable",       "namespace",   "new",
                                          "noexcept",      "not",         "not_eq",
                                          "nullptr",       "operator",    "or",
                                          "or_eq",         "private",     "protected",
                                          "public",        "register",    "reinterpret_cast",
                                          "requires",      "return",      "short",
                                          "signed",        "sizeof",      "static",
                                          "static_assert", "static_cast", "struct",
                                          "switch",        "template",    "this",
                                          "thread_local",  "throw",       "true",
                                          "try",           "typedef",     "typeid",
                                          "typename",      "typeof",      "union",
                                          "unsigned",      "using",       "virtual",
                                          "void",          "volatile",    "wchar_t",
                                          "while",         "xor",         "xor_eq"};

// Macros that the headers of generated code may bring along, and that the rules of is_macro_name do
// not tell.
constexpr std::string_view kMacros[] = {
    "BUFSIZ",     "CSIGNAL",     "EOF",        "L_ctermid",   "L_cuserid",
    "L_tmpnam",   "NFDBITS",     "NULL",       "NZERO",       "P_tmpdir",
    "WCONTINUED", "WEOF",        "WEXITED",    "WEXITSTATUS", "WIFCONTINUED",
    "WIFEXITED",  "WIFSIGNALED", "WIFSTOPPED", "WNOHANG",     "WNOWAIT",
    "WSTOPPED",   "WSTOPSIG",    "WTERMSIG",   "WUNTRACED",   "alloca",
    "assert",     "be16toh",     "be32toh",    "be64toh",     "errno",
    "htobe16",    "htobe32",     "htobe64",    "htole16",     "htole32",
    "htole64",    "le16toh",     "le32toh",    "le64toh",     "linux",
    "major",      "makedev",     "minor",      "offsetof",    "sched_priority",
    "stderr",     "stdin",       "stdout",     "strdupa",     "strndupa",
    "unix",       "va_arg",      "va_copy",    "va_end",      "va_start"};

constexpr std::string_view kGeneratedNames[] = {
    "Handlers", "Match",         "Request",  "Response", "Route",
    "Router",   "Unimplemented", "handlers", "main",     "make_router",
    "match",    "request",       "routec",   "std",      "url"};

bool contains(const auto& sorted, std::string_view name) {
  return std::binary_search(std::begin(sorted), std::end(sorted), name);
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || is_upper(c) || c == '_'; }

// The implementation's own, some of them macros: __FILE__, _Bool, _mm_pause.
bool is_implementation_name(std::string_view name) {
  return name.find("__") != std::string_view::npos ||
         (name.size() > 1 && name[0] == '_' && is_letter(name[1]));
}

// As in `name_` and `name_2`, what an escape makes of a name; no macro ends so but include guards.
bool ends_as_escaped(std::string_view name) {
  if (name.ends_with("_H_")) return false;
  while (!name.empty() && is_digit(name.back())) name.remove_suffix(1);
  return name.ends_with('_');
}

// By convention the names of macros, those of the headers and those of the user's own. A single
// letter is none.
bool is_in_capitals(std::string_view name) {
  return name.size() > 1 && is_upper(name[0]) && !ends_as_escaped(name) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
}

bool is_macro_name(std::string_view name) {
  const bool has_macro_prefix = name.starts_with("SYS_") || name.starts_with("pthread_cleanup_");
  return contains(kMacros, name) || (has_macro_prefix && !ends_as_escaped(name));
}

// Capitals of which a namespace may be made, which cannot be escaped: those of no header. C
// reserves E and a capital for <errno.h>; all others but kMacros have a digit or '_'.
bool is_namespace_in_capitals(std::string_view name) {
  const bool is_error_number = name.size() > 1 && name[0] == 'E' && is_upper(name[1]);
  return !is_error_number && std::all_of(name.begin(), name.end(), is_upper);
}

// Without double underscores, and without one before a letter.
std::string without_reserved_underscores(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '_' || !out.ends_with('_')) out += c;
  if (out.size() > 1 && out[0] == '_' && is_letter(out[1])) out.erase(0, 1);
  return out;
}

bool is_taken(std::string_view name) {
  return is_implementation_name(name) || is_macro_name(name) || contains(kKeywords, name) ||
         contains(kGeneratedNames, name);
}

// `base`, `base_`, `base_2`, `base_3`, ...: the first that is neither reserved nor taken.
std::string first_free(const std::string& name, const std::unordered_set<std::string>& taken) {
  std::string base = without_reserved_underscores(name);
  const auto is_free = [&](const std::string& candidate) {
    return !is_reserved(candidate) && !taken.contains(candidate);
  };
  if (is_free(base)) return base;
  if (!base.ends_with('_')) base += '_';
  if (is_free(base)) return base;
  for (std::size_t n = 2;; ++n)
    if (std::string candidate = base + std::to_string(n); is_free(candidate)) return candidate;
}

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_dotted_name(std::string_view text) {
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!is_identifier(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

std::string dots_to_underscores(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '.', '_');
  return out;
}

bool is_reserved(std::string_view name) { return is_taken(name) || is_in_capitals(name); }

bool is_namespace(std::string_view text) {
  for (;;) {
    const std::size_t end = text.find("::");
    const std::string_view part = text.substr(0, end);
    if (!is_identifier(part) || is_taken(part)) return false;
    if (is_in_capitals(part) && !is_namespace_in_capitals(part)) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 2);
  }
}

std::vector<std::string> escape_names(const std::vector<std::string>& names) {
  std::vector<std::string> out(names.size());
  std::unordered_set<std::string> taken;
  std::vector<std::size_t> reserved;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_reserved(names[i]))
      reserved.push_back(i);
    else
      taken.insert(out[i] = names[i]);
  }
  std::sort(reserved.begin(), reserved.end(),
            [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  for (const std::size_t i : reserved) taken.insert(out[i] = first_free(names[i], taken));
  return out;
}

}  // namespace routec::compiler
