#include "text_pool.h"

#include <utility>

namespace routec::compiler {

std::uint32_t TextPool::add(std::string_view text) {
  const auto [place, added] = known_.try_emplace(std::string(text), 0);
  if (!added) return place->second;
  const std::size_t left = kTextBlock - (base_ + octets_.size()) % kTextBlock;
  if (text.size() >= left) octets_.append(left, '\0');
  place->second = static_cast<std::uint32_t>(base_ + octets_.size());
  octets_ += text;
  return place->second;
}

}  // namespace routec::compiler
