#include "event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <new>
#include <system_error>
#include <utility>

namespace routec::detail {
namespace {

constexpr std::size_t kMaxEvents = 512;
// What bounds a round, and so what one client waits for others: connections accepted, connections
// ended by deadlines, and octets moved, of which each connection has its share, or a least one.
constexpr int kAcceptsARound = 64;
constexpr std::size_t kDeadlinesARound = 64;
constexpr std::size_t kOctetsARound = std::size_t{1} << 20;
constexpr std::size_t kLeastQuantum = 4096;
constexpr Milliseconds kAcceptPause = 100;
// Under full load deadlines are judged after that many rounds at the latest.
constexpr int kMaxUnjudgedRounds = 64;

Milliseconds monotonic_now() noexcept {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return static_cast<Milliseconds>(time.tv_sec) * 1000 +
         static_cast<Milliseconds>(time.tv_nsec) / 1'000'000;
}

Descriptor checked(int fd, const char* what) {
  if (fd < 0) throw std::system_error(errno, std::generic_category(), what);
  return Descriptor(fd);
}

}  // namespace

EventLoop::EventLoop(const ServerOptions& options, Listener& listener, AccessQueue* queue)
    : options_(options),
      listener_(listener),
      epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      wake_(checked(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "eventfd")),
      worker_(options, monotonic_now()),
      max_connections_(std::max<std::size_t>(options.max_connections / options.threads, 1)) {
  worker_.access_queue = queue;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = &wake_;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) != 0)
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  watch_listener(true);
}

EventLoop::~EventLoop() {
  worker_.timers.for_each([this](Timer& timer) { destroy(static_cast<Connection&>(timer)); });
}

void EventLoop::stop(Stop how) noexcept {
  stop_.store(how, std::memory_order_release);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
}

void EventLoop::run(const Router& router) {
  worker_.router = &router;
  std::array<epoll_event, kMaxEvents> events;
  while (!has_finished()) {
    const Milliseconds looked_at = worker_.now;
    const int count =
        ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), wait_time());
    update_clock();
    share_round(static_cast<std::size_t>(std::max(count, 0)));
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      dispatch(event.events, event.data.ptr);
    }
    take_turns();
    const bool behind = count < 0 || count == static_cast<int>(events.size()) || turns_ != nullptr;
    unjudged_rounds_ = behind ? unjudged_rounds_ + 1 : 0;
    if (!behind || unjudged_rounds_ > kMaxUnjudgedRounds) expire(looked_at);
  }
}

void EventLoop::update_clock() noexcept {
  worker_.now = monotonic_now();
  timespec wall{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &wall);
  worker_.date.update(wall.tv_sec);
}

int EventLoop::wait_time() const noexcept {
  if (turns_ != nullptr) return 0;
  const auto until = [this](Milliseconds time) {
    return time > worker_.now ? static_cast<int>(time - worker_.now) : 0;
  };
  int wait = worker_.timers.until_next(worker_.now);
  const auto shorten = [&wait](int other) { wait = wait < 0 ? other : std::min(wait, other); };
  if (accept_again_ != 0) shorten(until(accept_again_));
  if (worker_.draining) shorten(until(in_grace_ ? grace_end_ : drain_end_));
  return wait;
}

void EventLoop::dispatch(std::uint32_t events, void* tag) {
  if (tag == &listener_) return accept_some();
  if (tag == &wake_) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t taken = ::read(wake_.get(), &count, sizeof count);
    if (!worker_.draining) begin_drain();
    return;
  }
  auto& connection = *static_cast<Connection*>(tag);
  const bool broken = (events & (EPOLLERR | EPOLLHUP)) != 0;
  if (connection.is_queued && !broken) return;  // it has its turn in this round, not two
  settle(connection,
         !broken && connection.on_event((events & EPOLLIN) != 0, (events & EPOLLOUT) != 0));
}

// A connection alone has the whole round, one in a crowd little.
void EventLoop::share_round(std::size_t events) noexcept {
  worker_.quantum = std::max(kOctetsARound / (std::max(events, queued_) + 1), kLeastQuantum);
}

// One step a connection, so that none is served at the cost of others.
void EventLoop::take_turns() {
  Connection* connection = std::exchange(turns_, nullptr);
  queued_ = 0;
  while (connection != nullptr) {
    Connection* const next = connection->next_queued;
    connection->is_queued = false;
    settle(*connection, connection->on_turn());
    connection = next;
  }
}

