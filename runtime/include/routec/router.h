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
#include <type_traits>
#include <utility>
#include <vector>

#include "routec/http.h"
#include "routec/match.h"
#include "routec/tables.h"
#include "routec/url.h"

namespace routec {

// Generated code asserts that it was made for these tables and helpers.
inline constexpr int kAbi = 4;

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

namespace detail {

template <typename Integer>
Integer to_integer(std::string_view text) noexcept {
  Integer value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Decoded text of a parameter as its C++ type. The text was matched, so it fits.
template <typename Value>
Value to_value(std::string_view text) noexcept {
  if constexpr (std::is_same_v<Value, std::string_view>) {
    return text;
  } else if constexpr (std::is_same_v<Value, bool>) {
    return text == "true";
  } else if constexpr (std::is_integral_v<Value>) {
    return to_integer<Value>(text);
  } else if constexpr (std::is_same_v<Value, std::chrono::year_month_day>) {
    return {std::chrono::year(to_integer<int>(text.substr(0, 4))),
            std::chrono::month(to_integer<unsigned>(text.substr(5, 2))),
            std::chrono::day(to_integer<unsigned>(text.substr(8, 2)))};
  } else {  // std::optional
    return text.empty() ? Value() : Value(to_value<typename Value::value_type>(text));
  }
}

// The decoded parameters of a match, for the call of a handler.
class Arguments {
 public:
  explicit Arguments(const Match& match) {
    const std::size_t count = match.param_count();
    if (count > kFew) more_.resize(count - kFew);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view raw = match.raw_param(i);
      view(i) = raw.find('%') == std::string_view::npos ? raw : decode(raw);
    }
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

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

// A pure virtual function of generated code, of whatever signature. Compilers are given a constant
// a handler, and a function a signature: a function a handler takes them ten times as long.
class Handler {
 public:
  // Views `function`, which must have static storage: see `handler`.
  template <typename Handlers, typename... Values>
  constexpr Handler(Response (Handlers::*const& function)(const Request&, Values...)) noexcept
      : function_(&function), call_(call_function<Handlers, Values...>) {}

  // `handlers` points to the class that has the function. Throws what the function throws.
  Response call(void* handlers, const Match& match, const Request& request) const {
    return call_(function_, handlers, match, request);
  }

 private:
  template <typename Handlers, typename... Values>
  static Response call_function(const void* function, void* handlers, const Match& match,
                                const Request& request) {
    using Function = Response (Handlers::*)(const Request&, Values...);
    return call_with(*static_cast<Handlers*>(handlers), *static_cast<const Function*>(function),
                     match, request, std::index_sequence_for<Values...>());
  }
  template <typename Handlers, typename... Values, std::size_t... kIndices>
  static Response call_with(Handlers& handlers,
                            Response (Handlers::*function)(const Request&, Values...),
                            const Match& match, const Request& request,
                            std::index_sequence<kIndices...>) {
    if constexpr (sizeof...(Values) == 0) {
      return (handlers.*function)(request);
    } else {
      const Arguments arguments(match);
      return (handlers.*function)(request, to_value<Values>(arguments.text(kIndices))...);
    }
  }

  const void* function_;
  Response (*call_)(const void* function, void* handlers, const Match& match,
                    const Request& request);
};

// The static storage of a Handler's function: handler<&Handlers::users_show>.
template <auto kFunction>
inline constexpr auto handler = kFunction;

}  // namespace detail
}  // namespace routec

#endif  // ROUTEC_ROUTER_H_
