// What the acceptance cases (tests/cases/router.jsonl) leave out.
#include "reference_matcher.h"

#include <gtest/gtest.h>

#include <chrono>

#include "table_of.h"

namespace routec::compiler {
namespace {

class Asked {
 public:
  Asked(const std::string& routes, std::string_view method, std::string_view target,
        const std::string& head = "")
      : checked_(check_text("routec: 1\n" + head + "routes:\n" + routes)),
        explanation_(ReferenceMatcher(checked_.table.value()).explain(method, target)) {}

  int status() const { return explanation_.status; }
  std::string location() const { return explanation_.location; }
  std::string handler() const {
    if (!explanation_.route) return "";
    return checked_.table->handlers[checked_.table->routes[*explanation_.route].handler].name;
  }
  std::string params() const {
    std::string list;
    for (const auto& [name, value] : explanation_.params) list += name + "=" + value + ";";
    return list;
  }
  const std::vector<std::string>& why() const { return explanation_.why; }

 private:
  Checked checked_;
  Explanation explanation_;
};

TEST(ReferenceMatcher, SplitsASegmentTheEarlierParameterLongest) {
  EXPECT_EQ(Asked("  'GET /{a}-{b}': h\n", "GET", "/x-y-z").params(), "a=x-y;b=z;");
  EXPECT_EQ(Asked("  'GET /{a}-{b:int}': h\n", "GET", "/x--5").params(), "a=x-;b=5;");
  EXPECT_EQ(Asked("  'GET /{a:int}-{b}': h\n", "GET", "/x-5").status(), 404);
  EXPECT_EQ(Asked("  'GET /{a}.{b}.{c}': h\n", "GET", "/1.2.3.4").params(), "a=1.2;b=3;c=4;");
  EXPECT_EQ(Asked("  'GET /v{a}': h\n", "GET", "/v").status(), 404);
}

TEST(ReferenceMatcher, SplitsLongSegmentsInPolynomialTime) {
  const std::string routes = "  'GET /{a}a{b:slug}a{c}b': h\n";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Asked(routes, "GET", "/" + std::string(8000, 'a')).status(), 404);
  EXPECT_EQ(Asked(routes, "GET", "/" + std::string(8000, 'a') + "b").status(), 200);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(ReferenceMatcher, OrdersItsAnswers) {
  const std::string routes = "  'GET /a': h\n";
  EXPECT_EQ(Asked(routes, "BREW", "/%zz").status(), 400);
  EXPECT_EQ(Asked(routes, "BREW", "/" + std::string(9000, 'x')).status(), 414);
  EXPECT_EQ(Asked(routes, "BREW", "/a").status(), 501);
  EXPECT_EQ(Asked(routes, "GET", "/a?" + std::string(8190, 'q')).status(), 414);
  EXPECT_EQ(Asked(routes, "GET", "/a?" + std::string(8189, 'q')).status(), 200);
  EXPECT_EQ(Asked(routes, "GET", "/a#b").status(), 400);
  EXPECT_EQ(Asked(routes, "OPTIONS", "*").status(), 204);
  EXPECT_EQ(Asked(routes, "GET", "*").status(), 400);
}

TEST(ReferenceMatcher, DecodesEveryHexDigit) {
  EXPECT_EQ(Asked("  'GET /{x}': h\n", "GET", "/%41%5a%5A%e4").params(), "x=AZZ\xE4;");
  for (const char* bad : {"/%", "/%4", "/%4g", "/%g4", "/%@1", "/% 1", "/%1/", "/%7f", "/%1F"})
    EXPECT_EQ(Asked("  'GET /{x...}': h\n", "GET", bad).status(), 400) << bad;
}

TEST(ReferenceMatcher, RedirectsToTheOtherSlash) {
  const std::string head = "options: { slash: redirect }\n";
  const std::string routes = "  GET /a: a\n  POST /b/: b\n  GET /{x}/c: c\n";
  EXPECT_EQ(Asked(routes, "GET", "/a/?q", head).location(), "/a?q");
  EXPECT_EQ(Asked(routes, "POST", "/b", head).location(), "/b/");
  EXPECT_EQ(Asked(routes, "GET", "/b", head).status(), 404) << "the other spelling would be 405";
  EXPECT_EQ(Asked(routes, "OPTIONS", "/a/", head).status(), 404);
  EXPECT_EQ(Asked(routes, "GET", "//c/", head).status(), 404) << "would name a host";
}

TEST(ReferenceMatcher, TakesBothSlashes) {
  const std::string head = "options: { slash: both }\n";
  EXPECT_EQ(Asked("  GET /a/{x}: h\n", "GET", "/a/1/", head).params(), "x=1;");
  EXPECT_EQ(Asked("  GET /a/{x}/: h\n", "GET", "/a/1", head).params(), "x=1;");
  EXPECT_EQ(Asked("  GET /a: h\n", "GET", "/a//", head).status(), 404);
  EXPECT_EQ(Asked("  GET /a: h\n  GET /{r...}: r\n", "GET", "/a/", head).handler(), "h");
}

TEST(ReferenceMatcher, TellsWhoElseMatched) {
  const Asked asked("  GET /a/{x:int}: i\n  GET /a/{y}: s\n  GET /{r...}: r\n", "GET", "/a/5");
  EXPECT_EQ(asked.handler(), "i");
  EXPECT_EQ(asked.why().size(), 3U);
}

TEST(ReferenceMatcher, ObeysOver) {
  const std::string routes =
      "  GET /a/{x}: { handler: all, over: number }\n  GET /a/{n:int}: number\n";
  EXPECT_EQ(Asked(routes, "GET", "/a/5").handler(), "all");
}

}  // namespace
}  // namespace routec::compiler
