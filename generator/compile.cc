#include "compile.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <utility>

#include "check_manifest.h"
#include "parse_manifest.h"
#include "segment_automaton.h"

namespace routec::compiler {

std::optional<RouteTable> load_route_table(const CompileOptions& options,
                                           std::vector<SourceFile>& sources,
                                           Diagnostics& diagnostics, Stages& stages) {
  std::string error;
  auto source = stages.run("load", [&] { return load_source_file(options.manifest, error); });
  if (!source) {
    diagnostics.failure("cannot-read", fmt::format("cannot read {}: {}", options.manifest, error))
        .cure = "name a YAML file that is there and may be read";
    return std::nullopt;
  }
  const auto file = static_cast<std::uint32_t>(sources.size());
  sources.push_back(std::move(*source));
  auto manifest =
      stages.run("parse", [&] { return parse_manifest(sources.back(), file, diagnostics); });
  if (!manifest) return std::nullopt;
  if (!options.name_space.empty()) {
    manifest->name_space.emplace();
    manifest->name_space->value = options.name_space;
  }
  auto table = stages.run("check", [&] { return check_manifest(*manifest, diagnostics); });
  stages.note(fmt::format("{} routes", table ? table->routes.size() : 0));
  return table;
}

namespace {

std::vector<LiteralKey> looked_up_keys(const RouteTable& table, const Ranking& ranking) {
  std::vector<LiteralKey> keys = literal_keys(table);
  std::erase_if(keys, [&](const LiteralKey& key) { return !ranking.is_looked_up[key.route]; });
  return keys;
}

std::optional<HashPlan> plan_literals(const RouteTable& table, const Ranking& ranking,
                                      const HashOptions& options, Diagnostics& diagnostics,
                                      Stages& stages) {
  auto hash = stages.run("hash", [&] {
    return plan_hash(looked_up_keys(table, ranking), table.methods.size(), options, diagnostics);
  });
  if (hash)
    stages.note(fmt::format("{} keys, {} partitions, {} octets of rows", hash->literals.size(),
                            hash->partitions.size(), hash->rows.size()));
  return hash;
}

std::optional<AutomatonPlan> plan_patterns(const RouteTable& table, Ranking& ranking,
                                           const DecisionLimits& limits, std::size_t text_base,
                                           Diagnostics& diagnostics, Stages& stages) {
  auto automaton = stages.run(
      "automaton", [&] { return plan_automaton(table, ranking, text_base, limits, diagnostics); });
  if (automaton)
    stages.note(fmt::format("{} nodes, {} routes searched at most", automaton->node_count,
                            automaton->searched_rows));
  return automaton;
}

std::vector<std::filesystem::path> inputs_of(const CompileOptions& options,
                                             const std::vector<SourceFile>& sources) {
  std::vector<std::filesystem::path> inputs;
  for (const SourceFile& source : sources) inputs.emplace_back(source.name());
  for (std::filesystem::path& input : render_inputs(options.render))
    inputs.push_back(std::move(input));
  return inputs;
}

}  // namespace

std::optional<RouteTable> check(const CompileOptions& options, std::vector<SourceFile>& sources,
                                Diagnostics& diagnostics, Stages& stages) {
  auto table = load_route_table(options, sources, diagnostics, stages);
  if (!table) return std::nullopt;
  auto ranking = stages.run("rank", [&] { return rank_routes(*table, diagnostics); });
  if (!ranking || !plan_patterns(*table, *ranking, options.decisions, 0, diagnostics, stages))
    return std::nullopt;
  if (diagnostics.has_errors()) return std::nullopt;
  return table;
}

std::optional<std::string> plan(const CompileOptions& options, std::vector<SourceFile>& sources,
                                Diagnostics& diagnostics, Stages& stages) {
  const auto table = load_route_table(options, sources, diagnostics, stages);
  if (!table) return std::nullopt;
  auto ranking = stages.run("rank", [&] { return rank_routes(*table, diagnostics); });
  if (!ranking) return std::nullopt;
  const auto hash = plan_literals(*table, *ranking, options.hash, diagnostics, stages);
  if (!hash) return std::nullopt;
  const auto automaton =
      plan_patterns(*table, *ranking, options.decisions, hash->texts.size(), diagnostics, stages);
  if (!automaton || diagnostics.has_errors()) return std::nullopt;
  return stages.run("model",
                    [&] { return make_render_model(*table, *hash, *automaton, options.model); });
}

bool compile(const CompileOptions& options, std::vector<SourceFile>& sources,
             Diagnostics& diagnostics, Stages& stages) {
  const auto model = plan(options, sources, diagnostics, stages);
  if (!model) return false;
  const auto files =
      stages.run("render", [&] { return render(*model, options.render, diagnostics); });
  if (!files || diagnostics.has_errors()) return false;
  const auto summary = stages.run("write", [&] {
    return write_outputs(*files, inputs_of(options, sources), options.output, diagnostics);
  });
  if (!summary) return false;
  stages.note(fmt::format("{} files replaced, {} unchanged, {} removed", summary->replaced,
                          summary->unchanged, summary->removed));
  return true;
}

}  // namespace routec::compiler
