// One line on a terminal that tells a waiting person what is going on.
#ifndef ROUTEC_GENERATOR_PROGRESS_H_
#define ROUTEC_GENERATOR_PROGRESS_H_

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace routec::compiler {

// Shows the current stage on stderr once a second has gone by, and wipes it out at the end. Does
// nothing unless `enabled`, which is for terminals.
class Progress {
 public:
  explicit Progress(bool enabled);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void set_stage(std::string_view stage);
  void end();  // wipes the line; before anything else is printed

 private:
  void show();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string stage_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_PROGRESS_H_
