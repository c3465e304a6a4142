// Counters of one thread, readable from all: written without locked instructions.
#ifndef ROUTEC_SRC_METRICS_H_
#define ROUTEC_SRC_METRICS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "routec/server.h"

namespace routec::detail {

// Only one thread may add.
class Counter {
 public:
  void add(std::uint64_t count) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
  std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

class Metrics {
 public:
  ~Metrics();
  Metrics() = default;
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  Counter accepted, closed, requests, received, sent, timeouts, dropped_records;

  // Counts a request of the route that `match` found.
  void count(const Match& match, int status);
  // Counts a request that no route answered.
  void count(int status) noexcept { unmatched_[status_class(status)].add(1); }

  // Adds what was counted to `stats`; from any thread.
  void add_to(ServerStats& stats) const;

 private:
  using ByClass = std::array<Counter, 6>;  // by the first digit of the status
  struct Route {
    std::string_view pattern;
    std::string_view name;
    std::atomic<bool> used{false};  // publishes the texts
    ByClass counts;
  };
  // Routes are numbered densely by Match::index(); blocks appear as they are needed.
  static constexpr std::size_t kBlockRoutes = 64;
  static constexpr std::size_t kBlocks = 2048;
  using Block = std::array<Route, kBlockRoutes>;

  static std::size_t status_class(int status) noexcept {
    return static_cast<std::size_t>(status / 100) % 6;
  }
  Route& route_of(const Match& match);

  ByClass unmatched_;
  std::array<std::atomic<Block*>, kBlocks> blocks_{};
};

// The text exposition format of Prometheus, version 0.0.4.
std::string prometheus_text(const ServerStats& stats);

}  // namespace routec::detail

#endif  // ROUTEC_SRC_METRICS_H_
