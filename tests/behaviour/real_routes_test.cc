// The 10,000 routes of real API descriptions, if they lie beside the checkout: each path leads to
// its own route.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "table_under_test.h"

namespace routec::test {
namespace {

struct RealRoute {
  std::string method, pattern, path;
};

// Parameters are named anew, since some names are no identifiers, and filled with texts that are no
// literal of any route: then no other pattern can be the better one.
RealRoute real_route(const std::string& method, const std::string& text) {
  RealRoute route{method, {}, {}};
  std::size_t params = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') {
      route.pattern += text[at];
      route.path += text[at];
      continue;
    }
    const std::string number = std::to_string(++params);
    route.pattern += "{p" + number + "}";
    route.path += "~q" + number + "~";
    at = text.find('}', at);
  }
  return route;
}

std::vector<RealRoute> read_routes(const std::filesystem::path& file) {
  std::vector<RealRoute> routes;
  std::ifstream stream(file);
  std::string method, path;
  while (stream >> method && std::getline(stream >> std::ws, path))
    routes.push_back(real_route(method, path));
  return routes;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "\"";
}

TEST(RealRoutes, EachPathLeadsToItsOwnRoute) {
  const std::filesystem::path file =
      std::filesystem::path(ROUTEC_SOURCE_DIR) / ".." / "shared" / "routes" / "real_10k.txt";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "there is no " << file;
  const std::vector<RealRoute> routes = read_routes(file);
  ASSERT_EQ(routes.size(), 10'000U);
  std::string manifest = "routec: 1\nroutes:\n";
  for (std::size_t i = 0; i < routes.size(); ++i)
    manifest += "  ? " + quoted(routes[i].method + " " + routes[i].pattern) + "\n  : r" +
                std::to_string(i) + "\n";
  const TableUnderTest::Outcome outcome = TableUnderTest::make(manifest);
  ASSERT_NE(outcome.table, nullptr) << outcome.diagnostics.all().front().text;
  std::size_t right = 0;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const Match match = outcome.table->match(routes[i].method, routes[i].path);
    right += match.name() == "r" + std::to_string(i) ? 1 : 0;
  }
  EXPECT_EQ(right, routes.size());
}

}  // namespace
}  // namespace routec::test
