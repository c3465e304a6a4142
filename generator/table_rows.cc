#include "table_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "cpp_text.h"
#include "routec/match.h"
#include "text_pool.h"

namespace routec::compiler {
namespace {

using Row = TableRows::Row;

constexpr std::size_t kWidth = 94;  // columns of a line of numbers

// 64 bits are a set.
template <typename Number>
std::string number(Number value) {
  return sizeof(value) == 8 ? fmt::format("{:#x}", value) : std::to_string(value);
}

template <typename Number>
TableRows number_rows(std::string type, std::string name, const std::vector<Number>& numbers) {
  TableRows table{std::move(type), std::move(name), {}};
  std::string line;
  for (const Number value : numbers) {
    const std::string text = number(value);
    if (!line.empty() && line.size() + 2 + text.size() > kWidth) {
      table.rows.push_back({line, ""});
      line.clear();
    }
    line += line.empty() ? text : ", " + text;
  }
  if (!line.empty()) table.rows.push_back({line, ""});
  return table;
}

std::string probe(const HashPlan::Probe& probe) {
  return fmt::format("{{{}, {}}}", probe.position, probe.row);
}

TableRows method_row_rows(const HashPlan& plan, const RouteTable& table) {
  TableRows rows{"routec::detail::MethodRow", "kMethodRows", {}};
  for (std::size_t id = 0; id < plan.method_rows.size(); ++id) {
    const HashPlan::MethodRow& row = plan.method_rows[id];
    rows.rows.push_back({fmt::format("{{{}, {}}}", row.first, row.longest),
                         id < table.methods.size() ? table.methods[id] : "ANY"});
  }
  return rows;
}

// That of HEAD, unless it has keys of its own.
bool is_row_of_get(const HashPlan& plan, std::size_t method) {
  return method == detail::kHead && plan.method_rows[method] == plan.method_rows[detail::kGet];
}

TableRows literal_method_rows(const HashPlan& plan) {
  std::vector<std::uint64_t> methods(longest_literal(plan) + 1);
  for (std::size_t id = 0; id < plan.method_rows.size(); ++id) {
    const HashPlan::MethodRow& row = plan.method_rows[id];
    if (is_row_of_get(plan, id)) continue;
    for (std::uint32_t length = 1; length <= row.longest; ++length)
      if (!plan.partitions[row.first + length - 1].is_empty())
        methods[length] |= std::uint64_t{1} << id;
  }
  if (methods.size() == 1) methods.clear();
  return number_rows("std::uint64_t", "kLiteralMethods", methods);
}

// What the lookups from kMethodRows lead to first: a method and a length.
std::vector<std::string> partition_comments(const HashPlan& plan, const RouteTable& table) {
  std::vector<std::string> comments(plan.partitions.size());
  for (std::size_t id = 0; id < plan.method_rows.size(); ++id) {
    const HashPlan::MethodRow& row = plan.method_rows[id];
    if (is_row_of_get(plan, id)) continue;
    for (std::uint32_t length = 1; length <= row.longest; ++length)
      comments[row.first + length - 1] = fmt::format(
          "{}, {} octets", id < table.methods.size() ? table.methods[id] : "ANY", length);
  }
  return comments;
}

TableRows partition_rows(const HashPlan& plan, const RouteTable& table) {
  const std::vector<std::string> comments = partition_comments(plan, table);
  TableRows rows{"routec::detail::Partition", "kPartitions", {}};
  for (std::size_t i = 0; i < plan.partitions.size(); ++i) {
    const HashPlan::Partition& partition = plan.partitions[i];
    rows.rows.push_back({fmt::format("{{{{{}, {}}}, {}, {}, {}}}", probe(partition.probes[0]),
                                     probe(partition.probes[1]), partition.first, partition.count,
                                     partition.children),
                         comments[i]});
  }
  return rows;
}

std::string route_comment(const Route& route) { return route.method + ' ' + route.pattern.text; }

TableRows literal_rows(const HashPlan& plan, const RouteTable& table) {
  TableRows rows{"routec::detail::LiteralEntry", "kLiterals", {}};
  for (const HashPlan::Literal& literal : plan.literals)
    rows.rows.push_back({fmt::format("{{{}, {}}}", literal.text, literal.route),
                         route_comment(table.routes[literal.route])});
  return rows;
}

std::size_t param_count(const Pattern& pattern) {
  std::size_t count = 0;
  for (const Segment& segment : pattern.segments) count += segment.params.size();
  return count;
}

// RouteEntry::segments.
std::string quick_params(const Pattern& pattern) {
  std::vector<std::size_t> quick;
  for (std::size_t i = 0; i < pattern.segments.size(); ++i) {
    const Segment& segment = pattern.segments[i];
    const bool is_quick = segment.is_plain() && !pattern.is_rest(i) && i < detail::kOtherParam;
    quick.insert(quick.end(), segment.params.size(), is_quick ? i : detail::kOtherParam);
  }
  if (quick.size() > detail::kQuickParams) quick.resize(detail::kQuickParams);
  return fmt::format("{{{}}}", fmt::join(quick, ", "));
}

}  // namespace

std::uint32_t longest_literal(const HashPlan& plan) {
  std::uint32_t longest = 0;
  for (const HashPlan::MethodRow& row : plan.method_rows) longest = std::max(longest, row.longest);
  return longest;
}

std::vector<TableRows> hash_rows(const HashPlan& plan, const RouteTable& table) {
  return {number_rows("std::uint64_t", "kLiteralFilter", plan.literal_filter),
          method_row_rows(plan, table),
          literal_method_rows(plan),
          partition_rows(plan, table),
          number_rows("std::uint8_t", "kRows", plan.rows),
          literal_rows(plan, table)};
}

TableRows method_rows(const RouteTable& table) {
  TableRows rows{"const char*", "kMethods", {}};
  for (const std::string& method : table.methods) rows.rows.push_back({string_literal(method), ""});
  return rows;
}

TableRows route_rows(const RouteTable& table) {
  TableRows rows{"routec::detail::RouteEntry", "kRoutes", {}};
  std::size_t params = 0;
  for (const Route& route : table.routes) {
    const std::size_t count = param_count(route.pattern);
    const std::string limit =
        route.body_limit ? std::to_string(*route.body_limit) : "routec::detail::kNoBodyLimit";
    rows.rows.push_back({fmt::format("{{{}, {}, {}, {}, {}, {}, {}}}", route.id, params, count,
                                     quick_params(route.pattern),
                                     string_literal(table.handlers[route.handler].name),
                                     string_literal(route.pattern.text), limit),
                         route.method});
    params += count;
  }
  return rows;
}

std::vector<std::vector<std::string>> text_blocks(std::string_view texts) {
  constexpr std::size_t kLineOctets = 80;
  std::vector<std::vector<std::string>> blocks;
  while (!texts.empty()) {
    std::string_view block = texts.substr(0, kTextBlock - 1);
    texts.remove_prefix(std::min(kTextBlock, texts.size()));
    std::vector<std::string>& lines = blocks.emplace_back();
    for (; !block.empty(); block.remove_prefix(std::min(kLineOctets, block.size())))
      lines.push_back(string_literal(block.substr(0, kLineOctets)));
  }
  return blocks;
}

}  // namespace routec::compiler
