// Loads of whole words from text, near its end too.
//
// Comparing and scanning short texts is fastest in whole words, without a branch on the size. A
// load may then reach beyond the text, which is harmless as long as it stays on the page of the
// text's last octet: what it reads there is masked out. Where the next page begins too soon, and
// always under AddressSanitizer, the text is copied first.
#ifndef ROUTEC_OCTETS_H_
#define ROUTEC_OCTETS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if defined(__SSE2__) && defined(__x86_64__) && !defined(ROUTEC_NO_SIMD)
#define ROUTEC_SSE2 1
#if defined(__AVX2__)
#define ROUTEC_AVX2 1
#endif
#if defined(__AVX512BW__)
#define ROUTEC_AVX512 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)
#define ROUTEC_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ROUTEC_ADDRESS_SANITIZER 1
#endif
#endif

// The way of a lookup that finds its route is compiled into each generated match(), where the
// tables are constants; all else stays out of it.
#define ROUTEC_HOT [[gnu::always_inline]] inline
#define ROUTEC_COLD [[gnu::noinline]] inline

namespace routec::detail {

// How far beyond the end of a text its loads may reach.
inline constexpr std::size_t kSlack = 64;

// Whether `count` octets can be read at `text` if the first of them can.
ROUTEC_HOT bool can_read([[maybe_unused]] const char* text,
                         [[maybe_unused]] std::size_t count) noexcept {
#ifdef ROUTEC_ADDRESS_SANITIZER
  return false;
#else
  constexpr std::uintptr_t kPage = 4096;  // the smallest page of any system
  return (reinterpret_cast<std::uintptr_t>(text) & (kPage - 1)) <= kPage - count;
#endif
}

// Whether kSlack octets can be read beyond the end of a text that is not empty.
ROUTEC_HOT bool has_slack(std::string_view text) noexcept {
  return can_read(text.data() + text.size() - 1, kSlack + 1);
}

// A text whose loads may reach kSlack octets beyond its end: itself, or a copy.
template <std::size_t kMaxSize>
class SlackText {
 public:
  explicit SlackText(std::string_view text) noexcept : data_(text.data()) {
    if (has_slack(text)) return;
    std::memcpy(copy_, text.data(), text.size());
    std::memset(copy_ + text.size(), 0, kSlack);
    data_ = copy_;
  }
  SlackText(const SlackText&) = delete;
  SlackText& operator=(const SlackText&) = delete;

  const char* data() const noexcept { return data_; }

 private:
  const char* data_;
  char copy_[kMaxSize + kSlack];
};

ROUTEC_HOT std::uint64_t load_le64(const char* text) noexcept {
  std::uint64_t word;
  std::memcpy(&word, text, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// The low `size` octets of a word; all of them from 8 on.
ROUTEC_HOT std::uint64_t low_octets(std::uint64_t word, std::size_t size) noexcept {
  const std::size_t kept = size < 8 ? size : 8;
#if defined(__x86_64__) && defined(__BMI2__)
  return _bzhi_u64(word, static_cast<unsigned>(8 * kept));
#else
  constexpr std::uint64_t kMasks[] = {
      0x0,          0xff,           0xffff,           0xffffff,          0xffffffff,
      0xffffffffff, 0xffffffffffff, 0xffffffffffffff, 0xffffffffffffffff};
  return word & kMasks[kept];
#endif
}

}  // namespace routec::detail

#endif  // ROUTEC_OCTETS_H_
