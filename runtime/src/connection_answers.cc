// Connection's other half: from a match to an answer, and how it gets to the client.
#include <sys/uio.h>

#include <algorithm>
#include <new>
#include <utility>

#include "connection.h"

namespace routec::detail {
namespace {

// Bodies up to that size are copied behind their head, so that many answers go out in one write;
// larger ones are sent from where they are.
constexpr std::size_t kCopiedBody = 16384;

Response error_response(int status) {
  return Response::text(std::string(reason_phrase(status)) + "\n").code(status);
}

// The answer to what the table has no handler for.
Response table_response(const Match& match) {
  switch (match.status()) {
    case 204:
      return Response::status(204).header("Allow", match.allow());
    case 308:
      return Response::redirect(match.location(), 308);
    case 405:
      return error_response(405).header("Allow", match.allow());
    default:
      return error_response(match.status());
  }
}

}  // namespace

// ---- Answers ------------------------------------------------------------------------------------

void Connection::answer(const RequestHead& head, const Framing& framing, const Match& match,
                        std::string_view body) {
  if (worker_.access_queue != nullptr) begin_record(head.method, match.pattern());
  Response response = respond(head, framing, match, body);
  if (!framing.keep_alive || worker_.draining) last_ = true;
  if (match.status() == 200)
    worker_.metrics.count(match, response.code());
  else
    worker_.metrics.count(response.code());
  write(std::move(response), head.method != "HEAD", head.minor_version == 0);
  if (input_) input_->restart(worker_.now);
}

Response Connection::respond(const RequestHead& head, const Framing& framing, const Match& match,
                             std::string_view body) {
  if (match.status() != 200) return table_response(match);
  const Request request(head.method, framing.target, head.fields, body);
  try {
    return worker_.router->handle(match, request);
  } catch (const std::bad_alloc&) {
    return error_response(503);
  } catch (...) {
    return error_response(500);
  }
}

// Framing is lost or the client is not to go on.
Connection::Progress Connection::reject(int status) {
  last_ = true;
  if (worker_.access_queue != nullptr) begin_record({}, {});
  worker_.metrics.count(status);
  write(error_response(status), true, false);
  return Progress::served;
}

void Connection::write(Response response, bool body_is_wanted, bool http10) {
  if (phase_ == Phase::fresh) phase_ = Phase::idle;
  worker_.metrics.requests.add(1);
  HeadOptions options;
  options.length = response.body().size();
  const BodySource* const source = response.source();
  if (source != nullptr) {
    const std::optional<std::uint64_t> length = source->length();
    options.length = length.value_or(0);
    if (!length) options.framing = http10 ? BodyFraming::until_close : BodyFraming::chunked;
  }
  if (options.framing == BodyFraming::until_close) last_ = true;
  options.close = last_;
  options.keep_alive = http10 && !last_;
  write_head(worker_.output, response, options, worker_.date);
  worker_.record.record.status = response.code();

  const bool has_body = body_is_wanted && allows_body(response.code());
  if (has_body && (source != nullptr || response.body().size() > kCopiedBody)) {
    outgoing_ = std::make_unique<Outgoing>(worker_.pool, worker_.output.view());
    worker_.output.clear();
    outgoing_->add_body(std::move(response), options.framing);
    if (worker_.access_queue != nullptr) record_ = std::make_unique<PendingRecord>(worker_.record);
    return;
  }
  if (has_body) worker_.output.append(response.body());
  if (worker_.access_queue != nullptr)
    finish_record(worker_.record, has_body ? response.body().size() : 0);
}

// ---- Output -------------------------------------------------------------------------------------

// Gives the turn's output to the socket; what it does not take becomes outgoing_.
bool Connection::send_output() {
  Buffer& output = worker_.output;
  iovec part{output.data(), output.size()};
  const ssize_t result = transmit(socket_.get(), {&part, 1});
  if (result == kSocketFailed) return false;
  const std::size_t sent = result == kWouldBlock ? 0 : static_cast<std::size_t>(result);
  worker_.metrics.sent.add(sent);
  if (sent != output.size()) {
    outgoing_ = std::make_unique<Outgoing>(worker_.pool, output.view().substr(sent));
    arm_for_output();
  }
  output.clear();
  return true;
}

bool Connection::send_outgoing() {
  const std::uint64_t before = outgoing_->taken();
  const Outgoing::Status status = outgoing_->send(socket_.get(), worker_.chunk, worker_.quantum);
  worker_.metrics.sent.add(outgoing_->taken() - before);
  sending_more_ = status == Outgoing::Status::more;
  switch (status) {
    case Outgoing::Status::sent:
      if (record_) finish_record(*record_, outgoing_->body_octets());
      record_.reset();
      outgoing_.reset();
      phase_ = Phase::idle;
      return true;
    case Outgoing::Status::failed:
      reset_on_close(socket_.get());
      return false;
    case Outgoing::Status::waiting:
      arm(Phase::stream, worker_.now + to_milliseconds(worker_.options.stream_poll));
      return true;
    default:
      if (phase_ != Phase::write) arm_for_output();
      return true;
  }
}

bool Connection::flush() {
  if (!outgoing_ && !worker_.output.empty() && !send_output()) return false;
  if (outgoing_ && phase_ != Phase::write && !send_outgoing()) return false;
  if (outgoing_) return true;
  if (last_) return end();
  arm_for_input();
  return true;
}

// In stages: octets that come in after a close would make the kernel send RST, and the client might
// lose the answer (RFC 9112 section 9.6). So the client is told, and its own end is waited for.
bool Connection::end() {
  if (peer_ended_) return false;
  end_sending(socket_.get());
  input_.reset();
  arm(Phase::linger, linger_end());
  return linger();
}

// The end of the server is not held up by clients that have their answer and stay.
Milliseconds Connection::linger_end() const noexcept {
  const ServerOptions& options = worker_.options;
  const auto patience = worker_.draining ? std::min(options.linger_timeout, options.drain_grace)
                                         : options.linger_timeout;
  return worker_.now + to_milliseconds(patience);
}

bool Connection::linger() {
  const ssize_t received = receive(socket_.get(), worker_.input.get(), Worker::kInput);
  return received > 0 || received == kWouldBlock;
}

// ---- Access log ---------------------------------------------------------------------------------

void Connection::begin_record(std::string_view method, std::string_view pattern) {
  worker_.record.start = std::chrono::steady_clock::now();
  AccessRecord& record = worker_.record.record;
  record.time = std::chrono::system_clock::now();
  record.method = parse_method(method);
  record.pattern = pattern;
}

void Connection::finish_record(PendingRecord& pending, std::uint64_t body_octets) {
  pending.record.octets = body_octets;
  pending.record.duration = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - pending.start);
  if (!worker_.access_queue->push(pending.record)) worker_.metrics.dropped_records.add(1);
}

}  // namespace routec::detail
