// One thread's epoll loop: its listener, its connections, their deadlines.
#ifndef ROUTEC_SRC_EVENT_LOOP_H_
#define ROUTEC_SRC_EVENT_LOOP_H_

#include <atomic>
#include <cstdint>

#include "connection.h"
#include "routec/server.h"
#include "socket.h"

namespace routec::detail {

// The socket a loop accepts from. One that was passed to the process is shared by all loops, and
// whoever is started next takes what is left in its queue.
struct Listener {
  Descriptor socket;
  bool shared = false;
};

// Thread-safety: run() on one thread, the others from any.
class EventLoop {
 public:
  // Throws std::system_error. `listener` must outlive it; `queue` may be null.
  EventLoop(const ServerOptions& options, Listener& listener, AccessQueue* queue);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Returns when it has stopped.
  void run(const Router& router);

  enum class Stop : int { no, drain, now };
  void stop(Stop how) noexcept;

  const Metrics& metrics() const noexcept { return worker_.metrics; }

 private:
  void update_clock() noexcept;
  int wait_time() const noexcept;
  void dispatch(std::uint32_t events, void* tag);
  void share_round(std::size_t events) noexcept;
  void take_turns();
  void expire(Milliseconds looked_at);

  void accept_some();
  void add(Descriptor socket);
  bool watch(Connection& connection, int operation) noexcept;
  void watch_listener(bool on);
  void settle(Connection& connection, bool open);
  void destroy(Connection& connection);
  void unqueue(const Connection& connection) noexcept;

  void begin_drain();
  void end_grace();
  bool has_finished() const noexcept;

  const ServerOptions& options_;
  Listener& listener_;
  Descriptor epoll_;
  Descriptor wake_;
  std::atomic<Stop> stop_{Stop::no};
  Worker worker_;
  Connection* turns_ = nullptr;  // linked by next_queued
  std::size_t queued_ = 0;       // in turns_
  std::size_t connections_ = 0;
  const std::size_t max_connections_;
  bool accepting_ = false;
  Milliseconds accept_again_ = 0;  // after descriptors ran out; 0: not waiting
  bool in_grace_ = false;
  Milliseconds grace_end_ = 0;
  Milliseconds drain_end_ = 0;
  int unjudged_rounds_ = 0;
};

}  // namespace routec::detail

#endif  // ROUTEC_SRC_EVENT_LOOP_H_
