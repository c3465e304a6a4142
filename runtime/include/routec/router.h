// The contract with generated code, and all that it includes: Match, what a lookup found, and
// Router, what a server serves.
#ifndef ROUTEC_ROUTER_H_
#define ROUTEC_ROUTER_H_

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

#include "routec/http.h"
#include "routec/match.h"
#include "routec/tables.h"
#include "routec/url.h"

namespace routec {

// Generated code asserts that it was made for these tables and helpers.
inline constexpr int kAbi = 1;

// What make_router() returns: the table, and the handlers, which must outlive it. A value, cheap to
// copy; safe to use from several threads if the handlers are.
class Router {
 public:
  using MatchFunction = Match (*)(std::string_view method, std::string_view target) noexcept;
  using HandleFunction = Response (*)(void* handlers, const Match& match, const Request& request);

  Router(MatchFunction match_function, HandleFunction handle_function, void* handlers) noexcept
      : match_(match_function), handle_(handle_function), handlers_(handlers) {}

  // `target` is in origin form, or "*".
  Match match(std::string_view method, std::string_view target) const noexcept {
    return match_(method, target);
  }
  // Calls the handler of a match with status 200; throws what it throws.
  Response handle(const Match& match, const Request& request) const {
    return handle_(handlers_, match, request);
  }

 private:
  MatchFunction match_;
  HandleFunction handle_;
  void* handlers_;
};

// Decoded text of a parameter as its C++ type. The text was matched, so it fits.
namespace detail {

template <typename Integer>
Integer to_integer(std::string_view text) noexcept {
  Integer value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

inline std::int64_t to_int(std::string_view text) noexcept {
  return to_integer<std::int64_t>(text);
}
inline std::uint64_t to_uint(std::string_view text) noexcept {
  return to_integer<std::uint64_t>(text);
}
inline bool to_bool(std::string_view text) noexcept { return text == "true"; }
inline std::chrono::year_month_day to_date(std::string_view text) noexcept {
  return {std::chrono::year(to_integer<int>(text.substr(0, 4))),
          std::chrono::month(to_integer<unsigned>(text.substr(5, 2))),
          std::chrono::day(to_integer<unsigned>(text.substr(8, 2)))};
}

// The decoded parameters of a match, for the call of a handler. Out of line, which keeps the thunks
// of large routers quick to compile.
class Arguments {
 public:
  [[gnu::noinline]] explicit Arguments(const Match& match) {
    const std::size_t count = match.param_count();
    if (count > kFew) more_.resize(count - kFew);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view raw = match.raw_param(i);
      view(i) = raw.find('%') == std::string_view::npos ? raw : decode(raw);
    }
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  [[gnu::noinline]] ~Arguments() = default;

  std::string_view text(std::size_t i) const noexcept {
    return i < kFew ? few_[i] : more_[i - kFew];
  }

 private:
  static constexpr std::size_t kFew = 6;

  std::string_view& view(std::size_t i) noexcept { return i < kFew ? few_[i] : more_[i - kFew]; }
  std::string_view decode(std::string_view raw) {
    return decoded_.emplace_front(DecodedText(raw).view());
  }

  std::string_view few_[kFew];
  std::vector<std::string_view> more_;
  std::forward_list<std::string> decoded_;
};

}  // namespace detail
}  // namespace routec

#endif  // ROUTEC_ROUTER_H_
