// Looks up the requests of one kind, once each: `lookups KIND` under callgrind.
#include <cstdio>
#include <string_view>
#include <vector>

#include "routes_router.h"

namespace {

struct Request {
  std::string_view method, target;
};

const std::vector<Request> kLiterals = {{"GET", "/"},
                                        {"GET", "/about"},
                                        {"GET", "/healthz"},
                                        {"GET", "/metrics"},
                                        {"GET", "/login"},
                                        {"POST", "/login"},
                                        {"GET", "/users"},
                                        {"GET", "/users/me"},
                                        {"POST", "/logout"},
                                        {"GET", "/items"},
                                        {"GET", "/admin/stats/daily"},
                                        {"POST", "/users"},
                                        {"HEAD", "/about"},
                                        {"GET", "/items?q=a"}};

const std::vector<Request> kPatterned = {{"GET", "/users/octocat"},
                                         {"PUT", "/users/torvalds"},
                                         {"GET", "/users/octocat/orders"},
                                         {"GET", "/users/octocat/orders/81723"},
                                         {"POST", "/users/octocat/orders/7:cancel"},
                                         {"GET", "/items/b00k-with-a-long-name/reviews/17"},
                                         {"GET", "/items/x1/images/front.webp"},
                                         {"GET", "/categories/garden/items/lawn-mower"},
                                         {"GET", "/search/blue%20shoes"},
                                         {"GET", "/files/manuals/2024/mower.pdf"},
                                         {"GET", "/admin/users/octocat/sessions/5f1c9a"}};

const std::vector<Request> kMisses = {{"GET", "/nothing"},
                                      {"GET", "/users/octocat/nothing"},
                                      {"GET", "/items/x1/images/front.jpeg"},
                                      {"GET", "/users/octocat/orders/first"},
                                      {"DELETE", "/about"},
                                      {"PATCH", "/users/octocat"},
                                      {"GET", "/admin/stats/yearly"},
                                      {"GET", "//"}};

}  // namespace

// By its plain name callgrind knows it.
extern "C" __attribute__((noinline)) unsigned measured(const Request* request) {
  const routec::Match match = api::match(request->method, request->target);
  unsigned sum = match.route() + static_cast<unsigned>(match.status());
  for (std::size_t i = 0; i < match.param_count(); ++i)
    sum += static_cast<unsigned char>(match.raw_param(i).front());
  return sum;
}

int main(int argc, char** argv) {
  const std::string_view kind = argc == 2 ? argv[1] : "";
  const auto& requests = kind == "literal" ? kLiterals : kind == "patterned" ? kPatterned : kMisses;
  unsigned sum = 0;
  for (const Request& request : requests) sum += measured(&request);
  std::printf("%zu lookups, %u\n", requests.size(), sum);
}
