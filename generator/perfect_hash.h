// Plans the literal routes: partitions of the keys, each solved by gperf and proved here.
#ifndef ROUTEC_GENERATOR_PERFECT_HASH_H_
#define ROUTEC_GENERATOR_PERFECT_HASH_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "route_table.h"

namespace routec::compiler {

// One literal path under one method. `path` is in normal form (routec/tables.h).
struct LiteralKey {
  std::size_t method = 0;  // method id; RouteTable::methods.size() for ANY
  std::string path;
  std::size_t route = 0;  // index into RouteTable::routes
};

struct HashOptions {
  std::string gperf = "gperf";                 // program name or path
  std::chrono::milliseconds time_limit{5000};  // for one partition; then it is split further
  std::size_t most_timeouts = 3;               // in all; then gperf is given up
};

// The tables of routec/tables.h of the same names, as numbers.
struct HashPlan {
  struct Probe {
    std::uint16_t position = 0;
    std::uint32_t row = 0;
  };
  struct Partition {
    Probe probes[2];
    std::uint32_t first = 0;
    std::uint16_t count = 0, children = 0;

    bool is_empty() const { return count == 0 && children == 0; }
  };
  struct MethodRow {
    std::uint32_t first = 0;
    std::uint32_t longest = 0;

    bool operator==(const MethodRow&) const = default;
  };
  struct Literal {
    std::uint32_t text = 0;
    std::uint32_t route = 0;
  };
  std::vector<MethodRow> method_rows;
  std::vector<Partition> partitions;
  std::vector<std::uint8_t> rows;
  std::vector<Literal> literals;  // exactly one a key
  std::vector<std::uint64_t> literal_filter;
  unsigned filter_shift = 0;
  bool has_split = false;
  std::string texts;  // see text_pool.h
};

// The keys of all literal routes; with `slash: both` each of them under its other spelling too.
// Which routes are looked up by them is Ranking::is_looked_up.
std::vector<LiteralKey> literal_keys(const RouteTable& table);

// No two keys have the same method and path. HEAD gets the keys of GET but where it has its own: by
// keys that are added, or, if it has none, by GET's row. Equal keys in any order give equal plans.
// Fails only for want of a gperf that answers.
std::optional<HashPlan> plan_hash(std::vector<LiteralKey> keys, std::size_t method_count,
                                  const HashOptions& options, Diagnostics& diagnostics);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_PERFECT_HASH_H_
