// Carries access records from the loops to the user's hook without ever making a loop wait.
#ifndef ROUTEC_SRC_ACCESS_LOG_H_
#define ROUTEC_SRC_ACCESS_LOG_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "routec/server.h"

namespace routec::detail {

// A ring with one writer and one reader.
class AccessQueue {
 public:
  // False when it is full.
  bool push(const AccessRecord& record) noexcept;
  bool pop(AccessRecord& record) noexcept;

 private:
  static constexpr std::size_t kCapacity = 8192;
  std::array<AccessRecord, kCapacity> records_;
  alignas(64) std::atomic<std::size_t> written_{0};
  alignas(64) std::atomic<std::size_t> read_{0};
};

// Runs the hook on a thread of its own.
class AccessLog {
 public:
  using Hook = std::function<void(const AccessRecord&)>;
  AccessLog(Hook hook, std::size_t queues);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  // Delivers what is queued; false if the hook is still running after `patience`.
  bool finish(std::chrono::milliseconds patience);

  AccessQueue& queue(std::size_t index) noexcept { return *queues_[index]; }

 private:
  void run();
  bool deliver();

  Hook hook_;
  std::vector<std::unique_ptr<AccessQueue>> queues_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

}  // namespace routec::detail

#endif  // ROUTEC_SRC_ACCESS_LOG_H_
