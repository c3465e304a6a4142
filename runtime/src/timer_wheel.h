// Deadlines of connections: O(1) to set, and moving one later costs a store.
#ifndef ROUTEC_SRC_TIMER_WHEEL_H_
#define ROUTEC_SRC_TIMER_WHEEL_H_

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace routec::detail {

using Milliseconds = std::uint64_t;  // of the monotonic clock

inline Milliseconds to_milliseconds(std::chrono::milliseconds time) noexcept {
  return static_cast<Milliseconds>(time.count());
}

// Part of what has a deadline. It is linked into the wheel from its first `set` to `remove`.
struct Timer {
  Timer* next = nullptr;
  Timer* previous = nullptr;
  Milliseconds deadline = 0;
  Milliseconds check_at = 0;  // start of the tick whose slot it is linked into; 0: not linked
};

class TimerWheel {
 public:
  // Deadlines are met up to that much late.
  static constexpr Milliseconds kTick = 32;

  explicit TimerWheel(Milliseconds now) noexcept : tick_(now / kTick) {}

  void set(Timer& timer, Milliseconds deadline) noexcept {
    timer.deadline = deadline;
    // A later deadline stays where it is and is looked at again when its slot comes.
    if (timer.check_at != 0 && timer.check_at <= deadline) return;
    remove(timer);
    link(timer);
  }

  void remove(Timer& timer) noexcept {
    if (timer.check_at == 0) return;
    const std::size_t slot = slot_of(timer.check_at / kTick);
    (timer.previous != nullptr ? timer.previous->next : slots_[slot]) = timer.next;
    if (timer.next != nullptr) timer.next->previous = timer.previous;
    if (slots_[slot] == nullptr) occupied_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    timer.check_at = 0;
  }

  // Calls `expired(timer)` for those whose deadline is not after `now`, `most` of them at a time;
  // it is unlinked by then, and may be set anew to a time not before `now`.
  template <typename Expired>
  void advance(Milliseconds now, std::size_t most, Expired expired) {
    const std::uint64_t target = now / kTick;
    if (target - tick_ > kSlots) tick_ = target - kSlots;
    for (; tick_ < target; ++tick_) {
      // What is linked anew never gets into this slot.
      while (Timer* const timer = slots_[slot_of(tick_)]) {
        const bool is_due = timer->deadline <= now;
        if (is_due && most-- == 0) return;
        remove(*timer);
        if (is_due)
          expired(*timer);
        else
          link(*timer);
      }
    }
  }

  // Milliseconds until a slot must be looked at; -1 when there is no timer.
  int until_next(Milliseconds now) const noexcept {
    for (std::size_t i = 0; i <= kWords; ++i) {
      const std::size_t first = slot_of(tick_);
      std::uint64_t word = occupied_[(first / 64 + i) % kWords];
      if (i == 0) word &= ~std::uint64_t{0} << (first % 64);
      if (word == 0) continue;
      const std::size_t slot =
          (first / 64 + i) % kWords * 64 + static_cast<std::size_t>(std::countr_zero(word));
      const Milliseconds end = (tick_ + (slot + kSlots - first) % kSlots + 1) * kTick;
      return end > now ? static_cast<int>(end - now) : 0;
    }
    return -1;
  }

  template <typename Visitor>
  void for_each(Visitor visit) {
    for (Timer* timer : slots_)
      while (timer != nullptr) {
        Timer* const next = timer->next;
        visit(*timer);
        timer = next;
      }
  }

 private:
  static constexpr std::size_t kSlots = 1024;
  static constexpr std::size_t kWords = kSlots / 64;
  static constexpr std::size_t slot_of(std::uint64_t tick) noexcept { return tick % kSlots; }

  // Into the slot of its deadline, or the farthest one from where it is linked anew.
  void link(Timer& timer) noexcept {
    std::uint64_t tick = timer.deadline / kTick;
    if (tick < tick_) tick = tick_;
    if (tick > tick_ + kSlots - 1) tick = tick_ + kSlots - 1;
    const std::size_t slot = slot_of(tick);
    timer.check_at = tick * kTick;
    timer.previous = nullptr;
    timer.next = slots_[slot];
    if (timer.next != nullptr) timer.next->previous = &timer;
    slots_[slot] = &timer;
    occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }

  std::uint64_t tick_;  // the first that was not looked at
  std::array<Timer*, kSlots> slots_{};
  std::array<std::uint64_t, kWords> occupied_{};
};

}  // namespace routec::detail

#endif  // ROUTEC_SRC_TIMER_WHEEL_H_
