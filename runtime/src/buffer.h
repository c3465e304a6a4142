// Growing memory for octets in flight, mapped from the kernel and given back to it, so that what a
// crowd of clients once needed does not stay.
#ifndef ROUTEC_SRC_BUFFER_H_
#define ROUTEC_SRC_BUFFER_H_

#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace routec::detail {

// The memory of all buffers of one thread. Not thread-safe; must outlive its buffers.
class BufferPool {
 public:
  static constexpr std::size_t kBlock = 32768;

  // `limit` bounds the octets lent at any time.
  explicit BufferPool(std::size_t limit) noexcept : limit_(limit) {}
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  // Throw std::bad_alloc beyond the limit or when the kernel has no memory.
  char* take(std::size_t capacity);
  char* grow(char* memory, std::size_t capacity, std::size_t new_capacity);
  void give_back(char* memory, std::size_t capacity) noexcept;

 private:
  static constexpr std::size_t kKeptBlocks = 16;
  void charge(std::size_t octets);

  std::size_t limit_;
  std::size_t lent_ = 0;
  std::size_t kept_count_ = 0;
  char* kept_[kKeptBlocks];
};

class Buffer {
 public:
  explicit Buffer(BufferPool& pool) noexcept : pool_(&pool) {}
  ~Buffer() { release(); }
  Buffer(Buffer&& other) noexcept
      : pool_(other.pool_),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  char* data() noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return capacity_; }
  bool empty() const noexcept { return size_ == 0; }
  std::string_view view() const noexcept { return {data_, size_}; }

  // Room for `count` octets after the last. The pointer is good until the next call.
  char* reserve(std::size_t count) {
    if (capacity_ - size_ < count) grow(size_ + count);
    return data_ + size_;
  }
  // Takes over what was written into the room.
  void commit(std::size_t count) noexcept { size_ += count; }
  void append(std::string_view text) { size_ += text.copy(reserve(text.size()), text.size()); }
  void truncate(std::size_t size) noexcept { size_ = size; }
  void clear() noexcept { size_ = 0; }
  // Drops the first `count` octets.
  void consume(std::size_t count) noexcept {
    if (count == 0) return;
    size_ -= count;
    std::memmove(data_, data_ + count, size_);
  }
  void release() noexcept;

 private:
  void grow(std::size_t size);

  BufferPool* pool_;
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace routec::detail

#endif  // ROUTEC_SRC_BUFFER_H_
