// What no server can beat: it parses nothing, counts empty lines and writes canned replies.
//
//   limit_server PORT
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view kReply =
    "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
    "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n\r\nhello";
constexpr std::size_t kMaxReplies = 2048;

int listen_on(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool ready = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                     ::listen(fd, 4096) == 0;
  return ready ? fd : -1;
}

std::size_t count_heads(std::string_view text) {
  std::size_t count = 0;
  for (const char* at = text.data();
       (at = static_cast<const char*>(
            ::memmem(at, static_cast<std::size_t>(text.end() - at), "\r\n\r\n", 4))) != nullptr;
       at += 4)
    ++count;
  return count;
}

class LimitServer {
 public:
  explicit LimitServer(int listener) : listener_(listener), epoll_(::epoll_create1(0)) {
    for (std::size_t i = 0; i < kMaxReplies; ++i) replies_ += kReply;
    watch(listener_, EPOLLIN);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, 512> events;
    while (true) {
      const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) {
        const int fd = events[static_cast<std::size_t>(i)].data.fd;
        fd == listener_ ? accept_all() : serve(fd);
      }
    }
  }

 private:
  void watch(int fd, std::uint32_t what) {
    epoll_event event{};
    event.events = what;
    event.data.fd = fd;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  }

  void accept_all() {
    int fd = 0;
    while ((fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK)) >= 0)
      watch(fd, EPOLLIN | EPOLLRDHUP | EPOLLET);
  }

  // Heads are taken to come whole, replies to be taken at once, as they are on loopback.
  void serve(int fd) {
    const ssize_t size = ::recv(fd, input_.data(), input_.size(), 0);
    if (size <= 0) {
      ::close(fd);
      return;
    }
    const std::size_t count = count_heads({input_.data(), static_cast<std::size_t>(size)});
    if (::send(fd, replies_.data(), count * kReply.size(), MSG_NOSIGNAL) < 0) ::close(fd);
  }

  int listener_;
  int epoll_;
  std::string replies_;
  std::array<char, 64 * 1024> input_;
};

}  // namespace

int main(int argc, char** argv) {
  const int port = argc == 2 ? std::atoi(argv[1]) : 0;
  const int listener = listen_on(port);
  if (listener < 0) {
    std::perror("limit_server");
    return 1;
  }
  std::printf("listening on http://127.0.0.1:%d\n", port);
  std::fflush(stdout);
  static LimitServer server(listener);
  server.run();
}
