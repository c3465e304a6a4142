#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "routec/server.h"

namespace routec {
namespace {

constexpr int kCannotListen = 1;
constexpr int kUsageError = 2;

constexpr char kUsage[] =
    "usage: [--host ADDRESS] [--port NUMBER] [--threads NUMBER] [--reuse-port]";

[[noreturn]] void fail_with_usage(const std::string& what) {
  throw std::invalid_argument(what + "; " + kUsage);
}

bool asks_for_help(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc, [](std::string_view option) { return option == "--help"; });
}

unsigned parse_number(std::string_view option, std::string_view text, unsigned least,
                      unsigned most) {
  unsigned number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < least || number > most)
    fail_with_usage(std::string(option) + " wants a number from " + std::to_string(least) + " to " +
                    std::to_string(most));
  return number;
}

// A connection is a descriptor, and the soft limit is meant for programs that use select().
void raise_descriptor_limit() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::string url_host(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

}  // namespace

ServerOptions ServerOptions::from_args(int argc, const char* const* argv) {
  ServerOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--reuse-port") {
      options.reuse_port = true;
      continue;
    }
    if (option != "--host" && option != "--port" && option != "--threads")
      fail_with_usage("unknown argument " + std::string(option));
    if (++i == argc) fail_with_usage(std::string(option) + " wants a value");
    if (option == "--host")
      options.host = argv[i];
    else if (option == "--port")
      options.port = static_cast<std::uint16_t>(parse_number(option, argv[i], 0, 65535));
    else
      options.threads = parse_number(option, argv[i], 1, 1024);
  }
  return options;
}

int run_main(int argc, const char* const* argv, const Router& router) {
  if (asks_for_help(argc, argv)) {
    std::puts(kUsage);
    return 0;
  }
  try {
    const ServerOptions options = ServerOptions::from_args(argc, argv);
    raise_descriptor_limit();
    Server server(options);
    server.listen();
    std::printf("listening on http://%s:%u\n", url_host(options.host).c_str(),
                static_cast<unsigned>(server.port()));
    std::fflush(stdout);
    server.serve(router);
    return 0;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kUsageError;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kCannotListen;
  }
}

}  // namespace routec
