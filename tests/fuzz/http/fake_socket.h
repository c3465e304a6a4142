// Stands in for socket.cc: one socket whose input is a text and whose output is kept.
#ifndef ROUTEC_TESTS_FUZZ_HTTP_FAKE_SOCKET_H_
#define ROUTEC_TESTS_FUZZ_HTTP_FAKE_SOCKET_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace routec::detail {

struct FakeSocket {
  std::string_view input;
  std::string output;
  bool tiny = false;  // an octet a call, and EAGAIN for every third
  unsigned calls = 0;
  bool sending_ended = false;
};

extern FakeSocket fake_socket;

}  // namespace routec::detail

#endif  // ROUTEC_TESTS_FUZZ_HTTP_FAKE_SOCKET_H_
