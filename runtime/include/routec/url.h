// Builds the URLs of generated functions in namespace `url`.
#ifndef ROUTEC_URL_H_
#define ROUTEC_URL_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "routec/match.h"

namespace routec::detail {

// pchar of RFC 3986 section 3.3, but for the escapes.
constexpr bool is_pchar(char c) noexcept {
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
  return c != '\0' && std::string_view("-._~!$&'()*+,;=:@").find(c) != std::string_view::npos;
}

// The value of a parameter.
class UrlValue {
 public:
  constexpr UrlValue(std::string_view text) noexcept
      : kind_(Kind::kText), text_(text.data()), number_(text.size()) {}
  constexpr UrlValue(std::int64_t number) noexcept
      : kind_(Kind::kInt), number_(static_cast<std::uint64_t>(number)) {}
  constexpr UrlValue(std::uint64_t number) noexcept : kind_(Kind::kUint), number_(number) {}
  constexpr UrlValue(bool is_true) noexcept
      : UrlValue(std::string_view(is_true ? "true" : "false")) {}
  constexpr UrlValue(std::chrono::year_month_day date) noexcept : kind_(Kind::kDate), date_(date) {}
  template <typename Value>
  constexpr UrlValue(const std::optional<Value>& value) noexcept
      : UrlValue(value ? UrlValue(*value) : UrlValue()) {}

  bool is_absent() const noexcept { return kind_ == Kind::kAbsent; }

  // Encodes all but pchar, and '/' only if it is not `also_allowed`.
  void append_to(std::string& url, char also_allowed) const {
    switch (kind_) {
      case Kind::kText:
        append_encoded(url, {text_, static_cast<std::size_t>(number_)}, also_allowed);
        break;
      case Kind::kInt:
        url += std::to_string(static_cast<std::int64_t>(number_));
        break;
      case Kind::kUint:
        url += std::to_string(number_);
        break;
      case Kind::kDate:
        append_padded(url, static_cast<int>(date_.year()), 4);
        append_padded(url += '-', static_cast<unsigned>(date_.month()), 2);
        append_padded(url += '-', static_cast<unsigned>(date_.day()), 2);
        break;
      case Kind::kAbsent:
        break;
    }
  }

 private:
  enum class Kind : std::uint8_t { kText, kInt, kUint, kDate, kAbsent };

  constexpr UrlValue() noexcept : kind_(Kind::kAbsent) {}

  static void append_encoded(std::string& url, std::string_view text, char also_allowed) {
    constexpr char kHexDigits[] = "0123456789ABCDEF";
    for (const char c : text) {
      if (is_pchar(c) || (c == also_allowed && c != '\0')) {
        url += c;
        continue;
      }
      const auto octet = static_cast<unsigned char>(c);
      url += '%';
      url += kHexDigits[octet >> 4];
      url += kHexDigits[octet & 15];
    }
  }

  template <typename Integer>
  static void append_padded(std::string& url, Integer number, std::size_t width) {
    const std::string digits = std::to_string(number);
    if (digits.size() < width) url.append(width - digits.size(), '0');
    url += digits;
  }

  Kind kind_;
  std::chrono::year_month_day date_{};
  const char* text_ = nullptr;
  std::uint64_t number_ = 0;  // or the size of the text
};

// What `match` must find in a URL for it to be the one that was asked for.
struct UrlTarget {
  Match (*match)(std::string_view method, std::string_view target) noexcept;
  std::string_view method;
  std::uint32_t index;
};

// The URL of `form`, a path whose literal text is encoded. In it "{}" stands for a value, "{...}"
// for one of any number of segments, and "{?}" for a last segment that may be absent together with
// the slash before it. Throws std::invalid_argument if the URL does not lead back to the route and
// to each value where it was written.
inline std::string fill_url(const UrlTarget& target, std::string_view form,
                            std::initializer_list<UrlValue> values) {
  struct Range {
    std::size_t begin, end;
  };
  std::string url;
  std::vector<Range> ranges;
  for (const UrlValue& value : values) {
    const std::size_t brace = form.find('{');
    const char kind = form[brace + 1];
    url += form.substr(0, brace);
    if (kind == '?' && !value.is_absent()) url += '/';
    const std::size_t begin = url.size();
    value.append_to(url, kind == '.' ? '/' : '\0');
    ranges.push_back({begin, url.size()});
    form.remove_prefix(form.find('}', brace) + 1);
  }
  url += form;
  if (url.empty()) url += '/';  // an optional first segment is absent

  const Match found = target.match(target.method, url);
  bool leads_back = found.status() == 200 && found.index() == target.index;
  for (std::size_t i = 0; leads_back && i < ranges.size(); ++i) {
    const std::string_view raw = found.raw_param(i);
    const std::size_t size = ranges[i].end - ranges[i].begin;
    leads_back = raw.size() == size && (size == 0 || raw.data() == url.data() + ranges[i].begin);
  }
  if (!leads_back) {
    constexpr std::size_t kMostShown = 200;
    const std::string shown = url.size() > kMostShown ? url.substr(0, kMostShown) + "..." : url;
    throw std::invalid_argument("the route has no URL with these values; not " + shown);
  }
  return url;
}

// What generated builders call. Out of line, and one function a signature: that is what keeps large
// routers quick to compile.
template <auto kMatch, typename... Values>
[[gnu::noinline]] std::string make_url(std::uint32_t index, const char* method, const char* form,
                                       Values... values) {
  return fill_url({kMatch, method, index}, form, {values...});
}
[[gnu::noinline]] inline std::string literal_url(const char* url) { return url; }

}  // namespace routec::detail

#endif  // ROUTEC_URL_H_
