#include "socket.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace routec::detail {
namespace {

template <typename Call>
ssize_t io_result(Call call) noexcept {
  ssize_t count = 0;
  do count = call();
  while (count < 0 && errno == EINTR);
  if (count >= 0) return count;
  return errno == EAGAIN || errno == EWOULDBLOCK ? kWouldBlock : kSocketFailed;
}

// Octets that a socket takes beyond what may be under way. Without it the kernel collects megabytes
// for each client that does not read.
constexpr int kMaxUnsent = 1 << 17;

bool set_option(int fd, int level, int option, int value = 1) noexcept {
  return ::setsockopt(fd, level, option, &value, sizeof value) == 0;
}

// Both are inherited by accepted sockets.
bool set_output_options(int listener) noexcept {
  return set_option(listener, IPPROTO_TCP, TCP_NODELAY) &&
         set_option(listener, IPPROTO_TCP, TCP_NOTSENT_LOWAT, kMaxUnsent);
}

[[noreturn]] void fail(int error, const std::string& host, std::uint16_t port) {
  throw std::system_error(error, std::generic_category(),
                          "cannot listen on " + host + ":" + std::to_string(port));
}

struct FreeAddresses {
  void operator()(addrinfo* list) const noexcept { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const char* const name = host == "localhost" ? "127.0.0.1" : host.c_str();
  const int error = ::getaddrinfo(name, std::to_string(port).c_str(), &hints, &found);
  if (error == EAI_NONAME)
    throw std::invalid_argument("'" + host + "' is neither a numeric address nor localhost");
  if (error != 0) fail(error == EAI_SYSTEM ? errno : EADDRNOTAVAIL, host, port);
  return Addresses(found);
}

Descriptor bind_to(const addrinfo& address, PortSharing sharing) noexcept {
  Descriptor fd(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const bool ready =
      fd.is_open() && set_option(fd.get(), SOL_SOCKET, SO_REUSEADDR) &&
      set_output_options(fd.get()) &&
      (sharing == PortSharing::exclusive || set_option(fd.get(), SOL_SOCKET, SO_REUSEPORT)) &&
      ::bind(fd.get(), address.ai_addr, address.ai_addrlen) == 0;
  return ready ? std::move(fd) : Descriptor();
}

// The number in an environment variable, -1 if there is none.
long environment_number(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return -1;
  const std::string_view view(text);
  long number = -1;
  const auto parsed = std::from_chars(view.data(), view.data() + view.size(), number);
  return parsed.ptr == view.data() + view.size() ? number : -1;
}

}  // namespace

void Descriptor::reset() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

ssize_t receive(int fd, char* data, std::size_t size) noexcept {
  return io_result([&] { return ::recv(fd, data, size, 0); });
}

ssize_t transmit(int fd, std::span<iovec> parts) noexcept {
  if (parts.size() == 1)
    return io_result([&] { return ::send(fd, parts[0].iov_base, parts[0].iov_len, MSG_NOSIGNAL); });
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  return io_result([&] { return ::sendmsg(fd, &message, MSG_NOSIGNAL); });
}

ssize_t transmit_file(int fd, int file, off_t& offset, std::size_t count) noexcept {
  return io_result([&] { return ::sendfile(fd, file, &offset, count); });
}

void end_sending(int fd) noexcept { ::shutdown(fd, SHUT_WR); }

void reset_on_close(int fd) noexcept {
  const linger now{1, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

std::size_t unacknowledged(int fd) noexcept {
  int octets = 0;
  return ::ioctl(fd, SIOCOUTQ, &octets) == 0 && octets > 0 ? static_cast<std::size_t>(octets) : 0;
}

Descriptor listen_on(const std::string& host, std::uint16_t port, int backlog,
                     PortSharing sharing) {
  const Addresses addresses = resolve(host, port);
  Descriptor fd = bind_to(*addresses, sharing);
  if (!fd.is_open() || ::listen(fd.get(), backlog) != 0) fail(errno, host, port);
  return fd;
}

Descriptor inherited_listener() {
  constexpr int kFirst = 3;  // SD_LISTEN_FDS_START
  if (environment_number("LISTEN_PID") != ::getpid() || environment_number("LISTEN_FDS") < 1)
    return Descriptor();
  ::fcntl(kFirst, F_SETFD, FD_CLOEXEC);
  ::fcntl(kFirst, F_SETFL, ::fcntl(kFirst, F_GETFL) | O_NONBLOCK);
  set_output_options(kFirst);
  return Descriptor(kFirst);
}

std::uint16_t port_of(int listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::system_error(errno, std::generic_category(), "getsockname");
  if (address.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

void refuse_new_handshakes(int listener) noexcept {
  // The filter sees the TCP header: flags are in octet 13. SYN without ACK is dropped.
  std::array<sock_filter, 5> program{
      {BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0x12),
       BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x02, 0, 1), BPF_STMT(BPF_RET | BPF_K, 0),
       BPF_STMT(BPF_RET | BPF_K, 0xffffffff)}};
  const sock_fprog filter{program.size(), program.data()};
  ::setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}

Accepted accept_from(int listener) noexcept {
  const int fd = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd >= 0) return {AcceptStatus::accepted, Descriptor(fd)};
  switch (errno) {
    case EAGAIN:
      return {AcceptStatus::empty, Descriptor()};
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
      return {AcceptStatus::exhausted, Descriptor()};
    default:
      return {AcceptStatus::failed, Descriptor()};
  }
}

}  // namespace routec::detail
