// Finds the patterns that meet: that match a common path. Asked for every pattern in turn, it costs
// about as much as there are meetings.
#ifndef ROUTEC_GENERATOR_MEETINGS_H_
#define ROUTEC_GENERATOR_MEETINGS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pattern_set.h"
#include "precedence.h"

namespace routec::compiler {

// Two variants, as indices, that match a common path.
struct MeetingPair {
  std::uint32_t winner = 0;  // stands first
  std::uint32_t loser = 0;
  bool winner_inside = true;  // all its paths are the loser's, too
  bool loser_inside = true;
  bool undecided = false;  // the leftmost difference is between types that cross
};

// The variants as a trie. They must stand best first.
class Meetings {
 public:
  using Visit = std::function<void(const MeetingPair&)>;

  Meetings(const PatternSet& patterns, Precedence& precedence);

  // Visits each later variant that meets variant `index`.
  void visit(std::uint32_t index, const Visit& visit);

 private:
  struct Node {
    std::unordered_map<std::uint32_t, std::uint32_t> literals;  // id to child
    std::vector<std::pair<Languages::Id, std::uint32_t>> languages;
    std::vector<std::uint32_t> ends;   // variants that end here
    std::vector<std::uint32_t> rests;  // whose rest begins here
  };
  // Where a walk stands: the pair as judged so far, and whether it differs already.
  struct Step {
    std::uint32_t node = 0;
    std::size_t depth = 0;
    MeetingPair pair;
    bool differs = false;
  };

  void insert(std::uint32_t index);
  std::uint32_t child(std::uint32_t node, const Constraint& segment);
  void report(const std::vector<std::uint32_t>& losers, MeetingPair pair);
  void walk(const Step& at);
  void walk_rest(const Step& at);
  void walk_literal(const Step& at, std::uint32_t literal);
  void walk_language(const Step& at, Languages::Id language);

  const PatternSet& patterns_;
  Precedence& precedence_;
  std::vector<Node> nodes_{1};
  const Variant* variant_ = nullptr;
  const Visit* visit_ = nullptr;
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_MEETINGS_H_
