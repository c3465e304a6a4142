// One connection: requests in, answers out, in order. It owns no buffer while it is idle.
#ifndef ROUTEC_SRC_CONNECTION_H_
#define ROUTEC_SRC_CONNECTION_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "access_log.h"
#include "buffer.h"
#include "chunked_body.h"
#include "framing.h"
#include "metrics.h"
#include "outgoing.h"
#include "request_parser.h"
#include "response_writer.h"
#include "routec/server.h"
#include "socket.h"
#include "timer_wheel.h"

namespace routec::detail {

// An access record in the making.
struct PendingRecord {
  AccessRecord record;
  std::chrono::steady_clock::time_point start;
};

// What the connections of one thread share.
struct Worker {
  static constexpr std::size_t kInput = 65536;

  Worker(const ServerOptions& server_options, Milliseconds start);

  const ServerOptions& options;
  const HeadLimits head_limits;
  const Router* router = nullptr;
  Metrics metrics;
  AccessQueue* access_queue = nullptr;  // null: no log
  PendingRecord record;                 // of the request that is served

  Milliseconds now;
  TimerWheel timers;
  DateCache date;
  bool draining = false;
  std::size_t quantum = kInput;  // octets that a connection may receive, and send, in a turn

  BufferPool pool;
  Buffer output;                    // answers of the turn, not yet given to the socket
  std::unique_ptr<char[]> input;    // room for an unfinished head and kInput octets behind it
  std::vector<HeaderField> fields;  // of the head that is parsed
  std::string rewritten_target;
  std::string chunk;
};

// Aligned to cache lines, which also makes it too large for the allocator's fast bins: what a crowd
// of connections took is given back when they are gone.
class alignas(64) Connection : public Timer {
 public:
  Connection(Descriptor socket, Worker& worker);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Each does what can be done without waiting and leaves a deadline set. False: the connection has
  // ended and must be destroyed.
  bool on_event(bool readable, bool writable);
  bool on_turn();
  bool on_deadline();
  // Ends it unless a request is under way, or the first may be.
  bool on_drain();

  // There is more to do at once: on_turn() is due.
  bool wants_turn() const noexcept;

  int socket() const noexcept { return socket_.get(); }

  // What the loop must watch the socket for now.
  enum class Interest : std::uint8_t { input, output, nothing };
  Interest interest() const noexcept;

  // For the loop: what it does watch for, and its queue of those whose turn is due.
  Interest watched = Interest::input;
  bool is_queued = false;
  Connection* next_queued = nullptr;

 private:
  enum class Stage : std::uint8_t { head, length, chunked };

  // Of a request that has not arrived in full.
  struct Input {
    explicit Input(BufferPool& pool, Milliseconds now) : buffer(pool), started(now) {}
    Buffer buffer;  // head, then the body as far as it is decoded, then what was not looked at
    Stage stage = Stage::head;
    ParseProgress progress;          // of the head
    std::size_t head_octets = 0;     // once the head is complete
    std::size_t body_octets = 0;     // of a chunked body, decoded so far
    std::size_t request_octets = 0;  // of head and body, if framed by length
    std::uint64_t body_limit = 0;
    ChunkedBody decoder;
    Milliseconds started;  // the stage

    void restart(Milliseconds now) noexcept {
      stage = Stage::head;
      progress = {};
      request_octets = 0;
      started = now;
    }
  };
  // Received octets that no request has taken yet.
  struct Window {
    char* data;
    std::size_t size;
    void drop(std::size_t count) noexcept {
      data += count;
      size -= count;
    }
  };
  enum class Progress : std::uint8_t { served, incomplete };
  // What the deadline is for.
  enum class Phase : std::uint8_t { fresh, idle, head, body, write, stream, linger };

  template <typename Step>
  bool guarded(Step step) noexcept;
  bool step();
  bool receive_more();

  void serve(Window window, bool from_worker);
  void keep(const Window& window, bool from_worker);
  Progress serve_one(Window& window);
  Progress serve_with_body(Window& window, const RequestHead& head, const Framing& framing,
                           const Match& match);
  Progress serve_chunked(Window& window, ChunkedBody decoder, std::size_t head_octets,
                         std::size_t body_octets, std::uint64_t body_limit);
  void answer_buffered(const Window& window, std::size_t head_octets, std::size_t body_octets);
  Progress await_body(Stage stage, std::size_t head_octets);
  Progress reject(int status);

  void answer(const RequestHead& head, const Framing& framing, const Match& match,
              std::string_view body);
  Response respond(const RequestHead& head, const Framing& framing, const Match& match,
                   std::string_view body);
  void write(Response response, bool body_is_wanted, bool http10);
  void begin_record(std::string_view method, std::string_view pattern);
  void finish_record(PendingRecord& pending, std::uint64_t body_octets);

  Input& input();
  bool send_output();
  bool send_outgoing();
  bool flush();
  bool end();
  bool linger();
  Milliseconds linger_end() const noexcept;
  bool time_out();
  void arm(Phase phase, Milliseconds when) noexcept;
  void arm_for_input() noexcept;
  void arm_for_output() noexcept;
  Milliseconds next_check(Milliseconds end) const noexcept;
  bool body_is_slow() const noexcept;
  bool takes_output() const noexcept;
  std::uint64_t acknowledged() const noexcept;

  Descriptor socket_;
  Phase phase_ = Phase::fresh;
  bool readable_ = false;      // by the event that is handled
  bool peer_ended_ = false;    // the end was read
  bool unserved_ = false;      // input_ may hold whole requests that wait for output to drain
  bool sending_more_ = false;  // outgoing_ only waits for its turn
  bool last_ = false;          // the present answer is the last
  Worker& worker_;
  std::unique_ptr<Input> input_;
  std::unique_ptr<Outgoing> outgoing_;
  std::unique_ptr<PendingRecord> record_;  // of the answer that outgoing_ ends with
  std::uint64_t acknowledged_ = 0;         // when output_end_ was set
  Milliseconds output_end_ = 0;            // of the time in which min_write_rate is demanded
};

}  // namespace routec::detail

#endif  // ROUTEC_SRC_CONNECTION_H_
