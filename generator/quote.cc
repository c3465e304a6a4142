#include "quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "utf8.h"

namespace routec::compiler {
namespace {

constexpr std::size_t kMaxQuoted = 80;  // octets; longer texts are cut
constexpr std::size_t kLongestSuggestable = 64;

std::string escaped(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  const auto value = static_cast<std::uint32_t>(c);
  return c < 0x80 ? fmt::format("\\x{:02X}", value) : fmt::format("\\u{:04X}", value);
}

// Moves `index` to the begin of a character, so that a cut leaves whole ones.
std::size_t character_begin(std::string_view text, std::size_t index) {
  while (index > 0 && (static_cast<unsigned char>(text[index]) & 0xC0) == 0x80) --index;
  return index;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost 1.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string escape_invisible(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode_utf8(text.substr(i));
    if (point.length == 0) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[i++]));
      continue;
    }
    if (is_plainly_visible(point.value))
      out += text.substr(i, point.length);
    else
      out += escaped(point.value);
    i += point.length;
  }
  return out;
}

std::string quote(std::string_view text) {
  if (text.size() <= kMaxQuoted) return fmt::format("'{}'", escape_invisible(text));
  const std::string_view head = text.substr(0, character_begin(text, kMaxQuoted * 3 / 4));
  const std::string_view tail = text.substr(character_begin(text, text.size() - kMaxQuoted / 4));
  return fmt::format("'{}…{}'", escape_invisible(head), escape_invisible(tail));
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() > kLongestSuggestable) return {};
  std::size_t best = std::max<std::size_t>(1, (name.size() + 1) / 3) + 1;
  std::string nearest;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestSuggestable) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string list_words(const std::vector<std::string>& words, std::string_view last_joint) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? fmt::format(" {} ", last_joint) : ", ";
    out += words[i];
  }
  return out;
}

}  // namespace routec::compiler
