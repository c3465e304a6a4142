#include "connection.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace routec::detail {
namespace {

// Room for a read into a connection's own buffer, at least.
constexpr std::size_t kLeastRoom = 4096;
constexpr Milliseconds kRateCheck = 1000;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// What `rate` octets a second make in `time`.
std::uint64_t octets_in(std::uint64_t rate, Milliseconds time) { return rate * time / 1000; }

}  // namespace

Worker::Worker(const ServerOptions& server_options, Milliseconds start)
    : options(server_options),
      head_limits{options.max_head, options.max_target},
      now(start),
      timers(start),
      pool(options.max_buffered / options.threads),
      output(pool),
      input(new char[kInput + options.max_head]),
      fields(options.max_fields) {}

Connection::Connection(Descriptor socket, Worker& worker)
    : socket_(std::move(socket)), worker_(worker) {
  worker_.metrics.accepted.add(1);
  arm(Phase::fresh, worker_.now + to_milliseconds(worker_.options.head_timeout));
}

Connection::~Connection() {
  worker_.timers.remove(*this);
  worker_.metrics.closed.add(1);
}

// ---- Events -------------------------------------------------------------------------------------

// Whatever goes wrong, out of memory above all, costs this connection only.
template <typename Step>
bool Connection::guarded(Step step) noexcept {
  bool open = false;
  try {
    open = step();
  } catch (...) {
    reset_on_close(socket_.get());
  }
  worker_.output.clear();
  return open;
}

bool Connection::on_event(bool readable, bool writable) {
  if (outgoing_ ? !writable : !readable) return true;
  readable_ = readable;
  return on_turn();
}

bool Connection::on_turn() {
  return guarded([this] { return step(); });
}

bool Connection::wants_turn() const noexcept { return outgoing_ ? sending_more_ : unserved_; }

// Input is left in the socket while output waits: that is what makes the client wait, too.
Connection::Interest Connection::interest() const noexcept {
  if (!outgoing_ || sending_more_) return Interest::input;
  return phase_ == Phase::write ? Interest::output : Interest::nothing;
}

bool Connection::step() {
  if (phase_ == Phase::linger) return linger();
  if (outgoing_) {
    if (!send_outgoing()) return false;
    if (outgoing_) return true;
  }
  if (!last_) {
    if (unserved_) {
      unserved_ = false;
      if (input_->stage == Stage::head) input_->started = worker_.now;
      serve({input_->buffer.data(), input_->buffer.size()}, false);
    } else if (std::exchange(readable_, false) && !receive_more()) {
      return false;
    }
  }
  return flush();
}

bool Connection::on_drain() {
  if (phase_ == Phase::linger) arm(Phase::linger, linger_end());
  if (phase_ != Phase::idle && phase_ != Phase::fresh) return true;
  // A request may have come in since the last event.
  readable_ = true;
  if (!on_turn()) return false;
  // It may have connected just now.
  if (phase_ == Phase::fresh)
    arm(phase_, std::min(deadline, worker_.now + to_milliseconds(worker_.options.drain_grace)));
  return phase_ != Phase::idle;
}

bool Connection::on_deadline() {
  if (wants_turn()) {  // what has arrived is looked at before time is judged
    arm(phase_, worker_.now + TimerWheel::kTick);
    return true;
  }
  return guarded([this] { return time_out(); });
}

bool Connection::time_out() {
  switch (phase_) {
    case Phase::stream:
      return step();
    case Phase::body:
      if (body_is_slow()) break;
      arm(Phase::body, worker_.now + kRateCheck);
      return true;
    case Phase::write:
      if (takes_output())
        arm_for_output();
      else if (worker_.now < output_end_)
        arm(Phase::write, next_check(output_end_));
      else
        break;
      return true;
    default:
      break;
  }
  if (phase_ != Phase::linger) worker_.metrics.timeouts.add(1);
  if (phase_ != Phase::head && phase_ != Phase::body) return false;
  reject(408);
  return flush();
}

// ---- Deadlines ----------------------------------------------------------------------------------

void Connection::arm(Phase phase, Milliseconds when) noexcept {
  phase_ = phase;
  worker_.timers.set(*this, when);
}

