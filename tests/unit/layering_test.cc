// Who may include whom: the data flow of generator/README.md, held to by every file.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Files of C++, or templates of it, below a folder of the source tree.
std::vector<fs::path> sources(const std::string& folder) {
  static const Names kExtensions = {".h", ".cc", ".jinja"};
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(ROUTEC_SOURCE_DIR "/" + folder))
    if (kExtensions.contains(entry.path().extension())) found.push_back(entry.path());
  return found;
}

// With their brackets or quotes.
std::vector<std::string> includes_of(const fs::path& path) {
  static constexpr std::string_view kDirective = "#include ";
  std::ifstream file(path);
  std::vector<std::string> found;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(kDirective)) found.push_back(line.substr(kDirective.size()));
  return found;
}

// Files of generator/ that include a header whose name begins with `prefix`.
Names includers(const std::string& prefix) {
  Names found;
  for (const fs::path& path : sources("generator"))
    for (const std::string& include : includes_of(path))
      if (include.compare(1, prefix.size(), prefix) == 0) found.insert(path.filename());
  return found;
}

// ---- Stages -------------------------------------------------------------------------------------

struct Stage {
  Names units;  // headers and sources, without their extensions
  Names data;   // those whose headers later stages may see
};

const std::vector<Stage> kStages = {
    {{"source_file"}, {"source_file"}},
    {{"manifest", "parse_manifest", "yaml_text", "yaml_tree"}, {"manifest"}},
    {{"check_manifest", "param_types", "path_pattern", "route_key", "route_table"},
     {"route_table"}},
    {{"automaton", "coverage", "language", "meetings", "overlap", "pattern_set", "precedence"},
     {"language", "overlap", "pattern_set"}},
    {{"gperf", "perfect_hash"}, {"perfect_hash"}},
    {{"decision_graph", "segment_automaton", "segment_hash"}, {"segment_automaton"}},
    {{"cpp_text", "render_model", "table_rows"}, {}},
    {{"render"}, {"render"}},
    {{"output", "replacement"}, {}},
};

// What every stage may use. They know no stage but the source files that diagnostics point into.
const Names kTools = {"ascii",      "diagnostic_codes", "diagnostics", "json_text",
                      "naming",     "normal_form",      "quote",       "regex",
                      "subprocess", "text_pool",        "utf8"};

// Readers of a RouteTable apart from the stages behind it.
const Names kReaders = {"explain", "list_routes", "reference_matcher", "split_segment",
                        "type_automaton"};

// They put the rest together.
const Names kDrivers = {"compile", "cpp_functions", "main", "progress", "render_diagnostics",
                        "stages",  "stub"};

Names united(Names a, const Names& b) {
  a.insert(b.begin(), b.end());
  return a;
}

// The headers of generator/ that files of `units` include, and `allowed` does not list.
Names intruders(const Names& units, const Names& allowed) {
  Names found;
  for (const fs::path& path : sources("generator")) {
    if (!units.contains(path.stem())) continue;
    for (const std::string& include : includes_of(path)) {
      const fs::path header = include.substr(1, include.size() - 2);
      const bool is_ours = include.front() == '"' && !header.has_parent_path();
      if (is_ours && !allowed.contains(header.stem()))
        found.insert(path.filename().string() + " includes " + header.string());
    }
  }
  return found;
}

TEST(Layering, EveryFileHasItsPlace) {
  Names placed = united(kTools, united(kReaders, kDrivers));
  for (const Stage& stage : kStages) placed.insert(stage.units.begin(), stage.units.end());
  Names present;
  for (const fs::path& path : sources("generator"))
    if (path.extension() != ".jinja") present.insert(path.stem());
  EXPECT_EQ(placed, present);
}

TEST(Layering, StagesSeeOnlyTheDataBeforeThem) {
  Names seen = kTools;
  for (const Stage& stage : kStages) {
    EXPECT_EQ(intruders(stage.units, united(seen, stage.units)), Names());
    seen.insert(stage.data.begin(), stage.data.end());
  }
}

TEST(Layering, ToolsKnowNoStage) {
  EXPECT_EQ(intruders(kTools, united(kTools, {"source_file"})), Names());
}

TEST(Layering, KeepsTheReferenceApartFromTheEmitter) {
  // path_pattern.h has the limits of the language.
  const Names allowed = {"ascii", "json_text",   "path_pattern", "quote",
                         "regex", "route_table", "utf8"};
  EXPECT_EQ(intruders(kReaders, united(kReaders, allowed)), Names());
  for (const std::string& file : includers("routec/"))
    EXPECT_FALSE(kReaders.contains(fs::path(file).stem())) << file << " uses the runtime";
}

// ---- Other programs and libraries ---------------------------------------------------------------

TEST(Layering, KeepsLibrariesInTheirPlaces) {
  EXPECT_EQ(includers("yaml.h"), Names{"yaml_tree.cc"});
  EXPECT_EQ(includers("CLI/"), Names{"main.cc"});
}

bool calls(const std::string& text, const std::string& function) {
  for (std::size_t at = 0; (at = text.find(function + "(", at)) != std::string::npos; ++at)
    if (at == 0 ||
        (text[at - 1] != '_' && std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0))
      return true;
  return false;
}

TEST(Layering, RunsProgramsBehindSubprocess) {
  EXPECT_EQ(includers("subprocess.h"),
            (Names{"gperf.cc", "main.cc", "render.cc", "subprocess.cc"}));
  for (const fs::path& path : sources("generator"))
    for (const char* starter : {"posix_spawn", "posix_spawnp", "popen", "system", "fork", "vfork",
                                "execl", "execlp", "execv", "execvp", "execvpe"})
      if (path.filename() != "subprocess.cc" && calls(read(path), starter)) {
        ADD_FAILURE() << path << " calls " << starter;
      }
}

// ---- Generated code and the runtime -------------------------------------------------------------

TEST(Layering, GeneratedCodeNeedsTheRouterHeaderOnly) {
  static const std::regex kAllowed(
      R"re(<routec/router\.h>|<[a-z_]+>|"\{\{ (part\.)?header \}\}"|"handlers\.h")re");
  std::size_t count = 0;
  for (const fs::path& path : sources("generator/templates"))
    for (const std::string& include : includes_of(path)) {
      ++count;
      EXPECT_TRUE(std::regex_match(include, kAllowed)) << path << " includes " << include;
    }
  EXPECT_GT(count, 0U);
}

TEST(Layering, TheRuntimeKnowsNoCompiler) {
  Names own;
  for (const fs::path& path : sources("runtime")) own.insert(path.filename());
  for (const fs::path& path : sources("runtime"))
    for (const std::string& include : includes_of(path)) {
      const std::string name = include.substr(1, include.size() - 2);
      if (include.front() == '"' || name.rfind("routec/", 0) == 0) {
        EXPECT_TRUE(own.contains(fs::path(name).filename())) << path << " includes " << include;
      }
    }
}

}  // namespace
