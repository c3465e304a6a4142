#include "perfect_hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "routec/matcher.h"

namespace routec::compiler {
namespace {

using detail::kNone;

constexpr std::size_t kMethods = 9;

std::vector<LiteralKey> keys_of(const std::vector<std::string>& paths, std::size_t method = 0) {
  std::vector<LiteralKey> keys;
  for (const std::string& path : paths) keys.push_back({method, path, keys.size()});
  return keys;
}

HashPlan plan(const std::vector<LiteralKey>& keys) {
  Diagnostics diagnostics;
  std::optional<HashPlan> result = plan_hash(keys, kMethods, HashOptions(), diagnostics);
  EXPECT_TRUE(result) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].text);
  return result.value_or(HashPlan());
}

std::uint32_t probe(const HashPlan& plan, const HashPlan::Probe& probe, const std::string& path) {
  return plan.rows.at(probe.row + static_cast<std::uint8_t>(path.at(probe.position)));
}

bool passes_filter(const HashPlan& plan, const std::string& path) {
  if (path.size() < 8) return true;
  const std::uint64_t bit = detail::filter_hash(path) >> plan.filter_shift;
  return (plan.literal_filter.at(bit / 64) >> bit % 64 & 1) != 0;
}

// What routec/tables.h says about looking a path up, word for word.
std::uint32_t look_up(const HashPlan& plan, std::size_t method, const std::string& path) {
  const HashPlan::MethodRow& row = plan.method_rows.at(method);
  if (path.empty() || path.size() > row.longest || !passes_filter(plan, path)) return kNone;
  const HashPlan::Partition* partition = &plan.partitions.at(row.first + path.size() - 1);
  std::uint32_t first = probe(plan, partition->probes[0], path);
  for (; partition->children != 0; first = probe(plan, partition->probes[0], path)) {
    if (first >= partition->children) return kNone;
    partition = &plan.partitions.at(partition->first + first);
  }
  const std::uint32_t hash = first + probe(plan, partition->probes[1], path);
  if (hash >= partition->count) return kNone;
  const HashPlan::Literal& entry = plan.literals.at(partition->first + hash);
  return plan.texts.compare(entry.text, path.size(), path) == 0 ? entry.route : kNone;
}

// Every key is found, in a table of just that many entries, and its neighbours are not.
void expect_perfect(const std::vector<LiteralKey>& keys) {
  const HashPlan tables = plan(keys);
  EXPECT_EQ(tables.literals.size(), keys.size());
  std::set<std::pair<std::size_t, std::string>> known;
  for (const LiteralKey& key : keys) known.emplace(key.method, key.path);
  for (const LiteralKey& key : keys) {
    ASSERT_EQ(look_up(tables, key.method, key.path), key.route) << key.path;
    std::string other = key.path;
    for (std::size_t i = 0; i < other.size(); i += 1 + other.size() / 8) {
      other[i] = static_cast<char>(other[i] + 1);
      if (known.count({key.method, other}) == 0) {
        EXPECT_EQ(look_up(tables, key.method, other), kNone);
      }
      other[i] = key.path[i];
    }
  }
}

TEST(PerfectHash, EmptyTableHasARowForEveryMethod) {
  const HashPlan tables = plan({});
  EXPECT_EQ(tables.method_rows.size(), kMethods + 1);
  EXPECT_EQ(look_up(tables, 0, "/"), kNone);
}

TEST(PerfectHash, MethodsAreApart) {
  std::vector<LiteralKey> keys{{0, "/a", 0}, {2, "/a", 1}, {2, "/b", 2}, {kMethods, "/a", 3}};
  expect_perfect(keys);
  EXPECT_EQ(look_up(plan(keys), 0, "/b"), kNone);
}

