#include "outgoing.h"

#include <sys/uio.h>

#include <array>
#include <charconv>
#include <span>

#include "socket.h"

namespace routec::detail {
namespace {

// One connection sends that much before others have their turn.
constexpr std::size_t kTurnOctets = std::size_t{1} << 20;

void append_chunk(Buffer& out, std::string_view data) {
  std::array<char, 16> size;
  const auto end = std::to_chars(size.data(), size.data() + size.size(), data.size(), 16).ptr;
  out.append({size.data(), end});
  out.append("\r\n");
  out.append(data);
  out.append("\r\n");
}

}  // namespace

void Outgoing::add_body(Response response, BodyFraming framing) {
  framing_ = framing;
  source_ended_ = response.source() == nullptr;
  response_ = std::move(response);
}

Outgoing::Status Outgoing::send(int fd, std::string& scratch) {
  const std::uint64_t turn_end = taken_ + kTurnOctets;
  while (true) {
    if (const Status status = send_memory(fd); status != Status::sent) return status;
    if (source_ended_) return Status::sent;
    if (taken_ >= turn_end) return Status::more;
    const int file = response_->source()->file_descriptor();
    const Status status = file >= 0 ? send_file(fd, file) : pull(scratch);
    if (status != Status::more) return status;
  }
}

bool Outgoing::memory_is_empty() const noexcept {
  return pending_sent_ == pending_.size() &&
         (!response_ || body_octets_ >= response_->body().size());
}

Outgoing::Status Outgoing::send_memory(int fd) {
  while (!memory_is_empty()) {
    std::array<iovec, 2> parts{};
    std::size_t count = 0;
    if (pending_sent_ != pending_.size())
      parts[count++] = {pending_.data() + pending_sent_, pending_.size() - pending_sent_};
    if (response_ && body_octets_ < response_->body().size()) {
      const std::string_view rest = std::string_view(response_->body()).substr(body_octets_);
      parts[count++] = {const_cast<char*>(rest.data()), rest.size()};
    }
    const ssize_t sent = transmit(fd, std::span(parts).first(count));
    if (sent < 0) return sent == kWouldBlock ? Status::blocked : Status::failed;
    advance(static_cast<std::size_t>(sent));
  }
  pending_.clear();
  pending_sent_ = 0;
  return Status::sent;
}

void Outgoing::advance(std::size_t count) noexcept {
  taken_ += count;
  const std::size_t of_pending = std::min(count, pending_.size() - pending_sent_);
  pending_sent_ += of_pending;
  body_octets_ += count - of_pending;
}

Outgoing::Status Outgoing::send_file(int fd, int file) {
  const std::uint64_t left = *response_->source()->length() - body_octets_;
  if (left != 0) {
    auto offset = static_cast<off_t>(body_octets_);
    const ssize_t sent = transmit_file(
        fd, file, offset, static_cast<std::size_t>(std::min<std::uint64_t>(left, kTurnOctets)));
    if (sent == kWouldBlock) return Status::blocked;
    if (sent <= 0) return Status::failed;  // also a file that became shorter than was promised
    body_octets_ += static_cast<std::size_t>(sent);
    taken_ += static_cast<std::size_t>(sent);
  }
  source_ended_ = body_octets_ == *response_->source()->length();
  return Status::more;
}

Outgoing::Status Outgoing::pull(std::string& scratch) {
  scratch.clear();
  Pull next = Pull::end;
  try {
    next = response_->source()->pull(scratch);
  } catch (...) {
    return Status::failed;
  }
  body_octets_ += scratch.size();
  if (framing_ == BodyFraming::chunked) {
    // An empty chunk would be the last.
    if (!scratch.empty()) append_chunk(pending_, scratch);
    if (next == Pull::end) pending_.append("0\r\n\r\n");
  } else {
    pending_.append(scratch);
  }
  source_ended_ = next == Pull::end;
  return next != Pull::end && scratch.empty() ? Status::waiting : Status::more;
}

}  // namespace routec::detail
