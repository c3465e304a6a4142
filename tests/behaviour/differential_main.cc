// Random tables and random requests: the generated tables against the reference matcher.
//
//   differential --tables 10000 --requests 100 [--seed N] [--seconds S]
//   differential --print SEED --requests 100      one table: its manifest, requests and answers
//   differential --manifest FILE --requests 100   a table that is given
//
// Ends with 1 when they differ, and prints the smallest manifest that shows it.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "match_text.h"
#include "random.h"
#include "random_manifest.h"
#include "random_request.h"
#include "table_under_test.h"

namespace routec::test {
namespace {

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t tables = 1000;
  std::uint64_t requests = 100;
  std::uint64_t seconds = 0;  // 0: no limit
  bool print = false;
  std::string manifest;
};

struct Counts {
  std::uint64_t tables = 0, refused = 0, searched = 0, requests = 0, differences = 0;
  std::map<std::string, std::uint64_t> by_status;
};

// Takes out the routes that the diagnostics point to; false if there are none.
bool remove_refused(ManifestDraft& draft, const TableUnderTest::Outcome& outcome) {
  const auto head_lines =
      static_cast<std::size_t>(std::count(draft.head.begin(), draft.head.end(), '\n'));
  std::set<std::size_t> refused;
  for (const compiler::Diagnostic& diagnostic : outcome.diagnostics.all()) {
    if (diagnostic.severity != compiler::Severity::kError) continue;
    const std::size_t line = outcome.sources[0].position(diagnostic.span.begin).line - 1;
    if (line >= head_lines && line - head_lines < draft.routes.size())
      refused.insert(line - head_lines);
  }
  for (auto line = refused.rbegin(); line != refused.rend(); ++line)
    draft.routes.erase(draft.routes.begin() + static_cast<std::ptrdiff_t>(*line));
  return !refused.empty() && !draft.routes.empty();
}

// Some tables get so few decisions that they have to search.
compiler::DecisionLimits draw_limits(Random& random) {
  compiler::DecisionLimits limits;
  if (random.percent(15)) limits.nodes = random.below(6);
  return limits;
}

struct Drawn {
  ManifestDraft draft;
  compiler::DecisionLimits limits;
  TableUnderTest::Outcome outcome;  // without a table: nothing was left of it
};

Drawn draw_table(Random& random) {
  Drawn drawn{draw_manifest(random), draw_limits(random), {}};
  do {
    drawn.outcome = TableUnderTest::make(drawn.draft.text(), drawn.limits);
  } while (!drawn.outcome.table && remove_refused(drawn.draft, drawn.outcome));
  return drawn;
}

// The manifest without the routes that the difference does not need.
std::string shrink(ManifestDraft draft, const compiler::DecisionLimits& limits,
                   const Request& request) {
  for (std::size_t i = draft.routes.size(); i-- > 0;) {
    ManifestDraft smaller = draft;
    smaller.routes.erase(smaller.routes.begin() + static_cast<std::ptrdiff_t>(i));
    const auto outcome = TableUnderTest::make(smaller.text(), limits);
    if (outcome.table && !outcome.table->difference(request.method, request.target).empty())
      draft = std::move(smaller);
  }
  return draft.text();
}

std::string shown(const Request& request) {
  return octet_text(request.method) + ' ' + octet_text(request.target);
}

// Returns after the first difference.
void check_requests(const Drawn& drawn, const Options& options, Random& random, Counts& counts) {
  ++counts.tables;
  if (drawn.outcome.has("search")) ++counts.searched;
  TableUnderTest& table = *drawn.outcome.table;
  RequestDrawer requests(table.routes(), random);
  for (std::uint64_t i = 0; i < options.requests; ++i) {
    const Request request = requests.draw();
    const std::string difference = table.difference(request.method, request.target);
    ++counts.requests;
    ++counts.by_status[table.expected(request.method, request.target).substr(0, 3)];
    if (difference.empty()) continue;
    ++counts.differences;
    std::cout << shown(request) << '\n'
              << difference << shrink(drawn.draft, drawn.limits, request) << std::endl;
    return;
  }
}

void check_table(std::uint64_t seed, const Options& options, Counts& counts) {
  Random random(seed);
  const Drawn drawn = draw_table(random);
  if (!drawn.outcome.table) {
    ++counts.refused;
    return;
  }
  const std::uint64_t before = counts.differences;
  check_requests(drawn, options, random, counts);
  if (counts.differences != before) std::cout << "(seed " << seed << ")\n";
}

void check_manifest(const Options& options, Counts& counts) {
  std::ifstream file(options.manifest, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Drawn drawn{{text, {}}, {}, TableUnderTest::make(text)};
  Random random(options.seed);
  if (drawn.outcome.table) check_requests(drawn, options, random, counts);
}

// What a program that was compiled from the manifest must print; see compiled_differential.py.
int print_table(const Options& options) {
  Random random(options.seed);
  const Drawn drawn = draw_table(random);
  if (!drawn.outcome.table) return 1;
  std::cout << drawn.draft.text();
  RequestDrawer requests(drawn.outcome.table->routes(), random);
  for (std::uint64_t i = 0; i < options.requests; ++i) {
    const Request request = requests.draw();
    std::cout << "# " << shown(request) << '\t'
              << drawn.outcome.table->expected(request.method, request.target) << '\n';
  }
  return 0;
}

int run(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  Counts counts;
  if (!options.manifest.empty()) check_manifest(options, counts);
  for (std::uint64_t i = 0; i < options.tables && options.manifest.empty(); ++i) {
    const auto spent = std::chrono::steady_clock::now() - start;
    if (options.seconds != 0 && spent >= std::chrono::seconds(options.seconds)) break;
    check_table(options.seed + i, options, counts);
  }
  std::cout << counts.tables << " tables (" << counts.searched << " with a search, "
            << counts.refused << " more refused), " << counts.requests << " requests (";
  for (const auto& [status, count] : counts.by_status) std::cout << status << ": " << count << "; ";
  std::cout << "), " << counts.differences << " differences\n";
  return counts.differences == 0 && counts.tables != 0 ? 0 : 1;
}

Options parse(int count, char** arguments) {
  Options options;
  const std::map<std::string_view, std::uint64_t*> known = {{"--seed", &options.seed},
                                                            {"--print", &options.seed},
                                                            {"--tables", &options.tables},
                                                            {"--requests", &options.requests},
                                                            {"--seconds", &options.seconds}};
  for (int i = 1; i < count; i += 2) {
    const auto option = known.find(arguments[i]);
    const std::string_view value = i + 1 < count ? arguments[i + 1] : "";
    if (std::string_view(arguments[i]) == "--manifest") {
      options.manifest = value;
      continue;
    }
    if (option == known.end() ||
        std::from_chars(value.data(), value.data() + value.size(), *option->second).ec !=
            std::errc()) {
      std::cerr << "usage: see the top of differential_main.cc\n";
      std::exit(2);
    }
    options.print = options.print || option->first == "--print";
  }
  return options;
}

}  // namespace
}  // namespace routec::test

int main(int count, char** arguments) {
  const routec::test::Options options = routec::test::parse(count, arguments);
  return options.print ? routec::test::print_table(options) : routec::test::run(options);
}