// Judges deadlines by the time before the last wait: all that arrived until then was looked at. So
// a process that stood still for a while does not take its own sleep for that of its clients.
void EventLoop::expire(Milliseconds looked_at) {
  worker_.timers.advance(looked_at, kDeadlinesARound, [this](Timer& timer) {
    auto& connection = static_cast<Connection&>(timer);
    settle(connection, connection.on_deadline());
  });
  if (accept_again_ != 0 && accept_again_ <= worker_.now) {
    accept_again_ = 0;
    watch_listener(true);
  }
  if (in_grace_ && grace_end_ <= worker_.now) end_grace();
}

// ---- Connections --------------------------------------------------------------------------------

void EventLoop::accept_some() {
  for (int i = 0; i < kAcceptsARound; ++i) {
    if (connections_ >= max_connections_) return watch_listener(false);
    Accepted accepted = accept_from(listener_.socket.get());
    if (accepted.status == AcceptStatus::empty) return;
    if (accepted.status == AcceptStatus::exhausted) {
      // The queue stays readable: not looking at it for a while is what keeps the processor free.
      accept_again_ = worker_.now + kAcceptPause;
      return watch_listener(false);
    }
    if (accepted.status == AcceptStatus::accepted) add(std::move(accepted.socket));
  }
}

void EventLoop::add(Descriptor socket) {
  auto* const connection = new (std::nothrow) Connection(std::move(socket), worker_);
  if (connection == nullptr) return;
  ++connections_;
  if (!watch(*connection, EPOLL_CTL_ADD)) destroy(*connection);
}

// Level-triggered: it costs nothing measurable, and nothing hangs on having read to the end.
bool EventLoop::watch(Connection& connection, int operation) noexcept {
  connection.watched = connection.interest();
  epoll_event event{};
  if (connection.watched == Connection::Interest::input) event.events = EPOLLIN;
  if (connection.watched == Connection::Interest::output) event.events = EPOLLOUT;
  event.data.ptr = &connection;
  return ::epoll_ctl(epoll_.get(), operation, connection.socket(), &event) == 0;
}

void EventLoop::watch_listener(bool on) {
  if (on == accepting_ || !listener_.socket.is_open()) return;
  epoll_event event{};
  event.events = EPOLLIN | (listener_.shared ? EPOLLEXCLUSIVE : 0u);
  event.data.ptr = &listener_;
  const int operation = on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL;
  if (::epoll_ctl(epoll_.get(), operation, listener_.socket.get(), &event) == 0) accepting_ = on;
}

void EventLoop::settle(Connection& connection, bool open) {
  if (!open) return destroy(connection);
  if (connection.interest() != connection.watched && !watch(connection, EPOLL_CTL_MOD))
    return destroy(connection);
  if (connection.wants_turn() && !connection.is_queued) {
    connection.is_queued = true;
    connection.next_queued = std::exchange(turns_, &connection);
    ++queued_;
  }
}

void EventLoop::destroy(Connection& connection) {
  if (connection.is_queued) unqueue(connection);
  delete &connection;
  --connections_;
  // A descriptor has come free.
  accept_again_ = 0;
  if (!worker_.draining || in_grace_) watch_listener(true);
}

void EventLoop::unqueue(const Connection& connection) noexcept {
  Connection** link = &turns_;
  while (*link != &connection) link = &(*link)->next_queued;
  *link = connection.next_queued;
  --queued_;
}

// ---- The end ------------------------------------------------------------------------------------

void EventLoop::begin_drain() {
  worker_.draining = true;
  in_grace_ = true;
  grace_end_ = worker_.now + to_milliseconds(options_.drain_grace);
  drain_end_ = worker_.now + to_milliseconds(options_.drain_timeout);
  if (listener_.shared)
    watch_listener(false);
  else
    refuse_new_handshakes(listener_.socket.get());
}

void EventLoop::end_grace() {
  in_grace_ = false;
  watch_listener(false);
  if (!listener_.shared) {
    for (Accepted accepted = accept_from(listener_.socket.get());
         accepted.status == AcceptStatus::accepted || accepted.status == AcceptStatus::failed;
         accepted = accept_from(listener_.socket.get()))
      if (accepted.socket.is_open()) add(std::move(accepted.socket));
    listener_.socket.reset();
  }
  worker_.timers.for_each([this](Timer& timer) {
    auto& connection = static_cast<Connection&>(timer);
    settle(connection, connection.on_drain());
  });
}

bool EventLoop::has_finished() const noexcept {
  if (stop_.load(std::memory_order_acquire) == Stop::now) return true;
  if (!worker_.draining || in_grace_) return false;
  return connections_ == 0 || worker_.now >= drain_end_;
}

}  // namespace routec::detail
