#include "live_tables.h"

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "initializer_reader.h"

namespace routec::test {
namespace {

using nlohmann::json;
using Reader = InitializerReader;

void read(Reader& reader, std::uint8_t& number) { reader.read(number); }
void read(Reader& reader, std::uint16_t& number) { reader.read(number); }
void read(Reader& reader, std::uint32_t& number) { reader.read(number); }
void read(Reader& reader, std::uint64_t& number) { reader.read(number); }

template <typename... Values>
void read_all(Reader& reader, Values&... values) {
  (reader.read(values), ...);
}

void read(Reader& reader, detail::MethodRow& row) { read_all(reader, row.first, row.longest); }

void read(Reader& reader, detail::Partition& partition) {
  for (detail::Probe& probe : partition.probes) read_all(reader, probe.position, probe.row);
  read_all(reader, partition.first, partition.count, partition.children);
}

void read(Reader& reader, detail::LiteralEntry& entry) {
  read_all(reader, entry.text, entry.route);
}

void read(Reader& reader, detail::Node& node) {
  read_all(reader, node.kind, node.shift, node.segment, node.first, node.count, node.otherwise,
           node.multiplier);
}

void read(Reader& reader, detail::Edge& edge) {
  read_all(reader, edge.head, edge.tail, edge.length, edge.text);
  read(reader, edge.node);
}

void read(Reader& reader, detail::Check& check) {
  read_all(reader, check.head, check.tail, check.length, check.text, check.segment, check.dfa);
}

void read(Reader& reader, detail::Dfa& dfa) {
  read_all(reader, dfa.classes, dfa.transitions, dfa.accepts, dfa.width);
}

void read(Reader& reader, detail::Split& split) {
  read_all(reader, split.dfa, split.reversed_dfa, split.literal);
}

// A block of texts is an array of 65,536 octets, unless it is the only one.
std::string texts_of(const json& blocks) {
  constexpr std::size_t kBlock = 65536;
  std::string texts;
  for (const json& block : blocks) {
    std::string lines, text;
    for (const json& line : block) lines += line.get<std::string>() + '\n';
    Reader reader(lines);
    reader.read(text);
    text += '\0';
    if (text.size() > kBlock) throw std::runtime_error("a text block is too long");
    if (blocks.size() > 1) text.resize(kBlock, '\0');
    texts += text;
  }
  return texts;
}

}  // namespace

struct LiveTables::Arrays {
  explicit Arrays(const json& model);

  // Reads the array of that name and returns its first element.
  template <typename Row>
  const Row* load(const char* name, std::vector<Row>& rows);
  const char* const* load_methods();
  const detail::RouteEntry* load_routes();
  const detail::ParamEntry* load_params();
  const char* keep(Reader& reader);
  template <typename Value>
  void load_field(const char* name, Value& value);
  void load_hash();
  void load_automaton();

  detail::Tables tables{};
  std::map<std::string, std::string> sources;  // initializers by array name
  std::map<std::string, std::string> fields;
  std::deque<std::string> strings;
  std::string texts;

