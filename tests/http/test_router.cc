#include "test_router.h"

#include <cstring>
#include <deque>
#include <map>
#include <stdexcept>
#include <thread>

namespace routec::test {
namespace {

using namespace routec::detail;

constexpr std::uint32_t kMethods = kStandardMethodCount;

struct Pattern {
  std::vector<std::string> segments;
  bool has_rest = false;
  std::map<Method, std::uint32_t> routes;
};

std::vector<std::string> split(std::string_view pattern) {
  std::vector<std::string> segments;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t end = std::min(pattern.find('/', at + 1), pattern.size());
    segments.emplace_back(pattern.substr(at + 1, end - at - 1));
    at = end;
  }
  return segments;
}

bool is_param(const std::string& segment) { return segment.starts_with("{"); }

// Every root is a search through all patterns that fit its number of segments.
class TableBuilder {
 public:
  explicit TableBuilder(std::vector<TestRoute> routes) : routes_(std::move(routes)) {
    for (std::uint32_t i = 0; i < routes_.size(); ++i) add_route(i);
    for (Pattern& pattern : patterns_) add_leaf(pattern);
    add_roots();
    finish();
  }

  const Tables& tables() const { return tables_; }
  const TestRoute& route(std::uint32_t index) const { return routes_[index]; }

 private:
  static constexpr std::uint32_t kRoots = 12;

  void add_route(std::uint32_t index) {
    const TestRoute& route = routes_[index];
    const std::vector<std::string> segments = split(route.pattern);
    auto found = std::find_if(patterns_.begin(), patterns_.end(),
                              [&](const Pattern& pattern) { return pattern.segments == segments; });
    if (found == patterns_.end()) {
      patterns_.push_back({segments, route.pattern.ends_with("...}"), {}});
      found = std::prev(patterns_.end());
    }
    found->routes[route.method] = index;
    const auto first = static_cast<std::uint32_t>(params_.size());
    for (std::size_t i = 0; i < segments.size(); ++i)
      if (is_param(segments[i]))
        params_.push_back({"x",
                           segments[i].ends_with("...}") ? ParamKind::kRest : ParamKind::kSegment,
                           static_cast<std::uint16_t>(i), 0, 0, 0, kNone});
    RouteEntry entry{index,
                     first,
                     static_cast<std::uint32_t>(params_.size()) - first,
                     {},
                     route.pattern.c_str(),
                     route.pattern.c_str(),
                     route.body_limit.value_or(kNoBodyLimit)};
    std::fill(std::begin(entry.segments), std::end(entry.segments), kOtherParam);
    entries_.push_back(entry);
    tables_.all_methods |= std::uint64_t{1} << static_cast<unsigned>(route.method);
  }

  void add_leaf(const Pattern& pattern) {
    Node leaf{NodeKind::kLeaf,
              0,
              0,
              static_cast<std::uint32_t>(checks_.size()),
              0,
              static_cast<std::uint32_t>(choices_.size()),
              0};
    for (std::size_t i = 0; i < pattern.segments.size(); ++i)
      if (!is_param(pattern.segments[i]))
        add_check(static_cast<std::uint32_t>(i), pattern.segments[i]);
    leaf.segment = static_cast<std::uint16_t>(checks_.size() - leaf.first);
    choices_.resize(choices_.size() + kMethods + 1, kNone);
    for (const auto& [method, route] : pattern.routes) {
      choices_[leaf.otherwise + static_cast<unsigned>(method)] = route;
      leaf.multiplier |= std::uint64_t{1} << static_cast<unsigned>(method);
    }
    std::uint32_t& head = choices_[leaf.otherwise + kHead];
    if (head == kNone) head = choices_[leaf.otherwise + kGet];
    leaves_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back(leaf);
  }

  void add_check(std::uint32_t segment, const std::string& text) {
    Check check{0,
                0,
                static_cast<std::uint32_t>(text.size()),
                static_cast<std::uint32_t>(texts_.size()),
                segment,
                kNone};
    const std::size_t end = std::min<std::size_t>(text.size(), 8);
    std::memcpy(&check.head, text.data(), end);
    std::memcpy(&check.tail, text.data() + text.size() - end, end);
    texts_ += text;
    checks_.push_back(check);
  }

  // `empty_from`: index of the first empty segment, none beyond the last one.
  Node search(std::uint32_t segments, std::uint32_t empty_from) {
    Node node{NodeKind::kSearch, 0, 0, static_cast<std::uint32_t>(candidates_.size()), 0, 0, 0};
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      const Pattern& pattern = patterns_[i];
      const auto own = static_cast<std::uint32_t>(pattern.segments.size());
      const bool fits = pattern.has_rest ? own <= segments && empty_from + 1 >= own
                                         : own == segments && is_full(pattern, empty_from);
      if (fits) candidates_.push_back(leaves_[i]);
    }
    node.count = static_cast<std::uint32_t>(candidates_.size()) - node.first;
    return node;
  }

  // No parameter stands at an empty segment; a literal one may be empty itself.
  static bool is_full(const Pattern& pattern, std::uint32_t empty_from) {
    return empty_from >= pattern.segments.size() || pattern.segments[empty_from].empty();
  }

