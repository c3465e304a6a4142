#include "progress.h"

#include <chrono>
#include <cstdio>

namespace routec::compiler {

Progress::Progress(bool enabled) {
  if (enabled) thread_ = std::thread([this] { show(); });
}

Progress::~Progress() { end(); }

void Progress::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Progress::set_stage(std::string_view stage) {
  const std::lock_guard lock(mutex_);
  stage_ = stage;
}

void Progress::show() {
  const auto start = std::chrono::steady_clock::now();
  bool shown = false;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::seconds(1), [this] { return ended_; })) {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
    std::fprintf(stderr, "\r\x1b[Kroutec: %s, %lld s", stage_.c_str(),
                 static_cast<long long>(seconds.count()));
    shown = true;
  }
  if (shown) std::fputs("\r\x1b[K", stderr);
}

}  // namespace routec::compiler
