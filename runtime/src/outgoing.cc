#include "outgoing.h"

#include <sys/uio.h>

#include <array>
#include <charconv>
#include <span>

#include "socket.h"

namespace routec::detail {
namespace {

iovec part_of(std::string_view text) noexcept {
  return {const_cast<char*>(text.data()), text.size()};
}

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

Outgoing::Status Outgoing::send(int fd, std::string& scratch, std::size_t quantum) {
  const std::uint64_t turn_end = taken_ + quantum;
  while (!memory_is_empty() || !source_ended_) {
    if (taken_ >= turn_end) return Status::more;
    const Status status = send_some(fd, scratch, static_cast<std::size_t>(turn_end - taken_));
    if (status != Status::more) return status;
  }
  return Status::sent;
}

Outgoing::Status Outgoing::send_some(int fd, std::string& scratch, std::size_t most) {
  if (!memory_is_empty()) return send_memory(fd, most);
  const int file = response_->source()->file_descriptor();
  return file >= 0 ? send_file(fd, file, most) : pull(scratch);
}

bool Outgoing::memory_is_empty() const noexcept {
  return pending_sent_ == pending_.size() &&
         (!response_ || body_octets_ >= response_->body().size());
}

Outgoing::Status Outgoing::send_memory(int fd, std::size_t most) {
  std::array<iovec, 2> parts{};
  std::size_t count = 0;
  const std::string_view pending = pending_.view().substr(pending_sent_, most);
  if (!pending.empty()) parts[count++] = part_of(pending);
  if (response_ && body_octets_ < response_->body().size() && pending.size() < most) {
    const std::string_view body = response_->body();
    parts[count++] = part_of(body.substr(body_octets_, most - pending.size()));
  }
  const ssize_t sent = transmit(fd, std::span(parts).first(count));
  if (sent < 0) return sent == kWouldBlock ? Status::blocked : Status::failed;
  advance(static_cast<std::size_t>(sent));
  return Status::more;
}

void Outgoing::advance(std::size_t count) noexcept {
  taken_ += count;
  const std::size_t of_pending = std::min(count, pending_.size() - pending_sent_);
  pending_sent_ += of_pending;
  body_octets_ += count - of_pending;
  if (pending_sent_ != pending_.size()) return;
  pending_.clear();
  pending_sent_ = 0;
}

Outgoing::Status Outgoing::send_file(int fd, int file, std::size_t most) {
  const std::uint64_t left = *response_->source()->length() - body_octets_;
  if (left != 0) {
    auto offset = static_cast<off_t>(body_octets_);
    const ssize_t sent = transmit_file(
        fd, file, offset, static_cast<std::size_t>(std::min<std::uint64_t>(left, most)));
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
