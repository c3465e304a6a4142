// Preloaded into a server, makes the system unkind, as ROUTEC_FAULTS says:
//
//   io      reads and writes of one octet, EAGAIN with p = 0.3, EINTR with p = 0.1
//   accept  three of four accepts fail, each time with another error
//   memory  operator new and mmap fail now and then, after the first accept
//   clock   the wall clock jumps by a day, forth or back, at each SIGUSR1
//   count   nothing fails; the number of writes to sockets is told on standard error at the end
#include <dlfcn.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <string_view>

namespace {

bool fault_is(std::string_view name) {
  static const char* const fault = std::getenv("ROUTEC_FAULTS");
  return fault != nullptr && name == fault;
}

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::uint32_t random_percent() {
  thread_local std::uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<std::uint32_t>(state % 100);
}

// True, and errno set, if this call is to fail.
bool fails() {
  const std::uint32_t chance = random_percent();
  if (chance < 40) errno = chance < 30 ? EAGAIN : EINTR;
  return chance < 40;
}

std::atomic<bool> is_serving{false};
std::atomic<int> allocations_left{1};

bool allocation_fails() {
  if (!is_serving.load() || !fault_is("memory")) return false;
  if (allocations_left.fetch_sub(1) != 1) return false;
  thread_local int turn = 0;
  allocations_left.store(2 + turn++ % 29);
  return true;
}

std::atomic<int> writes{0};
volatile std::sig_atomic_t is_tomorrow = 0;

struct Lifetime {
  Lifetime() {
    if (fault_is("clock")) std::signal(SIGUSR1, [](int) { is_tomorrow = !is_tomorrow; });
  }
  ~Lifetime() {
    if (fault_is("count")) std::fprintf(stderr, "writes %d\n", writes.load());
  }
} lifetime;

}  // namespace

extern "C" {

ssize_t recv(int fd, void* data, size_t size, int flags) {
  static auto* const real = next<decltype(recv)>("recv");
  if (!fault_is("io")) return real(fd, data, size, flags);
  return fails() ? -1 : real(fd, data, size < 1 ? size : 1, flags);
}

ssize_t send(int fd, const void* data, size_t size, int flags) {
  static auto* const real = next<decltype(send)>("send");
  writes.fetch_add(1, std::memory_order_relaxed);
  if (!fault_is("io")) return real(fd, data, size, flags);
  return fails() ? -1 : real(fd, data, size < 1 ? size : 1, flags);
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  static auto* const real = next<decltype(sendmsg)>("sendmsg");
  writes.fetch_add(1, std::memory_order_relaxed);
  if (!fault_is("io")) return real(fd, message, flags);
  return send(fd, message->msg_iov[0].iov_base, message->msg_iov[0].iov_len, flags);
}

ssize_t sendfile(int out, int in, off_t* offset, size_t count) {
  static auto* const real = next<decltype(sendfile)>("sendfile");
  if (!fault_is("io")) return real(out, in, offset, count);
  return fails() ? -1 : real(out, in, offset, count < 1 ? count : 1);
}

int epoll_wait(int epoll, epoll_event* events, int size, int timeout) {
  static auto* const real = next<decltype(epoll_wait)>("epoll_wait");
  if (fault_is("io") && random_percent() < 10) {
    errno = EINTR;
    return -1;
  }
  return real(epoll, events, size, timeout);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static auto* const real = next<decltype(clock_gettime)>("clock_gettime");
  const int result = real(clock, time);
  const bool is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (is_wall && is_tomorrow) time->tv_sec += 24 * 60 * 60;
  return result;
}

int accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
  static auto* const real = next<decltype(accept4)>("accept4");
  constexpr int kErrors[] = {ENFILE, ENOBUFS, ENOMEM, ECONNABORTED, EPROTO, EINTR};
  static int calls = 0;
  if (fault_is("accept") && ++calls % 4 != 0) {
    errno = kErrors[static_cast<std::size_t>(calls) % std::size(kErrors)];
    return -1;
  }
  const int accepted = real(fd, address, length, flags);
  if (accepted >= 0) is_serving.store(true);
  return accepted;
}

void* mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset) noexcept {
  static auto* const real = next<decltype(mmap)>("mmap");
  if ((flags & MAP_ANONYMOUS) != 0 && allocation_fails()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real(address, length, protection, flags, fd, offset);
}

}  // extern "C"

void* operator new(std::size_t size) {
  void* const memory = allocation_fails() ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocation_fails() ? nullptr : std::malloc(size);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocation_fails() ? nullptr
                            : std::aligned_alloc(static_cast<std::size_t>(alignment), size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
