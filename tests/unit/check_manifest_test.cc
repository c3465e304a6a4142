#include "check_manifest.h"

#include <gtest/gtest.h>

#include "table_of.h"

namespace routec::compiler {
namespace {

std::string under(const Checked& checked, std::size_t index) {
  const Span span = checked.diagnostics.all().at(index).span;
  return checked.source.text().substr(span.begin, span.end - span.begin);
}

TEST(CheckManifest, GivesEqualTablesForAnyOrder) {
  const Checked a = check_routes("  GET /b: b\n  POST,GET /a/{x:int}: a\n  ANY /c: c\n");
  const Checked b = check_routes("  ANY /c: c\n  GET,POST /a/{x:int}: a\n  GET /b: b\n");
  ASSERT_TRUE(a.table && b.table);
  ASSERT_EQ(a.table->routes.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(a.table->routes[i].method, b.table->routes[i].method);
    EXPECT_EQ(a.table->routes[i].pattern.text, b.table->routes[i].pattern.text);
    EXPECT_EQ(a.table->routes[i].handler, b.table->routes[i].handler);
    EXPECT_EQ(a.table->routes[i].id, b.table->routes[i].id);
  }
  EXPECT_EQ(a.table->routes[0].pattern.text, "/a/{x:int}");
}

TEST(CheckManifest, DecodesLiteralsAndSplitsSegments) {
  const Checked checked = check_routes("  'GET /a%7Eb/{{x}}/v{n:uint}-{m}.png/': h\n");
  ASSERT_TRUE(checked.table) << checked.codes();
  const std::vector<Segment>& segments = checked.table->routes[0].pattern.segments;
  ASSERT_EQ(segments.size(), 4U);
  EXPECT_EQ(segments[0].literals[0], "a~b");
  EXPECT_EQ(segments[1].literals[0], "{x}");
  EXPECT_EQ(segments[2].literals, (std::vector<std::string>{"v", "-", ".png"}));
  EXPECT_EQ(segments[2].params[1].name, "m");
  EXPECT_TRUE(segments[3].is_literal());
  EXPECT_EQ(segments[3].literals[0], "");
}

TEST(CheckManifest, ReadsTails) {
  const Checked checked = check_routes("  GET /a/{x:int?}: a\n  GET /b/{r...}: b\n  GET /: c\n");
  ASSERT_TRUE(checked.table) << checked.codes();
  EXPECT_EQ(checked.table->routes[0].pattern.tail, Tail::kNone);
  EXPECT_EQ(checked.table->routes[1].pattern.tail, Tail::kOptional);
  EXPECT_EQ(checked.table->routes[2].pattern.tail, Tail::kRest);
}

TEST(CheckManifest, KeepsUsedTypesOnlyAndSharesEqualOnes) {
  const Checked checked = check_text(
      "routec: 1\ntypes: { t: { enum: [b, a] }, unused: { pattern: a } }\n"
      "routes:\n  'GET /a/{x:t}/{y:enum(d,c)}': a\n  'GET /b/{z:enum(c,d)}/{i:int}': b\n");
  ASSERT_TRUE(checked.table) << checked.codes();
  std::vector<std::string> names;
  for (const ParamType& type : checked.table->types) names.push_back(type.name);
  EXPECT_EQ(names, (std::vector<std::string>{"int", "enum(c,d)", "t"}));
  EXPECT_EQ(checked.table->types[2].members, (std::vector<std::string>{"a", "b"}));
}

TEST(CheckManifest, PointsIntoPlainQuotedAndEscapedKeys) {
  const Checked plain = check_routes("  GET /a/{id:unit}: a\n");
  EXPECT_EQ(under(plain, 0), "unit");
  const Checked single = check_routes("  'GET /it''s/{id:unit}': a\n");
  EXPECT_EQ(under(single, 0), "unit");
  const Checked escaped = check_routes("  \"GET /\\u00e4\\x41/{id:unit}\": a\n");
  EXPECT_EQ(under(escaped, 0), "unit");
  const Checked umlaut = check_routes("  GET /\xC3\xA4/{id:unit}: a\n");
  EXPECT_EQ(under(umlaut, 0), "unit");
}

TEST(CheckManifest, ReportsAnAliasWhereItStands) {
  const Checked checked = check_routes("  GET /a: &n 1a\n  GET /b: *n\n");
  EXPECT_EQ(checked.codes(), "invalid-name invalid-name");
  EXPECT_EQ(under(checked, 1), "*n");
}

TEST(CheckManifest, ReadsBodyLimits) {
  const auto limit = [](const std::string& value) {
    const Checked checked = check_routes("  POST /a: { handler: a, body_limit: " + value + " }\n");
    return checked.table ? checked.table->routes[0].body_limit : std::nullopt;
  };
  EXPECT_EQ(limit("0"), 0U);
  EXPECT_EQ(limit("1024"), 1024U);
  EXPECT_EQ(limit("0x10"), 16U);
  EXPECT_EQ(limit("0o17"), 15U);
  EXPECT_EQ(limit("64KiB"), 65536U);
  EXPECT_EQ(limit("999999999GiB"), std::uint64_t{999999999} << 30);
  for (const char* bad : {"-1", "1.5", "lots", "''", "1 KiB", "1kb", "9999999999GiB", "1e3",
                          "99999999999999999999", "[64]"})
    EXPECT_EQ(limit(bad), std::nullopt) << bad;
}

TEST(CheckManifest, TakesTypesWhoseNamesBeginLikeEnum) {
  const Checked checked = check_text(
      "routec: 1\ntypes: { enumeration: { enum: [a] }, enum_2: { pattern: b } }\n"
      "routes:\n  'GET /{x:enumeration}/{y:enum_2}/{z:enum(c)}': h\n");
  EXPECT_TRUE(checked.table) << checked.codes();
  EXPECT_EQ(check_routes("  'GET /{x:enumeral}': h\n").codes(), "unknown-type");
  for (const char* malformed : {"enum", "enum()", "enum(a", "enum a", "enum-a"})
    EXPECT_EQ(check_routes("  'GET /{x:" + std::string(malformed) + "}': h\n").codes(),
              "path-syntax")
        << malformed;
}

TEST(CheckManifest, RefusesFileNamesThatNoIncludeHolds) {
  const auto codes = [](const char* name) {
    Checked checked{SourceFile(name, "routec: 1\nroutes: { GET /: home }\n"), {}, {}};
    const auto manifest = parse_manifest(checked.source, 0, checked.diagnostics);
    checked.table = check_manifest(*manifest, checked.diagnostics);
    return checked.codes();
  };
  for (const char* good : {"a b/shop.v1.yaml", "\xC3\xA4'$&;.yaml", "new\nline/shop.yaml"})
    EXPECT_EQ(codes(good), "") << good;
  for (const char* bad : {"bad\xFF.yaml", "new\nline.yaml", "q\"uote.yaml", "back\\slash.yaml",
                          "tri?\?!graph.yaml", "hidden\xE2\x80\x8B.yaml"})
    EXPECT_EQ(codes(bad), "invalid-name") << bad;
}

TEST(CheckManifest, LetsOneHandlerServeSeveralKeys) {
  const Checked checked =
      check_routes("  GET /a/{x:int}: show\n  GET /b/{y:int}: { handler: show, name: other }\n");
  ASSERT_TRUE(checked.table) << checked.codes();
  EXPECT_EQ(checked.table->handlers.size(), 1U);
  EXPECT_EQ(checked.table->names.size(), 2U);
  EXPECT_EQ(check_routes("  GET /a: show\n  GET /b: show\n").codes(), "name-clash");
}

TEST(CheckManifest, SurvivesAliasBombs) {
  std::string text = "routec: 1\nroutes: { GET /a: a }\njunk:\n  a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text +=
        "  a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last + ", " + last + "]\n";
  }
  EXPECT_EQ(check_text(text).codes(), "unknown-key");
  std::string scalars = "routec: 1\njunk:\n  - &s '" + std::string(1 << 16, 'x') + "'\n";
  for (int i = 0; i < 1000; ++i) scalars += "  - *s\n";
  EXPECT_EQ(check_text(scalars).codes(), "yaml-alias");
}

}  // namespace
}  // namespace routec::compiler
