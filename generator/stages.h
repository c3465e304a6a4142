// How long each stage of a run takes, and what it has to tell about itself.
#ifndef ROUTEC_GENERATOR_STAGES_H_
#define ROUTEC_GENERATOR_STAGES_H_

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace routec::compiler {

class Stages {
 public:
  using OnBegin = std::function<void(std::string_view stage)>;

  Stages() = default;
  explicit Stages(OnBegin on_begin) : on_begin_(std::move(on_begin)) {}

  // Calls `work` and returns what it returns.
  template <typename Work>
  auto run(std::string_view name, Work&& work) {
    if (on_begin_) on_begin_(name);
    const auto start = std::chrono::steady_clock::now();
    auto result = std::forward<Work>(work)();
    list_.push_back({std::string(name), std::chrono::steady_clock::now() - start, {}});
    return result;
  }

  // Adds to the last stage: "1200 keys".
  void note(std::string figure) { list_.back().figures.push_back(std::move(figure)); }

  std::string as_text() const;  // a line a stage

 private:
  struct Stage {
    std::string name;
    std::chrono::steady_clock::duration time;
    std::vector<std::string> figures;
  };

  OnBegin on_begin_;
  std::vector<Stage> list_;
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_STAGES_H_
