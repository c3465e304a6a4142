// Runs gperf as a solver and reads its answer back.
#ifndef ROUTEC_GENERATOR_GPERF_H_
#define ROUTEC_GENERATOR_GPERF_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace routec::compiler {

// hash(key) = sum over its octets of values[octet + increments[index of the octet]].
struct GperfAnswer {
  std::vector<std::uint32_t> values;      // gperf's asso_values
  std::vector<std::uint32_t> increments;  // one an octet of the keys

  std::uint32_t value(std::size_t index, std::uint8_t octet) const {
    return values[octet + increments[index]];
  }
};

enum class GperfEnd : std::uint8_t {
  kSolved,
  kUnsolved,  // out of time
  kFailed,    // there is no gperf, or it is not one; `error` says why
};

// `keys` are different, all of the same length, which is 1 or 2. Thread-safe.
GperfEnd solve_with_gperf(const std::string& gperf, const std::vector<std::string>& keys,
                          std::chrono::milliseconds time_limit, GperfAnswer& answer,
                          std::string& error);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_GPERF_H_