// Deadlines of a head and of checks of a body's rate are not put off by what comes in.
void Connection::arm_for_input() noexcept {
  if (!input_) {
    if (phase_ != Phase::fresh)
      arm(Phase::idle, worker_.now + to_milliseconds(worker_.options.idle_timeout));
  } else if (input_->stage == Stage::head) {
    arm(Phase::head, input_->started + to_milliseconds(worker_.options.head_timeout));
  } else if (phase_ != Phase::body) {
    arm(Phase::body, worker_.now + kRateCheck);
  }
}

void Connection::arm_for_output() noexcept {
  acknowledged_ = acknowledged();
  output_end_ = worker_.now + to_milliseconds(worker_.options.write_timeout);
  arm(Phase::write, next_check(output_end_));
}

Milliseconds Connection::next_check(Milliseconds end) const noexcept {
  return std::min(end, worker_.now + kRateCheck);
}

// As much as is demanded of a whole write_timeout.
bool Connection::takes_output() const noexcept {
  const ServerOptions& options = worker_.options;
  return acknowledged() - acknowledged_ >=
         octets_in(options.min_write_rate, to_milliseconds(options.write_timeout));
}

bool Connection::body_is_slow() const noexcept {
  const Milliseconds elapsed = worker_.now - input_->started;
  const Milliseconds grace = to_milliseconds(worker_.options.body_grace);
  if (elapsed <= grace) return false;
  const std::size_t received = input_->stage == Stage::chunked
                                   ? input_->body_octets
                                   : input_->buffer.size() - input_->head_octets;
  return received < octets_in(worker_.options.min_body_rate, elapsed - grace);
}

// Modulo 2^64: only differences count, and octets sent before outgoing_ may still be under way.
std::uint64_t Connection::acknowledged() const noexcept {
  return outgoing_->taken() - unacknowledged(socket_.get());
}

// ---- Input --------------------------------------------------------------------------------------

Connection::Input& Connection::input() {
  if (!input_) input_ = std::make_unique<Input>(worker_.pool, worker_.now);
  return *input_;
}

// What is left of an unfinished head goes before what comes, in the worker's memory, so that a
// batch of requests is read at once; bodies are collected in the connection's own.
bool Connection::receive_more() {
  const bool into_own = input_ && input_->stage != Stage::head;
  char* begin = worker_.input.get();
  std::size_t kept = 0;
  std::size_t room = Worker::kInput;
  if (input_) {
    Buffer& buffer = input_->buffer;
    kept = buffer.size();
    if (into_own) {
      buffer.reserve(kLeastRoom);
      begin = buffer.data();
      room = buffer.capacity() - kept;
    } else {
      std::memcpy(begin, buffer.data(), kept);
    }
  }
  const ssize_t result = receive(socket_.get(), begin + kept, std::min(room, worker_.quantum));
  if (result == kSocketFailed) return false;
  if (result == kWouldBlock) return true;
  if (result == 0) {
    peer_ended_ = last_ = true;
    input_.reset();
    return true;
  }
  const auto received = static_cast<std::size_t>(result);
  worker_.metrics.received.add(received);
  if (into_own)
    input_->buffer.commit(received);
  else if (input_)
    input_->buffer.clear();
  serve({begin, kept + received}, !into_own);
  return true;
}

// Serves what is whole, as long as the client takes the answers.
void Connection::serve(Window window, bool from_worker) {
  const std::size_t most = std::min(worker_.quantum, worker_.options.max_pending_output);
  while (window.size != 0 && !last_) {
    unserved_ = outgoing_ != nullptr;
    if (worker_.output.size() >= most) {
      unserved_ = true;
      if (!send_output()) peer_ended_ = last_ = true;
    }
    if (unserved_ || serve_one(window) == Progress::incomplete) break;
  }
  keep(window, from_worker);
}

void Connection::keep(const Window& window, bool from_worker) {
  if (last_ || window.size == 0) {
    unserved_ = false;
    input_.reset();
    return;
  }
  Buffer& buffer = input().buffer;
  const std::string_view rest(window.data, window.size);
  if (from_worker) {
    buffer.append(rest);
  } else if (rest.size() <= BufferPool::kBlock && buffer.capacity() > BufferPool::kBlock &&
             rest.data() != buffer.data()) {
    Buffer smaller(worker_.pool);
    smaller.append(rest);
    buffer = std::move(smaller);
  } else {
    buffer.consume(static_cast<std::size_t>(rest.data() - buffer.data()));
    buffer.truncate(rest.size());
  }
}

