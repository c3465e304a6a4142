// A chunked body in one piece and in two gives the same data. The first octet says where it is cut.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "chunked_body.h"

namespace {

using routec::detail::ChunkedBody;

constexpr std::uint64_t kLimit = 4096;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = data[0] * input.size() / 255;

  std::string whole = input;
  const auto expected = ChunkedBody().decode(whole.data(), whole.size(), kLimit);
  if (expected.produced > kLimit || expected.consumed > input.size()) std::abort();
  whole.resize(expected.produced);

  ChunkedBody body;
  std::string first = input.substr(0, cut);
  auto result = body.decode(first.data(), first.size(), kLimit);
  std::string decoded = first.substr(0, result.produced);
  std::size_t consumed = result.consumed;
  if (result.status == ChunkedBody::Status::incomplete) {
    std::string second = input.substr(cut);
    result = body.decode(second.data(), second.size(), kLimit);
    decoded.append(second, 0, result.produced);
    consumed += result.consumed;
  }
  if (result.status != expected.status || decoded != whole || consumed != expected.consumed)
    std::abort();
  return 0;
}