  std::vector<const char*> methods;
  std::vector<detail::MethodRow> method_rows;
  std::vector<std::uint64_t> literal_filter, literal_methods;
  std::vector<detail::Partition> partitions;
  std::vector<std::uint8_t> rows;
  std::vector<detail::LiteralEntry> literals;
  std::vector<detail::Node> plain_roots, trailing_roots, inner_roots, nodes;
  std::vector<detail::Edge> edges;
  std::vector<std::uint32_t> targets, choices, candidates;
  std::vector<detail::Check> checks;
  std::vector<detail::Dfa> dfas;
  std::vector<std::uint8_t> dfa_classes;
  std::vector<std::uint16_t> dfa_states;
  std::vector<detail::RouteEntry> routes;
  std::vector<detail::ParamEntry> params;
  std::vector<detail::Split> splits;
};

LiveTables::Arrays::Arrays(const json& model) {
  const json& source = model.at("tables");
  for (const json& array : source.at("arrays")) {
    std::string& text = sources[array.at("name")];
    for (const json& row : array.at("rows")) text += row.get<std::string>() + '\n';
  }
  for (const json& field : source.at("fields"))
    fields[field.at("name").get<std::string>()] = field.at("value").get<std::string>();
  texts = texts_of(source.at("texts"));
  texts.shrink_to_fit();
  tables.texts = texts.data();
  tables.methods = load_methods();
  load_field("method_count", tables.method_count);
  load_field("redirect_slash", tables.redirect_slash);
  load_field("any_route", tables.any_route);
  load_field("all_methods", tables.all_methods);
  load_hash();
  load_field("root_count", tables.root_count);
  load_automaton();
  tables.routes = load_routes();
  tables.params = load_params();
  tables.splits = load("kSplits", splits);
}

void LiveTables::Arrays::load_hash() {
  load_field("longest_literal", tables.longest_literal);
  load_field("has_split", tables.has_split);
  load_field("filter_shift", tables.filter_shift);
  tables.literal_filter = load("kLiteralFilter", literal_filter);
  tables.method_rows = load("kMethodRows", method_rows);
  tables.literal_methods = load("kLiteralMethods", literal_methods);
  tables.partitions = load("kPartitions", partitions);
  tables.rows = load("kRows", rows);
  tables.literals = load("kLiterals", literals);
}

void LiveTables::Arrays::load_automaton() {
  tables.plain_roots = load("kPlainRoots", plain_roots);
  tables.trailing_roots = load("kTrailingRoots", trailing_roots);
  tables.inner_roots = load("kInnerRoots", inner_roots);
  tables.nodes = load("kNodes", nodes);
  tables.edges = load("kEdges", edges);
  tables.targets = load("kTargets", targets);
  tables.checks = load("kChecks", checks);
  tables.choices = load("kChoices", choices);
  tables.candidates = load("kCandidates", candidates);
  tables.dfas = load("kDfas", dfas);
  tables.dfa_classes = load("kDfaClasses", dfa_classes);
  tables.dfa_states = load("kDfaStates", dfa_states);
}

template <typename Row>
const Row* LiveTables::Arrays::load(const char* name, std::vector<Row>& list) {
  Reader reader(sources[name]);
  while (!reader.at_end()) read(reader, list.emplace_back());
  list.shrink_to_fit();  // so that AddressSanitizer sees a read beyond the last row
  return list.empty() ? nullptr : list.data();
}

template <typename Value>
void LiveTables::Arrays::load_field(const char* name, Value& value) {
  Reader reader(fields.at(name));
  reader.read(value);
}

const char* LiveTables::Arrays::keep(Reader& reader) {
  reader.read(strings.emplace_back());
  return strings.back().c_str();
}

const char* const* LiveTables::Arrays::load_methods() {
  Reader reader(sources["kMethods"]);
  while (!reader.at_end()) methods.push_back(keep(reader));
  return methods.data();
}

const detail::RouteEntry* LiveTables::Arrays::load_routes() {
  Reader reader(sources["kRoutes"]);
  while (!reader.at_end()) {
    detail::RouteEntry& route = routes.emplace_back();
    read_all(reader, route.id, route.params, route.param_count);
    for (std::size_t i = 0; i < std::min<std::size_t>(route.param_count, detail::kQuickParams); ++i)
      reader.read(route.segments[i]);
    route.name = keep(reader);
    route.pattern = keep(reader);
    reader.read(route.body_limit);
  }
  return routes.data();
}

const detail::ParamEntry* LiveTables::Arrays::load_params() {
  Reader reader(sources["kParams"]);
  while (!reader.at_end()) {
    detail::ParamEntry& param = params.emplace_back();
    param.name = keep(reader);
    read_all(reader, param.kind, param.segment, param.prefix, param.suffix, param.part,
             param.split);
  }
  params.shrink_to_fit();
  return params.data();
}

LiveTables::LiveTables(std::string_view model)
    : arrays_(std::make_unique<Arrays>(json::parse(model))) {}
LiveTables::~LiveTables() = default;

const detail::Tables& LiveTables::get() const { return arrays_->tables; }

}  // namespace routec::test
