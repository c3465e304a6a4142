// Nanoseconds a lookup of the requests in a file, lines of "handler TAB method TAB target":
// `growth_bench FILE` prints them, or fails if one of them leads elsewhere.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "routec/router.h"

// Of routes_router.h, which takes half a minute to read when it declares 100,000 handlers.
namespace growth {
routec::Match match(std::string_view method, std::string_view target) noexcept;
}

namespace {

struct Request {
  std::string handler, method, target;
};

std::vector<Request> read_requests(const char* name) {
  std::ifstream file(name);
  std::vector<Request> requests;
  Request request;
  while (std::getline(file, request.handler, '\t') && std::getline(file, request.method, '\t') &&
         std::getline(file, request.target))
    requests.push_back(request);
  return requests;
}

// What a server reads of a match: the route, and its parameters.
std::size_t look_up(const Request& request) {
  const routec::Match match = growth::match(request.method, request.target);
  std::size_t sum = match.index();
  for (std::size_t i = 0; i < match.param_count(); ++i) sum += match.raw_param(i).size();
  return sum;
}

bool leads_to_its_handler(const Request& request) {
  const routec::Match match = growth::match(request.method, request.target);
  if (match.status() == 200 && match.name() == request.handler) return true;
  std::fprintf(stderr, "%s %s: %d %.*s instead of %s\n", request.method.c_str(),
               request.target.c_str(), match.status(), static_cast<int>(match.name().size()),
               match.name().data(), request.handler.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kPasses = 100;
  const std::vector<Request> requests = read_requests(argc == 2 ? argv[1] : "");
  if (requests.empty()) return 2;
  for (const Request& request : requests)
    if (!leads_to_its_handler(request)) return 1;
  const auto start = std::chrono::steady_clock::now();
  std::size_t sum = 0;
  for (int pass = 0; pass < kPasses; ++pass)
    for (const Request& request : requests) sum += look_up(request);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  // The sum keeps the compiler from dropping the work.
  if (sum == 0) return 2;
  std::printf("%.1f\n", time.count() / kPasses / static_cast<double>(requests.size()));
}
