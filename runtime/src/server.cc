#include "routec/server.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

#include "event_loop.h"

namespace routec {
namespace {

using detail::EventLoop;
using SteadyClock = std::chrono::steady_clock;

// After drain_timeout, or a second stop, loops need that long at most unless a handler runs.
constexpr std::chrono::milliseconds kStopSlack{50};
constexpr std::chrono::milliseconds kLogSlack{200};

detail::Descriptor make_event() {
  detail::Descriptor event(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!event.is_open()) throw std::system_error(errno, std::generic_category(), "eventfd");
  return event;
}

void signal_event(int event) noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event, &one, sizeof one);
}

std::uint64_t take_event(int event) noexcept {
  std::uint64_t count = 0;
  return ::read(event, &count, sizeof count) == sizeof count ? count : 0;
}

// While it lives, SIGTERM and SIGINT signal the event. Of several at a time the last one counts.
class SignalScope {
 public:
  SignalScope(bool on, int event) : on_(on) {
    if (!on_) return;
    event_.store(event, std::memory_order_relaxed);
    struct sigaction action {};
    action.sa_handler = [](int) {
      const int error = errno;
      signal_event(event_.load(std::memory_order_relaxed));
      errno = error;
    };
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &old_[i]);
  }
  ~SignalScope() {
    if (!on_) return;
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &old_[i], nullptr);
  }
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

 private:
  static constexpr std::array<int, 2> kSignals = {SIGTERM, SIGINT};
  static inline std::atomic<int> event_{-1};
  bool on_;
  std::array<struct sigaction, 2> old_{};
};

// A peer that is gone is an error of the write, not a reason to die: sendfile has no flag for it.
void block_broken_pipe_signal() noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

class Server::Implementation {
 public:
  explicit Implementation(ServerOptions options)
      : options_(std::move(options)),
        stop_event_(make_event()),
        signal_event_(make_event()),
        ended_event_(make_event()) {
    if (options_.threads == 0) throw std::invalid_argument("ServerOptions: threads is 0");
  }

  void listen();
  std::uint16_t port() const noexcept { return port_.load(std::memory_order_relaxed); }
  void serve(const Router& router);
  void stop() noexcept {
    if (serving_.load(std::memory_order_acquire)) signal_event(stop_event_.get());
  }
  ServerStats stats() const;

 private:
  void make_loops();
  void start_threads(const Router& router);
  bool supervise();
  void stop_loops(EventLoop::Stop how) noexcept;

  const ServerOptions options_;
  const detail::Descriptor stop_event_;
  const detail::Descriptor signal_event_;
  const detail::Descriptor ended_event_;
  std::atomic<std::uint16_t> port_{0};
  std::atomic<bool> serving_{false};
  std::atomic<std::size_t> running_{0};
  std::vector<detail::Listener> listeners_;
  std::unique_ptr<detail::AccessLog> log_;
  mutable std::mutex loops_mutex_;  // against stats() on other threads
  std::vector<std::unique_ptr<EventLoop>> loops_;
  std::vector<std::thread> threads_;
};

void Server::Implementation::listen() {
  if (!listeners_.empty()) return;
  std::vector<detail::Listener> listeners(options_.threads);
  if (const detail::Descriptor inherited = detail::inherited_listener(); inherited.is_open()) {
    port_ = detail::port_of(inherited.get());
    for (detail::Listener& listener : listeners)
      listener = {detail::Descriptor(::fcntl(inherited.get(), F_DUPFD_CLOEXEC, 0)), true};
  } else {
    std::uint16_t port = options_.port;
    // Loops share the port among themselves: whether anybody else has it is found out first.
    if (!options_.reuse_port && port != 0)
      detail::listen_on(options_.host, port, 1, detail::PortSharing::exclusive);
    for (detail::Listener& listener : listeners) {
      listener.socket =
          detail::listen_on(options_.host, port, options_.backlog, detail::PortSharing::shared);
      port = detail::port_of(listener.socket.get());
    }
    port_ = port;
  }
  listeners_ = std::move(listeners);
}

