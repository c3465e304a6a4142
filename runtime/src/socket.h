// The system calls of connections and listeners, with EINTR hidden and their outcomes named.
#ifndef ROUTEC_SRC_SOCKET_H_
#define ROUTEC_SRC_SOCKET_H_

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace routec::detail {

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) noexcept : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const noexcept { return fd_; }
  bool is_open() const noexcept { return fd_ >= 0; }
  void reset() noexcept;

 private:
  int fd_;
};

// Instead of a count of octets.
inline constexpr ssize_t kWouldBlock = -1;
inline constexpr ssize_t kSocketFailed = -2;

// 0 is the end of the stream.
ssize_t receive(int fd, char* data, std::size_t size) noexcept;
ssize_t transmit(int fd, std::span<iovec> parts) noexcept;
// Advances `offset`; 0 if the file ends before.
ssize_t transmit_file(int fd, int file, off_t& offset, std::size_t count) noexcept;

void end_sending(int fd) noexcept;
// Closing will send RST, so that the peer never takes what it has for the whole.
void reset_on_close(int fd) noexcept;
// Octets given to the kernel that the peer has not acknowledged.
std::size_t unacknowledged(int fd) noexcept;

enum class PortSharing : std::uint8_t { exclusive, shared };

// A non-blocking listening socket; throws std::system_error whose text names the address. `port`
// 0 picks one.
Descriptor listen_on(const std::string& host, std::uint16_t port, int backlog, PortSharing sharing);
// The first socket passed by a service manager (sd_listen_fds(3)); not open if there is none.
Descriptor inherited_listener();
std::uint16_t port_of(int listener);

// New handshakes are dropped (their clients try again), those under way still end up in the
// accept queue: so a listener can be emptied and closed without loss. Best effort.
void refuse_new_handshakes(int listener) noexcept;

enum class AcceptStatus : std::uint8_t { accepted, empty, exhausted, failed };
struct Accepted {
  AcceptStatus status;  // exhausted: out of descriptors or memory; failed: this one, go on
  Descriptor socket;    // non-blocking
};
Accepted accept_from(int listener) noexcept;

}  // namespace routec::detail

#endif  // ROUTEC_SRC_SOCKET_H_
