// Random requests near the edges of what the routes of a table match.
#ifndef ROUTEC_TESTS_BEHAVIOUR_RANDOM_REQUEST_H_
#define ROUTEC_TESTS_BEHAVIOUR_RANDOM_REQUEST_H_

#include <memory>
#include <string>
#include <vector>

#include "random.h"
#include "route_table.h"
#include "type_automaton.h"

namespace routec::test {

struct Request {
  std::string method;
  std::string target;
};

class RequestDrawer {
 public:
  // Both must outlive it.
  RequestDrawer(const compiler::RouteTable& table, Random& random);

  Request draw();

 private:
  std::string method(const compiler::Route& route);
  std::vector<std::string> segments(const compiler::Pattern& pattern);
  std::string segment(const compiler::Segment& pattern);
  std::string value(std::size_t type);
  std::string value_in(compiler::TypeAutomaton& type);
  std::string text();
  void disturb(std::vector<std::string>& segments);
  void change_octet(std::string& text);
  std::string encode(const std::string& segment, std::size_t escapes);
  void append_octet(std::string& out, char octet, bool escaped);
  void disturb_target(std::string& target);
  void lengthen(std::string& target);

  const compiler::RouteTable& table_;
  Random& random_;
  std::vector<std::unique_ptr<compiler::TypeAutomaton>> types_;  // as RouteTable::types
  std::vector<std::string> literals_;                            // of all patterns, decoded
};

}  // namespace routec::test

#endif  // ROUTEC_TESTS_BEHAVIOUR_RANDOM_REQUEST_H_
