#include "perfect_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "gperf.h"
#include "normal_form.h"
#include "routec/match.h"
#include "text_pool.h"

namespace routec::compiler {
namespace {

constexpr std::size_t kLongestPath = 8192;  // longer targets are refused before the lookup

// gperf solves that many keys over two octets in milliseconds and almost without gaps, whatever
// they look like; so its time limit never decides what the output is.
constexpr std::size_t kLargestPartition = 48;

// The value of an octet that no key of a partition has: larger than any count of keys or children.
constexpr std::uint8_t kNoKey = 255;

// Octets of long, quite different paths beyond these add nothing to tell them apart.
constexpr std::size_t kMostColumns = 64;

std::uint8_t octet(char c) { return static_cast<std::uint8_t>(c); }

using Keys = std::vector<const LiteralKey*>;  // of one method and length

// A probe with the values of the octets that keys have, before rows are shared and placed. Without
// any other it looks at the slash that every path begins with.
struct ProbeTable {
  std::size_t position = 0;
  std::uint8_t low = '/';
  std::vector<std::uint8_t> values{0};  // one an octet from `low` on

  std::uint8_t look_up(std::string_view path) const {
    return values.at(static_cast<std::size_t>(octet(path[position]) - low));
  }
};

// A node of the tree of partitions of one method and length.
struct Group {
  Keys keys;
  std::vector<Group> children;  // of a split
  ProbeTable probes[2];
  std::vector<const LiteralKey*> slots;  // of a solved leaf: the key of each hash
};

ProbeTable make_probe(std::size_t position, const std::map<std::uint8_t, std::uint8_t>& values) {
  ProbeTable probe;
  probe.position = position;
  probe.low = values.begin()->first;
  probe.values.assign(static_cast<std::size_t>(values.rbegin()->first - probe.low) + 1, kNoKey);
  for (const auto& [key, value] : values)
    probe.values[static_cast<std::size_t>(key - probe.low)] = value;
  return probe;
}

// ---- Which octets tell the keys apart -----------------------------------------------------------

struct Column {
  std::size_t position;
  std::size_t distinct;  // octets that occur there
  std::size_t cost;      // keys that share their octet with others: sum of squares
};

// The columns in which keys differ; those with most distinct octets first.
std::vector<Column> find_columns(const Keys& keys) {
  std::vector<Column> columns;
  for (std::size_t position = 0; position < keys[0]->path.size(); ++position) {
    std::size_t counts[256] = {};
    for (const LiteralKey* key : keys) ++counts[octet(key->path[position])];
    Column column{position, 0, 0};
    for (const std::size_t count : counts) {
      column.distinct += count != 0;
      column.cost += count * count;
    }
    if (column.distinct > 1) columns.push_back(column);
  }
  std::stable_sort(columns.begin(), columns.end(),
                   [](const Column& a, const Column& b) { return a.cost < b.cost; });
  return columns;
}

bool tell_apart(const Keys& keys, std::size_t first, std::size_t second) {
  std::vector<std::uint32_t> pairs;
  for (const LiteralKey* key : keys)
    pairs.push_back(octet(key->path[first]) * 256U + octet(key->path[second]));
  std::sort(pairs.begin(), pairs.end());
  return std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end();
}

// One or two positions whose octets differ between any two of the keys; empty if there are none.
std::vector<std::size_t> choose_positions(const Keys& keys) {
  std::vector<Column> columns = find_columns(keys);
  if (columns[0].distinct == keys.size()) return {columns[0].position};
  columns.resize(std::min(columns.size(), kMostColumns));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (columns[i].distinct * columns[j].distinct < keys.size()) continue;
      if (tell_apart(keys, columns[j].position, columns[i].position))
        return {columns[j].position, columns[i].position};
    }
  }
  return {};
}

// ---- Splitting ----------------------------------------------------------------------------------

