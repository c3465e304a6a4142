// Builds the URLs of generated functions in namespace `url`.
#ifndef ROUTEC_URL_H_
#define ROUTEC_URL_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "routec/match.h"

namespace routec::detail {

// pchar of RFC 3986 section 3.3, but for the escapes.
constexpr bool is_pchar(char c) noexcept {
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
  return c != '\0' && std::string_view("-._~!$&'()*+,;=:@").find(c) != std::string_view::npos;
}

// Appends the parts of a path from left to right; finish() proves that it leads back.
class UrlWriter {
 public:
  using MatchFunction = Match (*)(std::string_view method, std::string_view target) noexcept;

  void text(std::string_view encoded) { url_ += encoded; }

  void value(std::string_view text) { add(text, ""); }
  void value(std::int64_t number) { add(std::to_string(number), ""); }
  void value(std::uint64_t number) { add(std::to_string(number), ""); }
  void value(bool is_true) { add(is_true ? "true" : "false", ""); }
  void value(std::chrono::year_month_day date) {
    std::string text = padded(static_cast<int>(date.year()), 4);
    text.append("-").append(padded(static_cast<unsigned>(date.month()), 2));
    text.append("-").append(padded(static_cast<unsigned>(date.day()), 2));
    add(text, "");
  }

  // A last segment that may be missing together with the slash before it.
  template <typename Value>
  void optional(const std::optional<Value>& given) {
    if (!given) return add("", "");
    url_ += '/';
    value(*given);
  }

  // Any number of segments.
  void rest(std::string_view path) { add(path, "/"); }

  // The URL, if `match` finds in it the route `index` and the values that were given.
  std::string finish(MatchFunction match, std::string_view method, std::uint32_t index) {
    if (url_.empty()) url_ += '/';  // an optional first segment is missing
    const Match found = match(method, url_);
    if (found.status() != 200 || found.index() != index || !has_values(found))
      throw std::invalid_argument("no URL of the route has these values: " + url_);
    return std::move(url_);
  }

 private:
  struct Range {
    std::size_t begin;
    std::size_t size;
  };

  template <typename Integer>
  static std::string padded(Integer number, std::size_t width) {
    std::string digits = std::to_string(number);
    return digits.size() < width ? digits.insert(0, width - digits.size(), '0') : digits;
  }

  void add(std::string_view text, std::string_view also_allowed) {
    constexpr char kHexDigits[] = "0123456789ABCDEF";
    const std::size_t begin = url_.size();
    for (const char c : text) {
      if (is_pchar(c) || also_allowed.find(c) != std::string_view::npos) {
        url_ += c;
        continue;
      }
      const auto octet = static_cast<unsigned char>(c);
      (url_ += '%') += kHexDigits[octet >> 4];
      url_ += kHexDigits[octet & 15];
    }
    values_.push_back({begin, url_.size() - begin});
  }

  bool has_values(const Match& found) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::string_view expected =
          std::string_view(url_).substr(values_[i].begin, values_[i].size);
      const std::string_view raw = found.raw_param(i);
      if (raw != expected || (!raw.empty() && raw.data() != expected.data())) return false;
    }
    return true;
  }

  std::string url_;
  std::vector<Range> values_;
};

}  // namespace routec::detail

#endif  // ROUTEC_URL_H_
