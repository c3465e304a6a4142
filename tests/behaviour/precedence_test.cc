// Who wins, where it is easy to get it wrong: tables that random ones got wrong once.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "match_text.h"
#include "table_under_test.h"

namespace routec::test {
namespace {

class Precedence : public testing::Test {
 protected:
  void use(const std::string& routes, const std::string& slash = "strict",
           const compiler::DecisionLimits& limits = {}) {
    outcome_ = TableUnderTest::make(
        "routec: 1\noptions: { slash: " + slash + " }\nroutes:\n" + routes, limits);
    ASSERT_NE(outcome_.table, nullptr);
  }

  // The handler, or the status where there is none.
  std::string answer(std::string_view method, std::string_view target) {
    EXPECT_EQ(outcome_.table->difference(method, target), "");
    const Match found = outcome_.table->match(method, target);
    return found.status() == 200 ? std::string(found.name()) : std::to_string(found.status());
  }

  std::string allow(std::string_view method, std::string_view target) {
    EXPECT_EQ(outcome_.table->difference(method, target), "");
    return outcome_.table->match(method, target).allow();
  }

  TableUnderTest::Outcome outcome_;
};

TEST_F(Precedence, RestTakesTheEmptySegmentThatAnotherPatternAsksFor) {
  use("  GET /x/{rest...}: files\n  POST /{a}/b/: post\n");
  EXPECT_EQ(answer("GET", "/x/y/"), "files");
  EXPECT_EQ(allow("PUT", "/x/b/"), "GET, HEAD, OPTIONS, POST");
}

TEST_F(Precedence, ExplicitMethodOfAnAbsentOptionalBeatsAnyOfTheLiteral) {
  use("  PUT /x/{id?}: put\n  ANY /x: any\n");
  EXPECT_EQ(answer("PUT", "/x"), "put");
  EXPECT_EQ(answer("POST", "/x"), "any");
  EXPECT_EQ(answer("PUT", "/x/1"), "put");
}

TEST_F(Precedence, OverLiftsHeadAboveTheLiteralRouteOfGet) {
  use("  'GET,HEAD /a/b': literal\n  HEAD /a/{x}: { handler: lifted, over: literal }\n");
  EXPECT_EQ(answer("HEAD", "/a/b"), "lifted");
  EXPECT_EQ(answer("GET", "/a/b"), "literal");
}

TEST_F(Precedence, HeadIsAnsweredByGetAndByItsOwnRoutes) {
  use("  GET /a: get\n  POST /b: post\n");
  EXPECT_EQ(answer("HEAD", "/a"), "get");
  EXPECT_EQ(allow("HEAD", "/b"), "OPTIONS, POST");
  EXPECT_EQ(allow("PUT", "/a"), "GET, HEAD, OPTIONS");
  use("  HEAD /a: head\n");
  EXPECT_EQ(answer("HEAD", "/a"), "head");
  EXPECT_EQ(allow("GET", "/a"), "HEAD, OPTIONS");
  use("  HEAD /a: head\n  GET /a: get\n  GET /b: get_b\n  ANY /c: any\n");
  EXPECT_EQ(answer("HEAD", "/a"), "head");
  EXPECT_EQ(answer("HEAD", "/b"), "get_b");
  EXPECT_EQ(answer("HEAD", "/c"), "any");
  EXPECT_EQ(allow("POST", "/b"), "GET, HEAD, OPTIONS");
}

TEST_F(Precedence, OverLiftsAnyAboveTheExplicitMethodOfTheSamePath) {
  use("  PUT /{a}/{b?}: put\n  ANY /{a}: { handler: any, over: put }\n");
  EXPECT_EQ(answer("PUT", "/x"), "any");
  EXPECT_EQ(answer("PUT", "/x/y"), "put");
}

TEST_F(Precedence, OverLiftsAboveRoutesOfTheSameHandler) {
  use("  GET /{a}/b: { handler: same, name: lifted, over: same }\n"
      "  GET /a/{b}: { handler: same, name: other }\n");
  EXPECT_EQ(answer("GET", "/a/b"), "same");
  EXPECT_EQ(outcome_.table->match("GET", "/a/b").pattern(), "/{a}/b");
}

TEST_F(Precedence, OverItselfIsACircle) {
  const auto refused =
      TableUnderTest::make("routec: 1\nroutes:\n  GET /a/{b}: { handler: b, over: b }\n");
  EXPECT_EQ(refused.table, nullptr);
  EXPECT_TRUE(refused.has("over-cycle"));
}

TEST_F(Precedence, IndexBesideARestUnderBothSlashes) {
  use("  GET /files: index\n  GET /files/{path...}: files\n  GET /{a}: a\n", "both");
  EXPECT_EQ(answer("GET", "/files"), "index");
  EXPECT_EQ(answer("GET", "/files/"), "index");
  EXPECT_EQ(answer("GET", "/files/x"), "files");
}

TEST_F(Precedence, AnyIndexBeatsTheRestOfAnExplicitMethodUnderBothSlashes) {
  use("  ANY /{a}: index\n  GET /{a}/{path...}: files\n", "both");
  EXPECT_EQ(answer("GET", "/x"), "index");
  EXPECT_EQ(answer("GET", "/x/y"), "files");
}

TEST_F(Precedence, BothSpellingsAreOnePatternForAny) {
  use("  PUT /{a}/: put\n  ANY /{a}: any\n", "both");
  EXPECT_EQ(answer("PUT", "/x"), "put");
  EXPECT_EQ(answer("PUT", "/x/"), "put");
  EXPECT_EQ(answer("POST", "/x/"), "any");
}

TEST_F(Precedence, TypesRankByWhatTheyTakeAndNotByName) {
  const std::string manifest =
      "routec: 1\ntypes: { word: { pattern: '.*' } }\nroutes:\n"
      "  ANY /{a:word}/{b}/c: typed\n  ANY /{a}/{b}x/{c...}: affixed\n"
      "  GET /m/{a:word}-{b}: any\n  GET /m/{a}-{b:int}: int\n";
  outcome_ = TableUnderTest::make(manifest);
  ASSERT_NE(outcome_.table, nullptr);
  EXPECT_EQ(answer("PUT", "/1/2x/c"), "affixed");
  EXPECT_EQ(answer("GET", "/m/a-1"), "int");
  EXPECT_EQ(answer("GET", "/m/1-a"), "any");
}

TEST_F(Precedence, NoRawControlOctetStandsForAnEncodedDelimiter) {
  use("  GET /a%2Fb: slash\n  GET /%25%3F%23: others\n");
  EXPECT_EQ(answer("GET", "/a%2fb"), "slash");
  EXPECT_EQ(answer("GET", "/%25%3f%23"), "others");
  EXPECT_EQ(answer("GET",
                   "/a\x01"
                   "b"),
            "400");
  EXPECT_EQ(answer("GET", "/\x02\x03\x04"), "400");
}

TEST_F(Precedence, OddOctetsOfLiteralsLeaveTheTablesLegal) {
  use("  'GET /{a}/x\\': backslash\n  GET /{a}/%FF: octet\n  GET /{a}/%E2%80%AE: bidi\n");
  EXPECT_EQ(answer("GET", "/1/x\\"), "backslash");
  EXPECT_EQ(answer("GET", "/1/\xff"), "octet");
  EXPECT_EQ(answer("GET", "/1/%e2%80%ae"), "bidi");
}

TEST_F(Precedence, LiteralsThatDifferOnlyInTheMiddle) {
  const auto literal = [](int i, std::size_t fill) {
    return "beginning-" + std::to_string(i) + std::string(fill, 'x') + "-the-end";
  };
  for (const int count : {3, 300}) {  // looked up in one node, and in a tree of them
    std::string routes = "  GET /{other}/{id}: other\n";
    for (int i = 0; i < count; ++i)
      for (const std::size_t fill : {0u, 1u, 40u}) {
        const std::string name = "r" + std::to_string(i) + "_" + std::to_string(fill);
        routes += "  GET /" + literal(i + 1000, fill) + "/{id}: " + name + "\n";
      }
    use(routes);
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(answer("GET", "/" + literal(i + 1000, 40) + "/7"), "r" + std::to_string(i) + "_40");
      EXPECT_EQ(answer("GET", "/" + literal(i + 1000, 0) + "/7"), "r" + std::to_string(i) + "_0");
      EXPECT_EQ(answer("GET", "/" + literal(i + 5000, 40) + "/7"), "other");
      EXPECT_EQ(answer("GET", "/" + literal(i + 1000, 39) + "/7"), "other");
    }
  }
}

TEST_F(Precedence, AsManySegmentsAsThereMayBeAndTheirOtherSlash) {
  std::string path;
  for (int i = 0; i < 255; ++i) path += "/a";
  use("  GET " + path + "/{x}: last\n  GET " + path + "/: none\n", "both");
  EXPECT_EQ(answer("GET", path), "none");
  EXPECT_EQ(answer("GET", path + "/"), "none");
  EXPECT_EQ(answer("GET", path + "/b"), "last");
  EXPECT_EQ(answer("GET", path + "/b/"), "last");
  EXPECT_EQ(answer("GET", path + "/b/c"), "404");
}

TEST_F(Precedence, RedirectLeadsToNoTargetThatIsTooLong) {
  use("  GET /a/{x}: without\n  GET /b/{x}/: with\n", "redirect");
  for (const std::string& query : {std::string(), std::string("?q=1")}) {
    const std::string filling(detail::kMaxTarget - 3 - query.size(), 'x');
    EXPECT_EQ(answer("GET", "/b/" + filling + query), "404");
    EXPECT_EQ(answer("GET", "/b/" + filling.substr(1) + query), "308");
    EXPECT_EQ(answer("GET", "/a/" + filling.substr(1) + "/" + query), "308");
  }
}

// ---- Beyond the limits --------------------------------------------------------------------------

TEST_F(Precedence, SearchBeyondTheLimitsIsRightAndWarnsOfItself) {
  const std::string routes =
      "  GET /a/b/c: literal\n  GET /a/{y}/c: middle\n  GET /{x}/b/{z:uint}: typed\n"
      "  POST /{x}/b/{z}: post\n  GET /{x}/{rest...}: rest\n  ANY /a/{y}/{z?}: any\n";
  for (std::size_t nodes = 0; nodes < 8; ++nodes) {
    use(routes, "strict", {nodes, 1000});
    EXPECT_TRUE(nodes > 6 || outcome_.has("search")) << nodes;
    EXPECT_EQ(answer("GET", "/a/x/c"), "middle");
    EXPECT_EQ(answer("GET", "/x/b/7"), "typed");
    EXPECT_EQ(answer("GET", "/x/b/y"), "rest");
    EXPECT_EQ(answer("PUT", "/a/b/7"), "any");
    EXPECT_EQ(allow("DELETE", "/x/b/7"), "GET, HEAD, OPTIONS, POST");
  }
}

TEST_F(Precedence, OrdinaryTablesNeedNoSearch) {
  use("  GET /a/{y}/c: middle\n  GET /{x}/b/{z:uint}: typed\n");
  EXPECT_FALSE(outcome_.has("search"));
}

}  // namespace
}  // namespace routec::test
