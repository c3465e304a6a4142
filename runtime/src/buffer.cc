#include "buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

namespace routec::detail {
namespace {

// A failed munmap leaves the mapping, which is all that could be done anyway.
void unmap(char* memory, std::size_t capacity) noexcept { ::munmap(memory, capacity); }

}  // namespace

BufferPool::~BufferPool() {
  while (kept_count_ != 0) unmap(kept_[--kept_count_], kBlock);
}

void BufferPool::charge(std::size_t octets) {
  if (octets > limit_ - std::min(lent_, limit_)) throw std::bad_alloc();
}

char* BufferPool::take(std::size_t capacity) {
  charge(capacity);
  char* memory = nullptr;
  if (capacity == kBlock && kept_count_ != 0) {
    memory = kept_[--kept_count_];
  } else {
    void* const mapped =
        ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    memory = static_cast<char*>(mapped);
  }
  lent_ += capacity;
  return memory;
}

char* BufferPool::grow(char* memory, std::size_t capacity, std::size_t new_capacity) {
#ifdef __SANITIZE_THREAD__  // does not know mremap
  char* const moved = take(new_capacity);
  std::memcpy(moved, memory, capacity);
  give_back(memory, capacity);
  return moved;
#else
  charge(new_capacity - capacity);
  void* const moved = ::mremap(memory, capacity, new_capacity, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) throw std::bad_alloc();
  lent_ += new_capacity - capacity;
  return static_cast<char*>(moved);
#endif
}

void BufferPool::give_back(char* memory, std::size_t capacity) noexcept {
  lent_ -= capacity;
  if (capacity == kBlock && kept_count_ != kKeptBlocks)
    kept_[kept_count_++] = memory;
  else
    unmap(memory, capacity);
}

void Buffer::release() noexcept {
  if (data_ != nullptr) pool_->give_back(data_, capacity_);
  data_ = nullptr;
  size_ = capacity_ = 0;
}

void Buffer::grow(std::size_t size) {
  const std::size_t capacity = std::bit_ceil(std::max(size, BufferPool::kBlock));
  data_ = data_ == nullptr ? pool_->take(capacity) : pool_->grow(data_, capacity_, capacity);
  capacity_ = capacity;
}

}  // namespace routec::detail