// Gives each octet of the best column to one of several children of at most `limit` keys; a child
// of one octet may be larger. There are always at least two children.
void split(Group& group, std::size_t limit) {
  const std::size_t position = find_columns(group.keys)[0].position;
  std::map<std::uint8_t, Keys> by_octet;
  for (const LiteralKey* key : group.keys) by_octet[octet(key->path[position])].push_back(key);

  std::map<std::uint8_t, std::uint8_t> values;
  for (auto& [value, keys] : by_octet) {
    if (group.children.empty() || group.children.back().keys.size() + keys.size() > limit)
      group.children.emplace_back();
    Keys& child = group.children.back().keys;
    child.insert(child.end(), keys.begin(), keys.end());
    values[value] = static_cast<std::uint8_t>(group.children.size() - 1);
  }
  group.probes[0] = make_probe(position, values);
}

void split_large(Group& group) {
  if (group.keys.size() <= kLargestPartition) return;
  split(group, kLargestPartition);
  for (Group& child : group.children) split_large(child);
}

// ---- Solving ------------------------------------------------------------------------------------

// gperf's values for the octets of the keys at a position, the least of them 0; empty if one is too
// large. With a position alone they only count: 0, 1, 2, ...
std::map<std::uint8_t, std::uint8_t> values_at(const Keys& keys, std::size_t position,
                                               const GperfAnswer& answer, std::size_t probe,
                                               bool alone) {
  std::map<std::uint32_t, std::uint8_t> octets;  // by gperf's value
  std::map<std::uint8_t, std::uint32_t> values;
  for (const LiteralKey* key : keys) {
    const std::uint8_t c = octet(key->path[position]);
    values[c] = answer.value(probe, c);
    octets[values[c]] = c;
  }
  std::map<std::uint8_t, std::uint8_t> small;
  for (const auto& [c, value] : values) {
    const auto rank = static_cast<std::uint32_t>(std::distance(octets.begin(), octets.find(value)));
    const std::uint32_t number = alone ? rank : value - octets.begin()->first;
    if (number >= kNoKey) return {};
    small[c] = static_cast<std::uint8_t>(number);
  }
  return small;
}

// Turns gperf's values into probes; false if they do not count the keys without a gap.
bool use_answer(Group& group, const std::vector<std::size_t>& positions,
                const GperfAnswer& answer) {
  for (std::size_t p = 0; p < positions.size(); ++p) {
    const auto values =
        values_at(group.keys, positions[p], answer, p, /*alone=*/positions.size() == 1);
    if (values.empty()) return false;
    group.probes[p] = make_probe(positions[p], values);
  }
  group.slots.assign(group.keys.size(), nullptr);
  for (const LiteralKey* key : group.keys) {
    const std::size_t slot =
        std::size_t{group.probes[0].look_up(key->path)} + group.probes[1].look_up(key->path);
    if (slot >= group.slots.size() || group.slots[slot] != nullptr) return false;
    group.slots[slot] = key;
  }
  return true;
}

struct Solving {
  const HashOptions& options;
  std::atomic<std::size_t> timeouts{0};
};

// Runs gperf on the octets that the hash will look at: all others are the same to it.
GperfEnd run_gperf(Group& group, Solving& solving, std::string& error) {
  const std::vector<std::size_t> positions = choose_positions(group.keys);
  if (positions.empty()) return GperfEnd::kUnsolved;
  std::vector<std::string> keys;
  for (const LiteralKey* key : group.keys) {
    std::string& text = keys.emplace_back();
    for (const std::size_t position : positions) text += key->path[position];
  }
  GperfAnswer answer;
  const HashOptions& options = solving.options;
  const GperfEnd end = solve_with_gperf(options.gperf, keys, options.time_limit, answer, error);
  if (end == GperfEnd::kUnsolved && ++solving.timeouts >= options.most_timeouts) {
    error = fmt::format("gperf ('{}') gave no answer within {} ms, {} times", options.gperf,
                        options.time_limit.count(), options.most_timeouts);
    return GperfEnd::kFailed;
  }
  if (end != GperfEnd::kSolved) return end;
  return use_answer(group, positions, answer) ? GperfEnd::kSolved : GperfEnd::kUnsolved;
}

