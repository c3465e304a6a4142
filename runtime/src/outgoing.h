// What of the answers the socket did not take at once, and the body that is being sent.
#ifndef ROUTEC_SRC_OUTGOING_H_
#define ROUTEC_SRC_OUTGOING_H_

#include <optional>
#include <string>
#include <string_view>

#include "buffer.h"
#include "response_writer.h"
#include "routec/http.h"

namespace routec::detail {

class Outgoing {
 public:
  enum class Status : std::uint8_t {
    sent,     // everything
    blocked,  // until the socket is writable
    waiting,  // for the source of the body
    more,     // could go on, but others want their turn
    failed    // the peer must not take what it has for the whole
  };

  // `unsent` goes first.
  Outgoing(BufferPool& pool, std::string_view unsent) : pending_(pool) { pending_.append(unsent); }

  // The body of `response` follows, whose head is in `unsent`.
  void add_body(Response response, BodyFraming framing);

  // Sends `quantum` octets at most. `scratch` is for the octets a source gives.
  Status send(int fd, std::string& scratch, std::size_t quantum);

  // Body octets sent so far by add_body.
  std::uint64_t body_octets() const noexcept { return body_octets_; }
  // Octets the kernel took.
  std::uint64_t taken() const noexcept { return taken_; }

 private:
  Status send_some(int fd, std::string& scratch, std::size_t most);
  Status send_memory(int fd, std::size_t most);
  Status send_file(int fd, int file, std::size_t most);
  Status pull(std::string& scratch);
  void advance(std::size_t count) noexcept;
  bool memory_is_empty() const noexcept;

  Buffer pending_;
  std::size_t pending_sent_ = 0;
  std::optional<Response> response_;
  BodyFraming framing_ = BodyFraming::length;
  bool source_ended_ = true;
  std::uint64_t body_octets_ = 0;  // of a body in memory or a file also the position
  std::uint64_t taken_ = 0;
};

}  // namespace routec::detail

#endif  // ROUTEC_SRC_OUTGOING_H_
