#include "subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace routec::compiler {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kEndingSignals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

// Our end and the child's. A socket rather than a pipe: sending to a child that is gone can then
// be told to fail instead of raising SIGPIPE.
struct Channel {
  Descriptor ours;
  Descriptor child;

  bool open() {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return false;
    ours = Descriptor(fds[0]);
    child = Descriptor(fds[1]);
    return ::fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0;
  }
};

// ---- Signals ------------------------------------------------------------------------------------

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kEndingSignals) sigaddset(&set, signal);
  return set;
}

// The process groups of children that run. Global, as the signals' handler is, which may use it:
// nobody who holds the lock is ever interrupted by one of the signals that it handles.
class Groups {
 public:
  // Keeps the handler, and so the end of this program, away from a change.
  class Change {
   public:
    Change() {
      const sigset_t set = ending_signals();
      pthread_sigmask(SIG_BLOCK, &set, &before_);
      lock();
    }
    ~Change() {
      locked_.clear(std::memory_order_release);
      pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

    const sigset_t& mask_before() const { return before_; }
    void add(pid_t group) { groups_.push_back(group); }
    void remove(pid_t group) { std::erase(groups_, group); }

   private:
    sigset_t before_;
  };

  // Never unlocks: no child may be started any more.
  static void kill_all() {
    lock();
    for (const pid_t group : groups_) ::kill(-group, SIGKILL);
  }

 private:
  static void lock() {
    while (locked_.test_and_set(std::memory_order_acquire)) {
    }
  }

  inline static std::atomic_flag locked_;
  inline static std::vector<pid_t> groups_;
};

void end_with_children(int signal) {
  Groups::kill_all();
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // takes effect when this handler returns
}

// ---- Starting -----------------------------------------------------------------------------------

// Returns 0 or errno. The child leads a process group of its own, so that all of it can be killed.
int spawn(const std::vector<std::string>& arguments, const std::array<Channel, 3>& channels,
          pid_t& pid) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int fd = 0; fd < 3; ++fd)
    posix_spawn_file_actions_adddup2(&actions, channels[static_cast<std::size_t>(fd)].child.get(),
                                     fd);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  Groups::Change groups;
  posix_spawnattr_setsigmask(&attributes, &groups.mask_before());
  const int error = ::posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  if (error == 0) groups.add(pid);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// ---- Feeding and waiting ------------------------------------------------------------------------

void send_some(Descriptor& channel, std::string_view& input) {
  const ssize_t sent = ::send(channel.get(), input.data(), input.size(), MSG_NOSIGNAL);
  if (sent > 0) input.remove_prefix(static_cast<std::size_t>(sent));
  const bool gone = sent < 0 && errno != EAGAIN && errno != EINTR;
  if (input.empty() || gone) channel.close();
}

void receive_some(Descriptor& channel, std::string& text) {
  char buffer[65536];
  const ssize_t got = ::recv(channel.get(), buffer, sizeof buffer, 0);
  if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  const bool gone = got < 0 && errno != EAGAIN && errno != EINTR;
  if (got == 0 || gone) channel.close();
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
}

// Feeds and drains the child until both of its outputs are closed; false when out of time.
bool exchange(std::array<Channel, 3>& channels, std::string_view input, ProcessResult& result,
              Clock::time_point deadline) {
  Descriptor& in = channels[0].ours;
  Descriptor& out = channels[1].ours;
  Descriptor& err = channels[2].ours;
  if (input.empty()) in.close();
  while (out.is_open() || err.is_open()) {
    pollfd waits[] = {{in.get(), POLLOUT, 0}, {out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}};
    const int ready = ::poll(waits, 3, milliseconds_until(deadline));
    if (ready == 0) return false;
    if (ready < 0) continue;
    if (waits[0].revents != 0) send_some(in, input);
    if (waits[1].revents != 0) receive_some(out, result.output);
    if (waits[2].revents != 0) receive_some(err, result.errors);
  }
  return true;
}

bool has_ended(pid_t pid, Clock::time_point deadline) {
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  pollfd wait = {process.get(), POLLIN, 0};
  int ready;
  do {
    ready = ::poll(&wait, 1, milliseconds_until(deadline));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input,
                          std::chrono::milliseconds time_limit) {
  const Clock::time_point deadline = Clock::now() + time_limit;
  ProcessResult result;
  std::array<Channel, 3> channels;
  for (Channel& channel : channels) {
    if (!channel.open()) {
      result.code = errno;
      return result;
    }
  }
  pid_t pid = 0;
  result.code = spawn(arguments, channels, pid);
  if (result.code != 0) return result;
  for (Channel& channel : channels) channel.child.close();

  const bool in_time = exchange(channels, input, result, deadline) && has_ended(pid, deadline);
  if (!in_time) ::kill(-pid, SIGKILL);
  Groups::Change().remove(pid);  // while the number is surely no other's
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    result.end = ProcessEnd::kTimedOut;
  } else if (WIFEXITED(status)) {
    result.end = ProcessEnd::kExited;
    result.code = WEXITSTATUS(status);
  } else {
    result.end = ProcessEnd::kSignalled;
    result.code = WTERMSIG(status);
  }
  return result;
}

void end_children_on_signals() {
  for (const int signal : kEndingSignals) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action.sa_handler = end_with_children;
    action.sa_mask = ending_signals();
    ::sigaction(signal, &action, nullptr);
  }
}

std::string describe_failure(const ProcessResult& result) {
  std::string text;
  switch (result.end) {
    case ProcessEnd::kExited:
      text = "ended with status " + std::to_string(result.code);
      break;
    case ProcessEnd::kSignalled:
      text = "was ended by signal " + std::to_string(result.code);
      break;
    case ProcessEnd::kTimedOut:
      text = "took too long";
      break;
    case ProcessEnd::kNotStarted:
      return std::string("could not be started: ") + std::strerror(result.code);
  }
  std::string_view errors = result.errors;
  while (!errors.empty() && (errors.back() == '\n' || errors.back() == '\r'))
    errors.remove_suffix(1);
  const std::size_t line_break = errors.rfind('\n');
  if (line_break != std::string_view::npos) errors.remove_prefix(line_break + 1);
  return errors.empty() ? text : text + ": " + std::string(errors);
}

}  // namespace routec::compiler