// Never fails for hard keys: they are split until gperf solves them.
bool solve(Group& group, Solving& solving, std::string& error) {
  if (group.keys.size() == 1) {
    group.slots = {group.keys[0]};
    return true;
  }
  const GperfEnd end = run_gperf(group, solving, error);
  if (end != GperfEnd::kUnsolved) return end == GperfEnd::kSolved;
  group.probes[0] = group.probes[1] = ProbeTable();
  group.slots.clear();
  split(group, group.keys.size() / 2);
  for (Group& child : group.children)
    if (!solve(child, solving, error)) return false;
  return true;
}

void collect_leaves(Group& group, std::vector<Group*>& leaves) {
  if (group.children.empty()) leaves.push_back(&group);
  for (Group& child : group.children) collect_leaves(child, leaves);
}

// Solves all leaves on all processors. The result does not depend on who solves what.
bool solve_all(const std::vector<Group*>& leaves, const HashOptions& options, std::string& error) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  Solving solving{options};
  std::mutex error_mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < leaves.size() && !failed; i = next++) {
      std::string text;
      if (solve(*leaves[i], solving, text)) continue;
      failed = true;
      const std::lock_guard<std::mutex> lock(error_mutex);
      error = text;
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < std::thread::hardware_concurrency() && i < leaves.size(); ++i)
    others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return !failed;
}

// ---- Laying out the tables ----------------------------------------------------------------------

class Layout {
 public:
  // `groups` are sorted by method and length.
  Layout(std::size_t method_count, const std::vector<Group>& groups) {
    plan_.method_rows.resize(method_count + 1);
    for (const Group& group : groups) reserve_lengths(group);
    for (const Group& group : groups) place(group, index_of(group));
    if (!groups.empty()) plan_.rows.resize(last_row_ + 256, kNoKey);
    if (!groups.empty()) add_filter(groups);
    HashPlan::MethodRow& head = plan_.method_rows[detail::kHead];
    if (head.longest == 0) head = plan_.method_rows[detail::kGet];
    plan_.texts = texts_.take();
  }

  HashPlan take() { return std::move(plan_); }

 private:
  std::size_t index_of(const Group& group) const {
    const HashPlan::MethodRow& row = plan_.method_rows[group.keys[0]->method];
    return row.first + group.keys[0]->path.size() - 1;
  }

  // Of 8 to 16 bits a key: one in ten other paths passes, or fewer.
  void add_filter(const std::vector<Group>& groups) {
    std::size_t keys = 0;
    for (const Group& group : groups) keys += group.keys.size();
    const std::size_t bits = std::bit_ceil(std::max<std::size_t>(8 * keys, 64));
    plan_.filter_shift = static_cast<unsigned>(64 - std::countr_zero(bits));
    plan_.literal_filter.resize(bits / 64);
    for (const Group& group : groups) {
      for (const LiteralKey* key : group.keys) {
        if (key->path.size() < 8) continue;
        const std::uint64_t bit = detail::filter_hash(key->path) >> plan_.filter_shift;
        plan_.literal_filter[bit / 64] |= std::uint64_t{1} << bit % 64;
      }
    }
  }

  // A partition for the group's length and each less than it.
  void reserve_lengths(const Group& group) {
    HashPlan::MethodRow& row = plan_.method_rows[group.keys[0]->method];
    if (row.longest == 0) row.first = static_cast<std::uint32_t>(plan_.partitions.size());
    row.longest = static_cast<std::uint32_t>(group.keys[0]->path.size());
    plan_.partitions.resize(row.first + row.longest);
  }

  void place(const Group& group, std::size_t index) {
    HashPlan::Partition partition;
    for (std::size_t p = 0; p < 2; ++p) partition.probes[p] = place(group.probes[p]);
    if (group.children.empty()) {
      partition.first = static_cast<std::uint32_t>(plan_.literals.size());
      partition.count = static_cast<std::uint16_t>(group.slots.size());
      for (const LiteralKey* key : group.slots)
        plan_.literals.push_back({texts_.add(key->path), static_cast<std::uint32_t>(key->route)});
    } else {
      plan_.has_split = true;
      const std::size_t first = plan_.partitions.size();
      partition.first = static_cast<std::uint32_t>(first);
      partition.children = static_cast<std::uint16_t>(group.children.size());
      plan_.partitions.resize(first + group.children.size());
      for (std::size_t i = 0; i < group.children.size(); ++i) place(group.children[i], first + i);
    }
    plan_.partitions[index] = partition;
  }

