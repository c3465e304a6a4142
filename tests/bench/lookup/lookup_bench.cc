// One thread, one process: nanoseconds a lookup of routec and of its peers, on the same requests in
// the same order. run.py builds and runs it; each run is one round.
#include <r3/r3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "github_full_router.h"
#include "github_router.h"
#include "raw_gperf.h"
#include "static_router.cc"  // for its tables

namespace {

// "METHOD path" in one piece, as a request line has it, and the parts of it that a parser finds.
struct Request {
  const std::string& line;
  std::string_view method, path;
  int route;  // expected; -1: none
};

using Requests = std::vector<Request>;

// Lines of "route METHOD path"; route -1 is a miss.
Requests read_requests(const std::string& name) {
  std::ifstream file(name);
  if (!file) std::exit((std::fprintf(stderr, "lookup_bench: cannot read %s\n", name.c_str()), 2));
  Requests requests;
  static std::deque<std::string> lines;
  int route = -1;
  std::string method, path;
  while (file >> route >> method >> path) {
    const std::string& line = lines.emplace_back(method + ' ' + path);
    const std::string_view text = line;
    requests.push_back(
        {line, text.substr(0, method.size()), text.substr(method.size() + 1), route});
  }
  return requests;
}

// Calls `lookup`, which is a lambda of each contender so that no call through a pointer is
// measured, for every request, `passes` times; prints nanoseconds a call. The sum keeps the
// compiler from dropping the work, and the first pass checks each answer.
template <typename Lookup>
void measure(const char* contender, const char* set, const char* kind, const Requests& requests,
             Lookup lookup) {
  for (const Request& request : requests)
    if (const int route = lookup(request); route != request.route)
      std::exit((std::fprintf(stderr, "lookup_bench: %s on %s: %s gives %ld, not %d\n", contender,
                              set, request.line.c_str(), route, request.route),
                 1));
  constexpr std::size_t kLookups = 2'000'000;
  const std::size_t passes = kLookups / requests.size() + 1;
  long sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t pass = 0; pass < passes; ++pass)
    for (const Request& request : requests) sum += lookup(request);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  std::printf("%s %s %s %.2f %ld\n", contender, set, kind,
              took.count() / static_cast<double>(passes * requests.size()), sum);
}

using Match = routec::Match (*)(std::string_view, std::string_view) noexcept;

// A byte of each parameter is read, so that they all are extracted. Part of the loop that measures,
// as the calls of the other contenders are.
template <Match match>
[[gnu::always_inline]] inline int find_routec(const Request& request) {
  const routec::Match found = match(request.method, request.path);
  if (found.status() != 200) return -1;
  unsigned touched = 0;
  for (std::size_t i = 0; i < found.param_count(); ++i)
    touched += static_cast<unsigned char>(found.raw_param(i).front());
  // Handlers are named after the lines of the route list, so the enumerators stand in their order.
  return touched == 1 ? -2 : static_cast<int>(found.route());
}

// What raw gperf does, and no more: a table asked for a key.
int find_literal(const Request& request) {
  const auto method = static_cast<std::uint32_t>(routec::parse_method(request.method));
  const routec::detail::RouteEntry* const found =
      routec::detail::find_literal(static_routes::kTables, method, request.path);
  return found == nullptr ? -1 : static_cast<int>(found->id);
}

struct R3Tree {
  node* root = r3_tree_create(10);

  explicit R3Tree(const std::string& routes_file) {
    std::ifstream file(routes_file);
    std::string method, path;
    for (long number = 0; file >> method >> path; ++number)
      r3_tree_insert_routel_ex(root, method_bit(method), path.c_str(),
                               static_cast<int>(path.size()), reinterpret_cast<void*>(number + 1),
                               nullptr);
    char* error = nullptr;
    if (r3_tree_compile(root, &error) != 0) std::exit((std::fprintf(stderr, "r3: %s\n", error), 2));
  }

  static int method_bit(std::string_view method) {
    return method == "GET"      ? METHOD_GET
           : method == "POST"   ? METHOD_POST
           : method == "PUT"    ? METHOD_PUT
           : method == "DELETE" ? METHOD_DELETE
           : method == "PATCH"  ? METHOD_PATCH
                                : METHOD_HEAD;
  }

  int find(const Request& request) const {
    const std::string_view path = request.path;
    match_entry* entry = match_entry_createl(path.data(), static_cast<int>(path.size()));
    entry->request_method = method_bit(request.method);
    const route* found_route = r3_tree_match_route(root, entry);
    const int found = found_route == nullptr
                          ? -1
                          : static_cast<int>(reinterpret_cast<long>(found_route->data)) - 1;
    match_entry_free(entry);
    return found;
  }
};

void measure_static(const std::string& folder) {
  for (const char* kind : {"hit", "miss", "wrong_method"}) {
    const Requests requests = read_requests(folder + "/static." + kind);
    measure("routec", "static", kind, requests,
            [](const Request& request) { return find_routec<static_routes::match>(request); });
    measure("routec_table", "static", kind, requests,
            [](const Request& request) { return find_literal(request); });
    measure("raw_gperf", "static", kind, requests, [](const Request& request) {
      const RawRoute* found = RawGperf::find(request.line.data(), request.line.size());
      return found == nullptr ? -1 : found->number;
    });
    static std::unordered_map<std::string, int> map;
    if (map.empty())
      for (const Request& request : requests) map.emplace(request.line, request.route);
    measure("unordered_map", "static", kind, requests, [&](const Request& request) {
      const auto found = map.find(request.line);
      return found == map.end() ? -1 : found->second;
    });
  }
}

template <Match match>
void measure_patterned(const std::string& folder, const char* set, const R3Tree* tree) {
  for (const char* kind : {"hit", "miss", "wrong_method"}) {
    const Requests requests = read_requests(folder + "/" + set + "." + kind);
    measure("routec", set, kind, requests,
            [](const Request& request) { return find_routec<match>(request); });
    if (tree != nullptr)
      measure("r3", set, kind, requests,
              [&](const Request& request) { return tree->find(request); });
  }
}

// What comparing a request with a copy of itself costs: nothing that reads its octets is faster.
void measure_floor(const std::string& folder, const char* set) {
  const Requests requests = read_requests(folder + "/" + set + ".hit");
  std::unordered_map<std::string_view, std::string> copies;
  for (const Request& request : requests) copies.emplace(request.line, request.line);
  std::vector<const char*> answers;
  for (const Request& request : requests) answers.push_back(copies.at(request.line).data());
  measure("memcmp_floor", set, "hit", requests, [&](const Request& request) {
    const char* answer = answers[static_cast<std::size_t>(&request - requests.data())];
    const bool same = std::memcmp(request.line.data(), answer, request.line.size()) == 0;
    return same ? request.route : -1;
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: lookup_bench FOLDER\n"), 2;
  const std::string folder = argv[1];
  const R3Tree tree(folder + "/github.routes");
  for (const char* set : {"static", "github", "github_full"}) measure_floor(folder, set);
  measure_static(folder);
  measure_patterned<github_routes::match>(folder, "github", &tree);
  // r3 refuses or confuses some of these routes.
  measure_patterned<github_full_routes::match>(folder, "github_full", nullptr);
}
