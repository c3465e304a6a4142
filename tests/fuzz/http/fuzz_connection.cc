// A whole connection: whatever comes in, the answers are the same when it comes octet by octet, and
// each is a well-formed response.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "connection.h"
#include "fake_socket.h"
#include "test_router.h"

namespace {

using namespace routec::detail;

const routec::ServerOptions& options() {
  static const routec::ServerOptions options;
  return options;
}

bool step(Connection& connection) {
  if (connection.wants_turn()) return connection.on_turn();
  switch (connection.interest()) {
    case Connection::Interest::input:
      return connection.on_event(true, false);
    case Connection::Interest::output:
      return connection.on_event(false, true);
    default:
      return connection.on_deadline();
  }
}

std::string talk(std::string_view input, bool tiny) {
  static const routec::Router router =
      routec::test::make_test_router(routec::test::conformance_routes());
  constexpr Milliseconds kNow = 1'000'000;
  fake_socket = {input, {}, tiny, 0, false};
  Worker worker(options(), kNow);
  worker.router = &router;
  Connection connection(Descriptor(0), worker);
  while (step(connection)) continue;
  return fake_socket.output;
}

bool mentions_expect(std::string_view input) {
  constexpr std::string_view kName = "expect";
  const auto same = [](char a, char b) { return to_lower(a) == b; };
  return std::search(input.begin(), input.end(), kName.begin(), kName.end(), same) != input.end();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string whole = talk(input, false);
  if (!whole.empty() && !whole.starts_with("HTTP/1.1 ")) std::abort();
  std::string pieces = talk(input, true);
  // Whether 100 (Continue) is sent depends on how much of the body is there already.
  constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  if (whole.find(kContinue) == std::string::npos)
    for (std::size_t at = 0; (at = pieces.find(kContinue, at)) != std::string::npos;)
      pieces.erase(at, kContinue.size());
  if (!mentions_expect(input) && whole != pieces) std::abort();
  return 0;
}