void Server::Implementation::serve(const Router& router) {
  listen();
  make_loops();
  bool by_signal = false;
  {
    const SignalScope signals(options_.handle_signals, signal_event_.get());
    serving_.store(true, std::memory_order_release);
    start_threads(router);
    by_signal = supervise();
    serving_.store(false, std::memory_order_release);
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  listeners_.clear();
  if (log_ && !log_->finish(kLogSlack) && by_signal) std::_Exit(EXIT_SUCCESS);
  log_.reset();
}

void Server::Implementation::make_loops() {
  std::vector<std::unique_ptr<EventLoop>> loops;
  if (options_.access_log)
    log_ = std::make_unique<detail::AccessLog>(options_.access_log, listeners_.size());
  for (std::size_t i = 0; i < listeners_.size(); ++i)
    loops.push_back(
        std::make_unique<EventLoop>(options_, listeners_[i], log_ ? &log_->queue(i) : nullptr));
  const std::lock_guard lock(loops_mutex_);
  loops_.swap(loops);
}

void Server::Implementation::start_threads(const Router& router) {
  running_.store(loops_.size(), std::memory_order_relaxed);
  for (const std::unique_ptr<EventLoop>& loop : loops_)
    threads_.emplace_back([this, &router, &running_loop = *loop] {
      block_broken_pipe_signal();
      running_loop.run(router);
      running_.fetch_sub(1, std::memory_order_acq_rel);
      signal_event(ended_event_.get());
    });
}

// Hands stops on to the loops until they have ended. True if a signal asked for it.
bool Server::Implementation::supervise() {
  bool draining = false;
  bool by_signal = false;
  SteadyClock::time_point give_up = SteadyClock::time_point::max();
  while (running_.load(std::memory_order_acquire) != 0) {
    std::array<pollfd, 3> events{{{stop_event_.get(), POLLIN, 0},
                                  {signal_event_.get(), POLLIN, 0},
                                  {ended_event_.get(), POLLIN, 0}}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(give_up - SteadyClock::now());
    ::poll(events.data(), events.size(),
           draining ? static_cast<int>(std::max<std::int64_t>(left.count(), 0)) : -1);
    take_event(ended_event_.get());
    const std::uint64_t signals = take_event(signal_event_.get());
    const std::uint64_t stops = signals + take_event(stop_event_.get());
    by_signal |= signals != 0;
    if (stops != 0) {
      const bool at_once = draining || stops > 1;
      stop_loops(at_once ? EventLoop::Stop::now : EventLoop::Stop::drain);
      give_up = SteadyClock::now() + kStopSlack;
      if (!at_once) give_up += options_.drain_timeout;
      draining = true;
    }
    if (SteadyClock::now() < give_up) continue;
    if (by_signal) std::_Exit(EXIT_SUCCESS);  // a handler is stuck
    give_up = SteadyClock::now() + options_.drain_timeout;
  }
  return by_signal;
}

void Server::Implementation::stop_loops(EventLoop::Stop how) noexcept {
  for (const std::unique_ptr<EventLoop>& loop : loops_) loop->stop(how);
}

ServerStats Server::Implementation::stats() const {
  ServerStats stats;
  const std::lock_guard lock(loops_mutex_);
  for (const std::unique_ptr<EventLoop>& loop : loops_) loop->metrics().add_to(stats);
  return stats;
}

Server::Server(ServerOptions options)
    : implementation_(std::make_unique<Implementation>(std::move(options))) {}
Server::~Server() = default;
void Server::listen() { implementation_->listen(); }
std::uint16_t Server::port() const noexcept { return implementation_->port(); }
void Server::serve(const Router& router) { implementation_->serve(router); }
void Server::stop() noexcept { implementation_->stop(); }
ServerStats Server::stats() const { return implementation_->stats(); }

Response Server::prometheus() const {
  return Response::bytes(detail::prometheus_text(stats()),
                         "text/plain; version=0.0.4; charset=utf-8");
}

}  // namespace routec
