// Each library of others appears in the one place that was chosen for it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;

// Files of generator/ that include a header whose name begins with `prefix`.
std::set<std::string> includers(const std::string& prefix) {
  std::set<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(ROUTEC_SOURCE_DIR "/generator")) {
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const bool includes = text.str().find("#include <" + prefix) != std::string::npos ||
                          text.str().find("#include \"" + prefix) != std::string::npos;
    if (includes) found.insert(entry.path().filename().string());
  }
  return found;
}

using Files = std::set<std::string>;

TEST(Layering, KeepsLibrariesInTheirPlaces) {
  EXPECT_EQ(includers("yaml.h"), Files{"yaml_tree.cc"});
  EXPECT_EQ(includers("CLI/"), Files{"main.cc"});
}

TEST(Layering, KeepsYamlOutOfTheStagesBehindTheParser) {
  EXPECT_EQ(includers("yaml_tree.h"), (Files{"parse_manifest.cc", "yaml_text.h", "yaml_tree.cc"}));
  EXPECT_EQ(includers("parse_manifest.h"), (Files{"compile.cc", "parse_manifest.cc"}));
}

TEST(Layering, KeepsTheReferenceApartFromTheEmitter) {
  const Files reference = {"reference_matcher.cc", "reference_matcher.h", "split_segment.cc",
                           "split_segment.h",      "type_automaton.cc",   "type_automaton.h"};
  for (const char* emitter :
       {"automaton.h", "decision_graph.h", "language.h", "meetings.h", "overlap.h", "pattern_set.h",
        "perfect_hash.h", "precedence.h", "segment_automaton.h", "routec/"})
    for (const std::string& file : includers(emitter))
      EXPECT_FALSE(reference.contains(file)) << file << " includes " << emitter;
}

}  // namespace
