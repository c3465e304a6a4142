// The scan of a target against a plain one, and the comparison with a literal route. Built once for
// each set of vector instructions.
#include "routec/path_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "guarded_text.h"
#include "plain_scan.h"
#include "random.h"
#include "routec/matcher.h"

namespace routec::test {
namespace {

class PathScan : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__AVX512BW__)
    if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl")) GTEST_SKIP();
#elif defined(__AVX2__)
    if (!__builtin_cpu_supports("avx2")) GTEST_SKIP();
#endif
  }

  static void check(std::string_view target) {
    const GuardedText guarded(target);
    ASSERT_EQ(scan_difference(guarded.view()), "") << testing::PrintToString(target);
  }
};

TEST_F(PathScan, EveryOctetAtEveryPlaceOfABlock) {
  for (std::size_t size : {1U, 7U, 15U, 16U, 17U, 31U, 32U, 33U, 63U, 64U, 65U, 127U, 129U})
    for (std::size_t at = 0; at < size; ++at)
      for (int octet = 0; octet < 256; ++octet) {
        std::string target(size, 'a');
        target[0] = '/';
        target[at] = static_cast<char>(octet);
        check(target);
        if (HasFatalFailure()) return;
      }
}

TEST_F(PathScan, LiteralsAreComparedToTheirLastOctet) {
  for (std::size_t size = 1; size < 200; ++size) {
    std::string text(size + detail::kSlack, 'a');
    const GuardedText path(std::string_view(text).substr(0, size));
    ASSERT_TRUE(detail::same_octets(path.view().data(), text.data(), size)) << size;
    for (std::size_t at = 0; at < size; ++at) {
      text[at] = 'b';
      ASSERT_FALSE(detail::same_octets(path.view().data(), text.data(), size)) << size << ' ' << at;
      text[at] = 'a';
    }
  }
}

TEST_F(PathScan, RandomTargets) {
  constexpr std::string_view kOctets = "////...%?#aaab\x01\x1f!'\x7f\xff\x80$&/";
  Random random(1);
  for (int i = 0; i < 30'000 && !HasFatalFailure(); ++i) {
    std::string target = random.percent(95) ? "/" : "";
    const std::size_t size = random.below(random.percent(5) ? 2000 : 200);
    const std::size_t kinds = random.between(1, kOctets.size());
    while (target.size() < size) target += random.percent(60) ? 'x' : kOctets[random.below(kinds)];
    check(target);
  }
}

TEST_F(PathScan, AnyNumberOfSegments) {
  std::string target;
  for (int i = 0; i < 600 && !HasFatalFailure(); ++i) {
    check(target);
    check(target + "/");
    target += i % 3 == 0 ? "/a" : "/abc";
  }
}

}  // namespace
}  // namespace routec::test
