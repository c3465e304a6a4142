#include "access_log.h"

#include <chrono>

namespace routec::detail {
namespace {

// The reader polls: waking it would cost the loops a system call a record.
constexpr std::chrono::milliseconds kPoll{20};

}  // namespace

bool AccessQueue::push(const AccessRecord& record) noexcept {
  const std::size_t at = written_.load(std::memory_order_relaxed);
  if (at - read_.load(std::memory_order_acquire) == kCapacity) return false;
  records_[at % kCapacity] = record;
  written_.store(at + 1, std::memory_order_release);
  return true;
}

bool AccessQueue::pop(AccessRecord& record) noexcept {
  const std::size_t at = read_.load(std::memory_order_relaxed);
  if (at == written_.load(std::memory_order_acquire)) return false;
  record = records_[at % kCapacity];
  read_.store(at + 1, std::memory_order_release);
  return true;
}

AccessLog::AccessLog(Hook hook, std::size_t queues) : hook_(std::move(hook)) {
  for (std::size_t i = 0; i < queues; ++i) queues_.push_back(std::make_unique<AccessQueue>());
  thread_ = std::thread([this] { run(); });
}

AccessLog::~AccessLog() {
  stopping_.store(true, std::memory_order_release);
  thread_.join();
}

bool AccessLog::finish(std::chrono::milliseconds patience) {
  stopping_.store(true, std::memory_order_release);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!ended_.load(std::memory_order_acquire) && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return ended_.load(std::memory_order_acquire);
}

void AccessLog::run() {
  while (!stopping_.load(std::memory_order_acquire))
    if (!deliver()) std::this_thread::sleep_for(kPoll);
  while (deliver()) continue;
  ended_.store(true, std::memory_order_release);
}

bool AccessLog::deliver() {
  bool any = false;
  AccessRecord record;
  for (const std::unique_ptr<AccessQueue>& queue : queues_)
    while (queue->pop(record)) {
      hook_(record);
      any = true;
    }
  return any;
}

}  // namespace routec::detail
