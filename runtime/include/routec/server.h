// The HTTP/1.1 server: RFC 9110 and 9112, one epoll loop a thread.
//
//   routec::Server server({.port = 8080});
//   server.serve(shop::make_router(handlers));  // until SIGTERM, SIGINT or stop()
#ifndef ROUTEC_SERVER_H_
#define ROUTEC_SERVER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "routec/router.h"

namespace routec {

// One answered request.
struct AccessRecord {
  std::chrono::system_clock::time_point time;  // when its head had arrived in full
  Method method = Method::other;
  std::string_view pattern;  // of the route as in the manifest; empty: none matched
  int status = 0;
  std::uint64_t octets = 0;               // of the response's body
  std::chrono::microseconds duration{0};  // from `time` until the answer was given to the kernel
};

// All limits hold for each connection unless said otherwise; all times are measured by the
// monotonic clock and none is put off by single octets that trickle in.
struct ServerOptions {
  std::string host = "127.0.0.1";  // a numeric address, "localhost", "0.0.0.0" or "::"
  std::uint16_t port = 0;          // 0: any free one, see Server::port()
  unsigned threads = 1;            // event loops; each accepts on its own socket
  int backlog = 4096;              // connections waiting to be accepted, for each thread
  // Lets another process listen on the same port, as in a rolling restart.
  bool reuse_port = false;
  // SIGTERM and SIGINT do what stop() does while serve() runs. If a handler never returns, the
  // process then exits with status 0 when the time to drain is over.
  bool handle_signals = true;

  std::size_t max_connections = 65536;      // of all threads; further ones wait in the backlog
  std::size_t max_buffered = 256ULL << 20;  // octets of unfinished requests and unsent answers, of
                                            // all threads; who needs more is disconnected
  std::size_t max_head = 32768;             // octets of request line and fields: 431
  std::size_t max_fields = 100;             // fields in a head: 431
  std::size_t max_target = 8192;            // octets of the target: 414 (more is never matched)
  std::uint64_t max_body = 1 << 20;         // octets, for routes without body_limit: 413
  std::size_t max_pending_output = 65536;   // octets of unsent answers beyond which no further
                                            // request is read; one answer may exceed it

  // From connecting, or from the first octet of a request, until its head is there: 408.
  std::chrono::milliseconds head_timeout{10'000};
  // Between requests: closed.
  std::chrono::milliseconds idle_timeout{60'000};
  // A body must come in at that many octets a second on the average, after the grace: 408.
  std::uint64_t min_body_rate = 240;
  std::chrono::milliseconds body_grace{5'000};
  // The client must take that many octets a second on the average of each write_timeout (or all
  // there is): else disconnected.
  std::uint64_t min_write_rate = 240;
  std::chrono::milliseconds write_timeout{30'000};
  // How long a refused client may go on sending before it is cut off: long enough to let it see
  // the answer (RFC 9112 section 9.6).
  std::chrono::milliseconds linger_timeout{5'000};
  // How often a source that had nothing is asked again.
  std::chrono::milliseconds stream_poll{100};
  // stop(): new connections are accepted and idle ones kept that long, so that requests under way
  // are answered, then closed; one that has not asked at all is kept as long again, and what is
  // busy has until the end of drain_timeout.
  std::chrono::milliseconds drain_grace{250};
  std::chrono::milliseconds drain_timeout{10'000};

  // Called in order for each answered request, on a thread of its own: if it is slow, loops don't
  // wait and records are dropped (ServerStats::dropped_records). Must not throw.
  std::function<void(const AccessRecord&)> access_log;

  // From `--host H --port N --threads N --reuse-port`; throws std::invalid_argument with a usage
  // line for anything else.
  static ServerOptions from_args(int argc, const char* const* argv);
};

// Sums over all threads since the start of serve().
struct ServerStats {
  std::uint64_t accepted = 0;  // connections
  std::uint64_t open = 0;      // connections, at present
  std::uint64_t requests = 0;  // answered, whatever the status
  std::uint64_t received = 0;  // octets
  std::uint64_t sent = 0;      // octets
  std::uint64_t timeouts = 0;  // connections ended by a deadline
  std::uint64_t dropped_records = 0;

  struct Route {
    std::string_view pattern;  // empty: no route matched, or the head was refused
    std::string_view name;
    int status_class = 0;  // 2 for 2xx
    std::uint64_t requests = 0;
  };
  std::vector<Route> routes;  // those that occurred, in no order
};

// Thread-safety: stop(), stats(), prometheus() and port() may be called from any thread, stop()
// also from a signal handler; the others from one thread at a time.
class Server {
 public:
  explicit Server(ServerOptions options = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Binds and listens; throws std::system_error, and std::invalid_argument for a host that is no
  // numeric address. With a socket passed in LISTEN_FDS (systemd) that one is used.
  void listen();
  // The port that is listened on, 0 before.
  std::uint16_t port() const noexcept;

  // Serves until stopped; listens first if that was not done. May be called again.
  void serve(const Router& router);

  // Ends serve(): the first call drains, the second stops at once. A handler that is running is
  // waited for. Without effect when serve() is not running.
  void stop() noexcept;

  ServerStats stats() const;
  // stats() in the Prometheus text format, for a handler to return.
  Response prometheus() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// A whole main(): options from the arguments, one line `listening on http://HOST:PORT` on standard
// output, then serve; with --help one line of usage instead. Returns the exit status: 0, or 1 and 2
// with one line on standard error when it can't listen or the arguments are wrong.
int run_main(int argc, const char* const* argv, const Router& router);

}  // namespace routec

#endif  // ROUTEC_SERVER_H_
