// The meaning of a route table, rule by rule and by brute force: what `routec explain` prints, and
// the oracle that generated code is tested against. It shares no code with what makes that code.
#ifndef ROUTEC_GENERATOR_REFERENCE_MATCHER_H_
#define ROUTEC_GENERATOR_REFERENCE_MATCHER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "route_table.h"
#include "type_automaton.h"

namespace routec::compiler {

struct Explanation {
  int status = 404;                  // 200, 204, 308, 400, 404, 405, 414 or 501
  std::optional<std::size_t> route;  // index into RouteTable::routes; only of 200
  std::vector<std::pair<std::string, std::string>> params;  // decoded octets; absent ones left out
  std::vector<std::string> allow;                           // sorted; of 204 and 405
  std::string location;                                     // of 308
  std::vector<std::string> why;                             // sentences
};

// Not for several threads at once: automata grow as they are used. `table` must outlive it, and
// have passed all checks of the compiler.
class ReferenceMatcher {
 public:
  explicit ReferenceMatcher(const RouteTable& table);
  ~ReferenceMatcher();

  // Any octets may be asked for. `target` is in origin form, or "*".
  Explanation explain(std::string_view method, std::string_view target);

 private:
  struct Request;
  struct Candidate;

  void route(const Request& request, Explanation& explanation);
  bool redirect(const Request& request, Explanation& explanation);
  void explain_misses(const Request& request, Explanation& explanation);
  std::size_t matched_segments(const Pattern& pattern, const std::vector<std::string>& segments);
  void refuse_method(const Request& request, Explanation& explanation);
  std::vector<Candidate> candidates(const Request& request);
  std::optional<Candidate> match(std::size_t route, const std::vector<std::string>& segments);
  bool match_segment(const Segment& segment, std::string_view text, Candidate& candidate);

  bool serves(const Route& route, std::string_view method) const;
  // Negative: `a` ranks higher. `why` receives the rule, with the winner first.
  int compare(const Candidate& a, const Candidate& b, const Request& request, std::string& why);
  int compare_segments(const Segment& a, const Segment& b, std::string& why);
  int compare_types(std::size_t a, std::size_t b, std::string& why);
  void choose(std::vector<Candidate> list, const Request& request, Explanation& explanation);
  std::string title(std::size_t route) const;

  const RouteTable& table_;
  std::vector<std::unique_ptr<TypeAutomaton>> types_;  // as RouteTable::types
  std::vector<bool> takes_any_;                        // likewise: as {x} does, whatever its name
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_REFERENCE_MATCHER_H_