  // Equal rows are stored once. The row of octet 0 begins within the array, so that no octet leads
  // out of it.
  HashPlan::Probe place(const ProbeTable& table) {
    auto& rows = plan_.rows;
    auto& begin = row_begins_[{table.values.begin(), table.values.end()}];
    if (begin < table.low || begin == 0) {
      rows.resize(std::max<std::size_t>(rows.size(), table.low), kNoKey);
      begin = static_cast<std::uint32_t>(rows.size());
      rows.insert(rows.end(), table.values.begin(), table.values.end());
    }
    const std::uint32_t row = begin - table.low;
    last_row_ = std::max(last_row_, row);
    return {static_cast<std::uint16_t>(table.position), row};
  }

  HashPlan plan_;
  TextPool texts_;
  std::unordered_map<std::string, std::uint32_t> row_begins_;  // where the values of each row are
  std::uint32_t last_row_ = 0;
};

// One group a method and length; `keys` are sorted by method, length and path.
std::vector<Group> group_keys(const std::vector<LiteralKey>& keys) {
  std::vector<Group> groups;
  const LiteralKey* last = nullptr;
  for (const LiteralKey& key : keys) {
    if (last == nullptr || last->method != key.method || last->path.size() != key.path.size())
      groups.emplace_back();
    groups.back().keys.push_back(&key);
    last = &key;
  }
  return groups;
}

void add_head_keys(std::vector<LiteralKey>& keys) {
  std::unordered_set<std::string> own;
  std::vector<LiteralKey> more;
  for (const LiteralKey& key : keys)
    if (key.method == detail::kHead) own.insert(key.path);
  if (own.empty()) return;
  for (const LiteralKey& key : keys)
    if (key.method == detail::kGet && !own.contains(key.path))
      more.push_back({detail::kHead, key.path, key.route});
  keys.insert(keys.end(), more.begin(), more.end());
}

std::string literal_path(const Pattern& pattern) {
  std::string path;
  for (const Segment& segment : pattern.segments) {
    path += '/';
    path += normal_form(segment.literals[0]);
  }
  return path;
}

}  // namespace

std::vector<LiteralKey> literal_keys(const RouteTable& table) {
  std::unordered_map<std::string_view, std::size_t> method_ids{{"ANY", table.methods.size()}};
  for (std::size_t i = 0; i < table.methods.size(); ++i) method_ids.emplace(table.methods[i], i);

  std::vector<LiteralKey> keys;
  for (std::size_t i = 0; i < table.routes.size(); ++i) {
    const Route& route = table.routes[i];
    if (!route.pattern.is_literal()) continue;
    std::string path = literal_path(route.pattern);
    if (path.size() > kLongestPath) continue;
    keys.push_back({method_ids.at(route.method), path, i});
    if (table.slash != SlashMode::kBoth || path == "/") continue;
    if (path.back() == '/') {
      path.pop_back();
    } else {
      path += '/';
    }
    keys.push_back({method_ids.at(route.method), path, i});
  }
  return keys;
}

std::optional<HashPlan> plan_hash(std::vector<LiteralKey> keys, std::size_t method_count,
                                  const HashOptions& options, Diagnostics& diagnostics) {
  add_head_keys(keys);
  std::sort(keys.begin(), keys.end(), [](const LiteralKey& a, const LiteralKey& b) {
    if (a.method != b.method) return a.method < b.method;
    if (a.path.size() != b.path.size()) return a.path.size() < b.path.size();
    return a.path < b.path;
  });
  std::vector<Group> groups = group_keys(keys);
  std::vector<Group*> leaves;
  for (Group& group : groups) {
    split_large(group);
    collect_leaves(group, leaves);
  }
  std::string error;
  if (!solve_all(leaves, options, error)) {
    diagnostics.failure("gperf", error).cure =
        "install the Debian package gperf (apt install gperf), or name the program with --gperf";
    return std::nullopt;
  }
  return Layout(method_count, groups).take();
}

}  // namespace routec::compiler