Connection::Progress Connection::serve_one(Window& window) {
  if (input_ && input_->stage == Stage::chunked)
    return serve_chunked(window, input_->decoder, input_->head_octets, input_->body_octets,
                         input_->body_limit);
  if (input_ && window.size < input_->request_octets) return Progress::incomplete;
  ParseProgress progress = input_ ? input_->progress : ParseProgress{};
  RequestHead head;
  const ParseResult parsed =
      parse_head({window.data, window.size}, worker_.head_limits, worker_.fields, progress, head);
  if (parsed.status == ParseStatus::incomplete) {
    input().progress = progress;
    return Progress::incomplete;
  }
  if (parsed.status == ParseStatus::failed) return reject(parsed.error);
  const Framing framing = examine_head(head, worker_.rewritten_target);
  if (framing.error != 0) return reject(framing.error);
  const Match match = worker_.router->match(head.method, framing.target);
  if (framing.has_body()) return serve_with_body(window, head, framing, match);
  answer(head, framing, match, {});
  window.drop(head.octets);
  return Progress::served;
}

Connection::Progress Connection::serve_with_body(Window& window, const RequestHead& head,
                                                 const Framing& framing, const Match& match) {
  const std::uint64_t limit = match.body_limit().value_or(worker_.options.max_body);
  if (framing.content_length > limit) return reject(413);
  const std::size_t received = window.size - head.octets;
  if (framing.expects_continue && received == 0) {
    if (match.status() != 200) {  // the body may come or not, so no further request can be told
      last_ = true;
      answer(head, framing, match, {});
      return Progress::served;
    }
    worker_.output.append(kContinue);
  }
  if (framing.chunked) return serve_chunked(window, ChunkedBody(), head.octets, 0, limit);
  const auto length = static_cast<std::size_t>(framing.content_length);
  if (received < length) {
    input().request_octets = head.octets + length;
    return await_body(Stage::length, head.octets);
  }
  answer(head, framing, match, {window.data + head.octets, length});
  window.drop(head.octets + length);
  return Progress::served;
}

Connection::Progress Connection::serve_chunked(Window& window, ChunkedBody decoder,
                                               std::size_t head_octets, std::size_t body_octets,
                                               std::uint64_t body_limit) {
  const std::size_t decoded_end = head_octets + body_octets;
  const ChunkedBody::Result result =
      decoder.decode(window.data + decoded_end, window.size - decoded_end, body_limit);
  body_octets += result.produced;
  switch (result.status) {
    case ChunkedBody::Status::malformed:
      return reject(400);
    case ChunkedBody::Status::too_large:
      return reject(413);
    case ChunkedBody::Status::too_much_extra:
      return reject(431);
    case ChunkedBody::Status::complete:
      answer_buffered(window, head_octets, body_octets);
      window.drop(decoded_end + result.consumed);
      return Progress::served;
    case ChunkedBody::Status::incomplete:
      break;
  }
  window.size = head_octets + body_octets;
  input().decoder = decoder;
  input_->body_octets = body_octets;
  input_->body_limit = body_limit;
  return await_body(Stage::chunked, head_octets);
}

Connection::Progress Connection::await_body(Stage stage, std::size_t head_octets) {
  if (input_->stage == Stage::head) input_->started = worker_.now;
  input_->stage = stage;
  input_->head_octets = head_octets;
  input_->progress = {};
  return Progress::incomplete;
}

// The head was sound when it came; reading it again is cheaper than keeping what it meant.
void Connection::answer_buffered(const Window& window, std::size_t head_octets,
                                 std::size_t body_octets) {
  ParseProgress progress;
  RequestHead head;
  parse_head({window.data, head_octets}, worker_.head_limits, worker_.fields, progress, head);
  const Framing framing = examine_head(head, worker_.rewritten_target);
  const Match match = worker_.router->match(head.method, framing.target);
  answer(head, framing, match, {window.data + head_octets, body_octets});
}

}  // namespace routec::detail
