#include "split_segment.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace routec::compiler {
namespace {

class Splitter {
 public:
  Splitter(const Segment& segment, const std::vector<std::unique_ptr<TypeAutomaton>>& types,
           std::string_view text)
      : segment_(segment), types_(types), text_(text) {}

  std::optional<std::vector<std::string>> split() {
    const std::string& prefix = segment_.literals.front();
    if (!text_.starts_with(prefix) || !fits(0, prefix.size())) return std::nullopt;
    return std::vector<std::string>(values_.begin(), values_.end());
  }

 private:
  // Whether the text from `begin` on can be parameter number `index` and all that follows it; then
  // their values are appended to values_. Tries the longest first, and no dead end twice.
  bool fits(std::size_t index, std::size_t begin) {
    if (index == segment_.params.size()) return begin == text_.size();
    if (failed_.contains({index, begin})) return false;
    const std::string& behind = segment_.literals[index + 1];
    const std::vector<std::size_t> ends = possible_ends(index, begin);
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
      if (!text_.substr(*end).starts_with(behind)) continue;
      values_.push_back(text_.substr(begin, *end - begin));
      if (fits(index + 1, *end + behind.size())) return true;
      values_.pop_back();
    }
    failed_.emplace(index, begin);
    return false;
  }

  // Where a value of the parameter's type that begins at `begin` can end, shortest first.
  std::vector<std::size_t> possible_ends(std::size_t index, std::size_t begin) {
    TypeAutomaton& type = *types_[segment_.params[index].type];
    std::vector<std::size_t> ends;
    TypeAutomaton::State state = type.start();
    for (std::size_t at = begin; at < text_.size(); ++at) {
      state = type.step(state, static_cast<unsigned char>(text_[at]));
      if (state == TypeAutomaton::kDead) break;
      if (type.accepts(state)) ends.push_back(at + 1);
    }
    return ends;
  }

  const Segment& segment_;
  const std::vector<std::unique_ptr<TypeAutomaton>>& types_;
  std::string_view text_;
  std::vector<std::string_view> values_;
  std::set<std::pair<std::size_t, std::size_t>> failed_;
};

}  // namespace

std::optional<std::vector<std::string>> split_segment(
    const Segment& segment, const std::vector<std::unique_ptr<TypeAutomaton>>& types,
    std::string_view text) {
  return Splitter(segment, types, text).split();
}

}  // namespace routec::compiler
