#include "split_segment.h"

#include <cstddef>

namespace routec::compiler {
namespace {

// Works from right to left: where can each value end, so that all behind it fits? Then picks the
// last such end for each parameter, from left to right.
class Splitter {
 public:
  Splitter(const Segment& segment, const std::vector<std::unique_ptr<TypeAutomaton>>& types,
           std::string_view text)
      : segment_(segment),
        types_(types),
        text_(text),
        ends_(segment.params.size(), std::vector<bool>(text.size() + 1)) {}

  std::optional<std::vector<std::string>> split() {
    const std::string& prefix = segment_.literals.front();
    if (!text_.starts_with(prefix)) return std::nullopt;
    for (std::size_t index = segment_.params.size(); index-- > 0;) find_ends(index);
    std::vector<std::string> values;
    std::size_t begin = prefix.size();
    for (std::size_t index = 0; index < segment_.params.size(); ++index) {
      const std::optional<std::size_t> end = longest_end(index, begin);
      if (!end) return std::nullopt;
      values.emplace_back(text_.substr(begin, *end - begin));
      begin = *end + segment_.literals[index + 1].size();
    }
    return values;
  }

 private:
  // Marks where parameter number `index` can end, as far as that depends on what follows it.
  void find_ends(std::size_t index) {
    const std::string& behind = segment_.literals[index + 1];
    const bool is_last = index + 1 == segment_.params.size();
    for (std::size_t end = 0; end <= text_.size(); ++end) {
      if (!text_.substr(end).starts_with(behind)) continue;
      const std::size_t next = end + behind.size();
      ends_[index][end] = is_last ? next == text_.size() : longest_end(index + 1, next).has_value();
    }
  }

  // The last of the marked ends up to which the text from `begin` on is of the parameter's type.
  std::optional<std::size_t> longest_end(std::size_t index, std::size_t begin) {
    TypeAutomaton& type = *types_[segment_.params[index].type];
    std::optional<std::size_t> longest;
    TypeAutomaton::State state = type.start();
    for (std::size_t at = begin; at < text_.size(); ++at) {
      state = type.step(state, static_cast<unsigned char>(text_[at]));
      if (state == TypeAutomaton::kDead) break;
      if (ends_[index][at + 1] && type.accepts(state)) longest = at + 1;
    }
    return longest;
  }

  const Segment& segment_;
  const std::vector<std::unique_ptr<TypeAutomaton>>& types_;
  std::string_view text_;
  std::vector<std::vector<bool>> ends_;  // by parameter, then by offset
};

}  // namespace

std::optional<std::vector<std::string>> split_segment(
    const Segment& segment, const std::vector<std::unique_ptr<TypeAutomaton>>& types,
    std::string_view text) {
  return Splitter(segment, types, text).split();
}

}  // namespace routec::compiler