TEST(PerfectHash, HeadFindsTheKeysOfGetButForItsOwn) {
  const HashPlan shared = plan({{0, "/a", 7}, {0, "/bc", 8}, {2, "/d", 9}});
  EXPECT_EQ(look_up(shared, 1, "/a"), 7u);
  EXPECT_EQ(look_up(shared, 1, "/bc"), 8u);
  EXPECT_EQ(look_up(shared, 1, "/d"), kNone);
  EXPECT_EQ(shared.literals.size(), 3u);
  const HashPlan own = plan({{0, "/a", 7}, {0, "/bc", 8}, {1, "/a", 9}, {1, "/efg", 6}});
  EXPECT_EQ(look_up(own, 1, "/a"), 9u);
  EXPECT_EQ(look_up(own, 1, "/bc"), 8u);
  EXPECT_EQ(look_up(own, 1, "/efg"), 6u);
  EXPECT_EQ(look_up(own, 0, "/a"), 7u);
  EXPECT_EQ(look_up(own, 0, "/efg"), kNone);
}

TEST(PerfectHash, EqualPathsShareTheirText) {
  EXPECT_EQ(plan({{0, "/abc", 0}, {2, "/abc", 1}}).texts, "/abc");
}

TEST(PerfectHash, TakesAnyOctet) {
  std::vector<std::string> paths{"/\"", "/\\", "/,", "/%", "/#", "/{", "/ ", "/\x01", "/?", "/'"};
  for (int c = 0x80; c <= 0xff; ++c) paths.push_back(std::string("/") + static_cast<char>(c));
  paths.insert(paths.end(), {"/%%", "/%{", "/a,b", "/a\"b", "/a\\b"});
  expect_perfect(keys_of(paths));
}

TEST(PerfectHash, TakesPathsOfTwoKibibytesThatDifferAnywhere) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < 60; ++i) {
    std::string path = "/" + std::string(2047, 'a');
    path[1 + i * 34] = 'b';
    paths.push_back(path);
  }
  expect_perfect(keys_of(paths));
}

// Sets on which gperf alone takes minutes or never ends.
TEST(PerfectHash, SolvesRegularSets) {
  std::vector<std::string> numbered, grid, binary;
  for (int i = 0; i < 3000; ++i) numbered.push_back("/api/v1/resource" + std::to_string(i));
  for (char a = 'a'; a <= 'z'; ++a)
    for (char b = 'a'; b <= 'z'; ++b) grid.push_back({'/', a, b, '/', b, a});
  for (int i = 0; i < 1024; ++i) {
    std::string path = "/";
    for (int bit = 0; bit < 10; ++bit) path += (i >> bit & 1) != 0 ? "/b" : "/a";
    binary.push_back(path);
  }
  expect_perfect(keys_of(numbered));
  expect_perfect(keys_of(grid));
  expect_perfect(keys_of(binary));
}

TEST(PerfectHash, SolvesRandomSets) {
  std::mt19937 random(7);
  for (int round = 0; round < 6; ++round) {
    std::set<std::string> paths;
    while (paths.size() < 400) {
      std::string path = "/";
      for (auto length = random() % 9; length > 0; --length)
        path += static_cast<char>('a' + random() % (2U << round));
      paths.insert(path);
    }
    expect_perfect(keys_of({paths.begin(), paths.end()}));
  }
}

TEST(PerfectHash, FilterKeepsOutMostOtherPaths) {
  std::vector<std::string> paths;
  for (int i = 10000; i < 13000; ++i) paths.push_back("/api/v1/resource" + std::to_string(i));
  const HashPlan tables = plan(keys_of(paths));
  int passed = 0;
  for (int i = 20000; i < 30000; ++i)
    passed += passes_filter(tables, "/api/v1/resource" + std::to_string(i));
  EXPECT_LT(passed, 1250);
}

TEST(PerfectHash, OrderOfTheKeysDoesNotMatter) {
  std::vector<LiteralKey> keys;
  for (std::size_t i = 0; i < 200; ++i) keys.push_back({i % 3, "/p" + std::to_string(i / 3), i});
  const HashPlan first = plan(keys);
  std::shuffle(keys.begin(), keys.end(), std::mt19937(3));
  const HashPlan second = plan(keys);
  EXPECT_EQ(first.rows, second.rows);
  EXPECT_EQ(first.texts, second.texts);
  EXPECT_EQ(first.literal_filter, second.literal_filter);
}