  void add_roots() {
    for (std::uint32_t i = 0; i < kRoots; ++i) {
      plain_.push_back(search(i, i));
      trailing_.push_back(search(i, i == 0 ? 0 : i - 1));
      inner_.push_back(search(kRoots, i));
    }
  }

  void finish() {
    texts_.append(kSlack, '\0');
    for (std::uint32_t i = 0; i < kMethods; ++i) methods_[i] = kMethodNames[i].data();
    tables_.methods = methods_;
    tables_.method_count = kMethods;
    tables_.method_rows = method_rows_;
    tables_.root_count = kRoots;
    tables_.plain_roots = plain_.data();
    tables_.trailing_roots = trailing_.data();
    tables_.inner_roots = inner_.data();
    tables_.nodes = nodes_.data();
    tables_.checks = checks_.data();
    tables_.choices = choices_.data();
    tables_.candidates = candidates_.data();
    tables_.texts = texts_.data();
    tables_.routes = entries_.data();
    tables_.params = params_.data();
  }

  std::vector<TestRoute> routes_;
  std::vector<Pattern> patterns_;
  std::vector<std::uint32_t> leaves_, choices_, candidates_;
  std::vector<Node> nodes_, plain_, trailing_, inner_;
  std::vector<Check> checks_;
  std::vector<RouteEntry> entries_;
  std::vector<ParamEntry> params_;
  std::string texts_;
  const char* methods_[kMethods] = {};
  MethodRow method_rows_[kMethods + 1] = {};
  Tables tables_{};
};

std::unique_ptr<TableBuilder> current;

}  // namespace

Router make_test_router(std::vector<TestRoute> routes) {
  current = std::make_unique<TableBuilder>(std::move(routes));
  return Router(
      [](std::string_view method, std::string_view target) noexcept {
        return detail::match(current->tables(), method, target);
      },
      [](void*, const Match& match, const Request& request) {
        return current->route(match.route()).handler(match, request);
      },
      nullptr);
}

std::vector<TestRoute> conformance_routes() {
  return {
      {Method::get, "/", [](const Match&, const Request&) { return Response::text("hello"); }},
      {Method::get, "/user/{id}",
       [](const Match& match, const Request&) { return Response::text(match.param(0)); }},
      {Method::post, "/user", [](const Match&, const Request&) { return Response::status(200); }},
      {Method::get, "/static/{path...}",
       [](const Match& match, const Request&) { return Response::text(match.param(0)); }},
      {Method::post, "/echo",
       [](const Match&, const Request& request) {
         return Response::bytes(std::string(request.body()));
       }},
      {Method::get, "/query",
       [](const Match&, const Request& request) {
         return Response::text("hello " + request.query("name").value_or(""));
       }},
  };
}

std::vector<TestRoute> fault_routes() {
  return {
      {Method::get, "/throw",
       [](const Match&, const Request&) -> Response { throw std::runtime_error("handler"); }},
      {Method::get, "/throw-odd", [](const Match&, const Request&) -> Response { throw 7; }},
      {Method::get, "/bad-header",
       [](const Match&, const Request&) { return Response::text("x").header("X", "a\r\nY: b"); }},
      {Method::get, "/octets/{count}",
       [](const Match& match, const Request&) {
         return Response::bytes(std::string(std::stoul(match.param(0)), 'x'));
       }},
      {Method::get, "/sleep/{milliseconds}",
       [](const Match& match, const Request&) {
         std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(match.param(0))));
         return Response::text("slept");
       }},
      {Method::get, "/stream/{count}",
       [](const Match& match, const Request&) {
         return Response::stream("text/plain", [left = std::stoi(match.param(0)),
                                                turn = 0](std::string& chunk) mutable {
           if (left == 0) return Pull::end;
           if (++turn % 3 == 0) return Pull::wait;
           chunk.append(std::to_string(left--)).append("\n");
           return Pull::more;
         });
       }},
      {Method::get, "/stream-endless",
       [](const Match&, const Request&) {
         return Response::stream("text/plain", [](std::string& chunk) {
           chunk.append(10'000, 'x');
           return Pull::more;
         });
       }},
      {Method::get, "/stream-throw",
       [](const Match&, const Request&) {
         return Response::stream("text/plain", [first = true](std::string& chunk) mutable {
           if (!first) throw std::runtime_error("source");
           first = false;
           chunk = "some";
           return Pull::more;
         });
       }},
      {Method::get, "/events",
       [](const Match&, const Request&) {
         return Response::events([count = 0](ServerSentEvent& event) mutable {
           if (count == 3) return Pull::end;
           event.data = std::string("line ").append(std::to_string(count)).append("\nnext");
           event.id = std::to_string(count++);
           return Pull::more;
         });
       }},
      {Method::get, "/file/{path...}",
       [](const Match& match, const Request&) {
         return Response::file(std::string("/").append(match.param(0)), "application/octet-stream");
       }},
      {Method::post, "/small",
       [](const Match&, const Request& request) {
         return Response::text(std::to_string(request.body().size()));
       },
       16},
  };
}

}  // namespace routec::test
