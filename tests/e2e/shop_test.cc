#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "shop_router.h"

namespace shop::web {
namespace {

using routec::Request;
using routec::Response;
using std::chrono::year;
using std::chrono::year_month_day;

// Shows what it was called with.
struct Service : Unimplemented {
  Response users_show(const Request&, std::uint64_t id) override {
    return Response::text(std::to_string(id));
  }
  Response orders_cancel(const Request&, std::int64_t id) override {
    return Response::text(std::to_string(id));
  }
  Response compare(const Request&, std::string_view base, std::string_view head) override {
    return Response::text(std::string(base) + '|' + std::string(head));
  }
  Response files_get(const Request&, std::string_view path) override {
    return Response::text(std::string(path));
  }
  Response image(const Request&, std::string_view name) override {
    throw std::runtime_error(std::string(name));
  }
  Response flag(const Request&, bool on) override { return Response::text(on ? "on" : "off"); }
  Response day(const Request&, std::optional<year_month_day> day) override {
    return Response::text(day ? std::to_string(static_cast<int>(day->year())) : "none");
  }
  Response search(const Request&, std::optional<std::string_view> text) override {
    return Response::text(text ? std::string(*text) : "none");
  }
};

std::string call(std::string_view method, std::string_view target) {
  Service service;
  const routec::Router router = make_router(service);
  const routec::Match match = router.match(method, target);
  if (match.status() != 200) return std::to_string(match.status());
  const Response response = router.handle(match, Request(method, target));
  return response.code() == 200 ? response.body() : std::to_string(response.code());
}

TEST(Handlers, GetTypedArguments) {
  EXPECT_EQ(call("GET", "/users/18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(call("GET", "/users/18446744073709551616"), "404");
  EXPECT_EQ(call("POST", "/orders/-9223372036854775808:cancel"), "-9223372036854775808");
  EXPECT_EQ(call("GET", "/flag/true"), "on");
  EXPECT_EQ(call("GET", "/flag/false"), "off");
  EXPECT_EQ(call("GET", "/day/2024-02-29"), "2024");
}

TEST(Handlers, GetDecodedText) {
  EXPECT_EQ(call("GET", "/files/a%20b/c%2Fd/"), "a b/c/d/");
  EXPECT_EQ(call("GET", "/files/"), "");
  EXPECT_EQ(call("GET", "/compare/a%7e...b...c"), "a~...b|c");
  EXPECT_EQ(call("GET", "/users/%37"), "7");
}

TEST(Handlers, GetNothingForAnOptionalParameterThatIsAbsent) {
  EXPECT_EQ(call("GET", "/day"), "none");
  EXPECT_EQ(call("GET", "/search"), "none");
  EXPECT_EQ(call("GET", "/search/%20"), " ");
}

TEST(Handlers, ThrowPastTheRouter) {
  EXPECT_THROW(call("GET", "/img/a%20b.png"), std::runtime_error);
}

TEST(Unimplemented, Answers501) {
  EXPECT_EQ(call("GET", "/"), "501");
  EXPECT_EQ(call("POST", "/form"), "501");
  EXPECT_EQ(call("BREW", "/echo"), "501");
}

TEST(Match, TellsRouteAndLimits) {
  EXPECT_EQ(static_cast<Route>(match("GET", "/users/new").route()), Route::users_form);
  EXPECT_EQ(match("GET", "/users/new").name(), "users.form");
  EXPECT_EQ(match("POST", "/upload").body_limit(), 65536U);
  EXPECT_EQ(match("POST", "/form").body_limit(), std::nullopt);
  EXPECT_EQ(match("DELETE", "/form").allow(), "GET, HEAD, OPTIONS, POST");
}

TEST(Url, EncodesValues) {
  EXPECT_EQ(url::home(), "/");
  EXPECT_EQ(url::users_show(7), "/users/7");
  EXPECT_EQ(url::orders_cancel(-5), "/orders/-5:cancel");
  EXPECT_EQ(url::image("x/y?#%"), "/img/x%2Fy%3F%23%25.png");
  EXPECT_EQ(url::files_get("a/b c"), "/files/a/b%20c");
  EXPECT_EQ(url::files_get(""), "/files/");
  EXPECT_EQ(url::flag(true), "/flag/true");
  EXPECT_EQ(url::day(year(2024) / 2 / 29), "/day/2024-02-29");
  EXPECT_EQ(url::day(std::nullopt), "/day");
  EXPECT_EQ(url::search(std::nullopt), "/search");
  EXPECT_EQ(url::painted("red", "a-b"), "/c/red/a-b");
  EXPECT_EQ(url::compare("a...b", "c"), "/compare/a...b...c");
}

TEST(Url, RefusesWhatWouldNotLeadBack) {
  EXPECT_THROW(url::search(""), std::invalid_argument);
  EXPECT_THROW(url::image(""), std::invalid_argument);
  EXPECT_THROW(url::image(std::string_view("\0", 1)), std::invalid_argument);
  EXPECT_THROW(url::delete_("..", "b", 1), std::invalid_argument);
  EXPECT_THROW(url::delete_("c", "red", 1), std::invalid_argument);  // `painted` gets it
  EXPECT_THROW(url::files_get("a/../b"), std::invalid_argument);
  try {
    url::files_get(std::string(9000, 'a'));
    ADD_FAILURE();
  } catch (const std::invalid_argument& error) {
    EXPECT_LT(std::string_view(error.what()).size(), 300U);
  }
  EXPECT_THROW(url::compare("a", "b...c"), std::invalid_argument);  // base would take "a...b"
  EXPECT_THROW(url::painted("blue", "a"), std::invalid_argument);
  EXPECT_THROW(url::painted("red", "A"), std::invalid_argument);
  EXPECT_THROW(url::day(year(2023) / 2 / 29), std::invalid_argument);
  EXPECT_THROW(url::day(year(-5) / 2 / 2), std::invalid_argument);
}

TEST(Url, LeadsBackToItsRoute) {
  for (int octet = 1; octet < 256; ++octet) {
    const std::string text = std::string("a") + static_cast<char>(octet) + "b";
    if (octet < 0x20 || octet == 0x7f) {
      EXPECT_THROW(url::image(text), std::invalid_argument) << octet;
      continue;
    }
    const std::string built = url::image(text);
    const routec::Match found = match("GET", built);
    ASSERT_EQ(static_cast<Route>(found.route()), Route::image) << built;
    EXPECT_EQ(found.param(0), text);
  }
}

}  // namespace
}  // namespace shop::web
