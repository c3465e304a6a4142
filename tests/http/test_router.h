// Routers for tests without the compiler: tables made at run time from a list of routes.
#ifndef ROUTEC_TESTS_HTTP_TEST_ROUTER_H_
#define ROUTEC_TESTS_HTTP_TEST_ROUTER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "routec/router.h"

namespace routec::test {

struct TestRoute {
  Method method;
  std::string pattern;  // segments are literal, "{x}" or, as the last, "{x...}"
  std::function<Response(const Match&, const Request&)> handler;
  std::optional<std::uint64_t> body_limit = std::nullopt;
};

// Routers are plain functions over static tables, so there is one table a process: the routes of
// the last call. Earlier patterns win.
Router make_test_router(std::vector<TestRoute> routes);

// The routes of the HTTP cases.
std::vector<TestRoute> conformance_routes();
// Handlers that misbehave, stream, send files and are slow.
std::vector<TestRoute> fault_routes();

}  // namespace routec::test

#endif  // ROUTEC_TESTS_HTTP_TEST_ROUTER_H_
