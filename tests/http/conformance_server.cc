// The server that the HTTP cases and the reliability tests run against. Beside the options of every
// server it takes limits, `--head-timeout 500`, and what the tests of the access log need.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "routec/server.h"
#include "test_router.h"

namespace {

using routec::Method;
using routec::ServerOptions;
using Setter = std::function<void(ServerOptions&, long)>;

template <typename Field>
Setter milliseconds(Field field) {
  return [field](ServerOptions& options, long value) {
    options.*field = std::chrono::milliseconds(value);
  };
}

template <typename Type>
Setter number(Type ServerOptions::*field) {
  return [field](ServerOptions& options, long value) { options.*field = static_cast<Type>(value); };
}

// Writes a line a record, waiting for as long as it takes.
void log_to_stderr(const routec::AccessRecord& record) {
  std::string line(record.pattern);
  line.append(" ").append(std::to_string(record.status));
  line.append(" ").append(std::to_string(record.octets));
  line.append(" ").append(std::to_string(record.duration.count())).append("\n");
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

const std::map<std::string_view, Setter>& setters() {
  static const std::map<std::string_view, Setter> all = {
      {"--head-timeout", milliseconds(&ServerOptions::head_timeout)},
      {"--idle-timeout", milliseconds(&ServerOptions::idle_timeout)},
      {"--body-grace", milliseconds(&ServerOptions::body_grace)},
      {"--write-timeout", milliseconds(&ServerOptions::write_timeout)},
      {"--linger-timeout", milliseconds(&ServerOptions::linger_timeout)},
      {"--drain-timeout", milliseconds(&ServerOptions::drain_timeout)},
      {"--max-connections", number(&ServerOptions::max_connections)},
      {"--max-buffered", number(&ServerOptions::max_buffered)},
      {"--access-log", [](ServerOptions& options, long) { options.access_log = log_to_stderr; }},
  };
  return all;
}

// Those above, with their values, and those of every server.
ServerOptions take_options(int argc, char** argv) {
  std::vector<const char*> rest = {argv[0]};
  std::vector<std::pair<Setter, long>> settings;
  for (int i = 1; i < argc; ++i) {
    const auto found = setters().find(argv[i]);
    if (found == setters().end())
      rest.push_back(argv[i]);
    else
      settings.emplace_back(found->second, std::atol(argv[++i]));
  }
  ServerOptions options = ServerOptions::from_args(static_cast<int>(rest.size()), rest.data());
  for (const auto& [set, value] : settings) set(options, value);
  return options;
}

std::vector<routec::test::TestRoute> all_routes(std::unique_ptr<routec::Server>& server) {
  std::vector<routec::test::TestRoute> routes = routec::test::conformance_routes();
  for (routec::test::TestRoute& route : routec::test::fault_routes())
    routes.push_back(std::move(route));
  routes.push_back(
      {Method::get, "/metrics",
       [&server](const routec::Match&, const routec::Request&) { return server->prometheus(); }});
  return routes;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const ServerOptions options = take_options(argc, argv);
    std::unique_ptr<routec::Server> server = std::make_unique<routec::Server>(options);
    server->listen();
    std::printf("listening on http://%s:%u\n", options.host.c_str(), unsigned{server->port()});
    std::fflush(stdout);
    server->serve(routec::test::make_test_router(all_routes(server)));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
