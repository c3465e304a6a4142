#include "fake_socket.h"

#include <algorithm>
#include <cstring>

#include "socket.h"

namespace routec::detail {
namespace {

bool is_not_ready() { return fake_socket.tiny && fake_socket.calls++ % 3 == 2; }
std::size_t at_most(std::size_t size) {
  return fake_socket.tiny ? std::min<std::size_t>(size, 1) : size;
}

}  // namespace

FakeSocket fake_socket;

void Descriptor::reset() noexcept { fd_ = -1; }

ssize_t receive(int, char* data, std::size_t size) noexcept {
  if (is_not_ready()) return kWouldBlock;
  const std::size_t count = std::min(at_most(size), fake_socket.input.size());
  std::memcpy(data, fake_socket.input.data(), count);
  fake_socket.input.remove_prefix(count);
  return static_cast<ssize_t>(count);
}

ssize_t transmit(int, std::span<iovec> parts) noexcept {
  if (is_not_ready()) return kWouldBlock;
  std::size_t sent = 0;
  for (const iovec& part : parts) {
    const std::size_t count = fake_socket.tiny && sent != 0 ? 0 : at_most(part.iov_len);
    fake_socket.output.append(static_cast<const char*>(part.iov_base), count);
    sent += count;
  }
  return static_cast<ssize_t>(sent);
}

ssize_t transmit_file(int, int, off_t&, std::size_t) noexcept { return kSocketFailed; }
void end_sending(int) noexcept { fake_socket.sending_ended = true; }
void reset_on_close(int) noexcept {}
std::size_t unacknowledged(int) noexcept { return 0; }

}  // namespace routec::detail