// A gperf that does not answer the first time, or never.
std::string slow_gperf(const std::string& name, const std::string& how_often) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
  const std::string flag = path.string() + ".ran";
  std::filesystem::remove(flag);
  std::ofstream(path) << "#!/bin/sh\nif " << how_often << " '" << flag << "'; then\n  touch '"
                      << flag << "'\n  sleep 60\nfi\nexec gperf \"$@\"\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST(PerfectHash, SplitsFurtherWhenGperfIsOutOfTime) {
  HashOptions options;
  options.gperf = slow_gperf("slow_once", "test ! -e");
  options.time_limit = std::chrono::seconds(2);
  Diagnostics diagnostics;
  const std::vector<LiteralKey> keys = keys_of({"/a", "/b", "/c", "/d", "/e"});
  const std::optional<HashPlan> tables = plan_hash(keys, kMethods, options, diagnostics);
  ASSERT_TRUE(tables);
  for (const LiteralKey& key : keys) EXPECT_EQ(look_up(*tables, 0, key.path), key.route);
}

TEST(PerfectHash, GivesUpOnAGperfThatNeverAnswers) {
  HashOptions options;
  options.gperf = slow_gperf("slow_always", "test -n");
  options.time_limit = std::chrono::milliseconds(100);
  std::vector<std::string> paths;
  for (int i = 0; i < 300; ++i) paths.push_back("/route" + std::to_string(i));
  Diagnostics diagnostics;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(plan_hash(keys_of(paths), kMethods, options, diagnostics));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  ASSERT_TRUE(diagnostics.has_failures());
  EXPECT_THAT(diagnostics.all()[0].text,
              testing::HasSubstr("slow_always') gave no answer within 100 ms, 3 times"));
}

TEST(PerfectHash, NamesThePackageWhenThereIsNoGperf) {
  HashOptions options;
  options.gperf = "/nowhere/gperf";
  Diagnostics diagnostics;
  EXPECT_FALSE(plan_hash(keys_of({"/a", "/b"}), kMethods, options, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_TRUE(diagnostics.has_failures());
  EXPECT_THAT(diagnostics.all()[0].text, testing::HasSubstr("/nowhere/gperf"));
  EXPECT_THAT(diagnostics.all()[0].cure, testing::HasSubstr("apt install gperf"));
}

TEST(PerfectHash, RefusesAProgramThatIsNotGperf) {
  HashOptions options;
  options.gperf = "true";
  Diagnostics diagnostics;
  EXPECT_FALSE(plan_hash(keys_of({"/a", "/b"}), kMethods, options, diagnostics));
}

RouteTable table_of(const std::vector<std::vector<std::string>>& literal_patterns) {
  RouteTable table;
  table.methods = {"GET", "POST"};
  for (const auto& segments : literal_patterns) {
    Route& route = table.routes.emplace_back();
    route.method = "GET";
    route.pattern.segments.clear();
    for (const std::string& text : segments)
      route.pattern.segments.emplace_back().literals = {text};
  }
  return table;
}

TEST(LiteralKeys, AreInNormalForm) {
  RouteTable table = table_of({{""}, {"a", ""}, {"a/b", "c%"}});
  table.routes[1].method = "ANY";
  const std::vector<LiteralKey> keys = literal_keys(table);
  ASSERT_EQ(keys.size(), 3U);
  EXPECT_EQ(keys[0].path, "/");
  EXPECT_EQ(keys[1].path, "/a/");
  EXPECT_EQ(keys[1].method, 2U);
  EXPECT_EQ(keys[2].path,
            std::string("/a") + detail::normal_octet('/') + "b/c" + detail::normal_octet('%'));
}

TEST(LiteralKeys, LeaveOutPatternedRoutes) {
  RouteTable table = table_of({{"a"}, {"b"}});
  Segment& segment = table.routes[0].pattern.segments[0];
  segment.literals = {"", ""};
  segment.params.emplace_back();
  const std::vector<LiteralKey> keys = literal_keys(table);
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(keys[0].route, 1U);
}

TEST(LiteralKeys, HaveBothSpellingsWithSlashBoth) {
  RouteTable table = table_of({{""}, {"a"}, {"b", ""}});
  table.slash = SlashMode::kBoth;
  std::vector<std::string> paths;
  for (const LiteralKey& key : literal_keys(table)) paths.push_back(key.path);
  EXPECT_THAT(paths, testing::ElementsAre("/", "/a", "/a/", "/b/", "/b"));
}

}  // namespace
}  // namespace routec::compiler
