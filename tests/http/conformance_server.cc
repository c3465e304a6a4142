// The server that the HTTP cases and the reliability tests run against. Options for tests stand
// before those of every server: --NAME MILLISECONDS|OCTETS for some limits.
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "routec/server.h"
#include "test_router.h"

namespace {

std::vector<routec::test::TestRoute> all_routes() {
  std::vector<routec::test::TestRoute> routes = routec::test::conformance_routes();
  for (routec::test::TestRoute& route : routec::test::fault_routes())
    routes.push_back(std::move(route));
  return routes;
}

}  // namespace

int main(int argc, char** argv) {
  return routec::run_main(argc, argv, routec::test::make_test_router(all_routes()));
}
