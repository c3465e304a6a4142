// Text whose last octet stands before a page that must not be touched: reading one too far crashes.
#ifndef ROUTEC_TESTS_HTTP_GUARDED_TEXT_H_
#define ROUTEC_TESTS_HTTP_GUARDED_TEXT_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <string_view>

namespace routec::test {

class GuardedText {
 public:
  explicit GuardedText(std::string_view text) : size_(text.size()) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t pages = (size_ + page - 1) / page + 1;
    length_ = pages * page;
    base_ = ::mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base_ == MAP_FAILED) throw std::bad_alloc();
    char* const guard = static_cast<char*>(base_) + length_ - page;
    ::mprotect(guard, page, PROT_NONE);
    data_ = guard - size_;
    std::memcpy(data_, text.data(), size_);
  }
  ~GuardedText() { ::munmap(base_, length_); }
  GuardedText(const GuardedText&) = delete;
  GuardedText& operator=(const GuardedText&) = delete;

  char* data() { return data_; }
  std::string_view view() const { return {data_, size_}; }

 private:
  std::size_t size_;
  std::size_t length_;
  void* base_;
  char* data_;
};

}  // namespace routec::test

#endif  // ROUTEC_TESTS_HTTP_GUARDED_TEXT_H_
