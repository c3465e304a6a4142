#include "stages.h"

#include <fmt/format.h>

namespace routec::compiler {

std::string Stages::as_text() const {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  std::string out;
  Milliseconds total{0};
  for (const Stage& stage : list_) {
    const Milliseconds time = stage.time;
    total += time;
    out += fmt::format("{:<10} {:>9.1f} ms  {}\n", stage.name, time.count(),
                       fmt::join(stage.figures, ", "));
  }
  return out + fmt::format("{:<10} {:>9.1f} ms\n", "total", total.count());
}

}  // namespace routec::compiler
