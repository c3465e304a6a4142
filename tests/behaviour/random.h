// Random numbers that are the same for the same seed on every machine.
#ifndef ROUTEC_TESTS_BEHAVIOUR_RANDOM_H_
#define ROUTEC_TESTS_BEHAVIOUR_RANDOM_H_

#include <cstddef>
#include <cstdint>

namespace routec::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // splitmix64
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // Less than `limit`, which is not 0.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }
  std::size_t between(std::size_t least, std::size_t most) {
    return least + below(most - least + 1);
  }
  bool percent(std::size_t chance) { return below(100) < chance; }

  template <typename List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace routec::test

#endif  // ROUTEC_TESTS_BEHAVIOUR_RANDOM_H_
