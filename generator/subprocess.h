// Runs another program without a shell.
#ifndef ROUTEC_GENERATOR_SUBPROCESS_H_
#define ROUTEC_GENERATOR_SUBPROCESS_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace routec::compiler {

enum class ProcessEnd : std::uint8_t {
  kExited,      // code: its exit status
  kSignalled,   // code: the signal
  kTimedOut,    // it and its children were killed
  kNotStarted,  // code: errno; ENOENT when there is no such program
};

struct ProcessResult {
  ProcessEnd end = ProcessEnd::kNotStarted;
  int code = 0;
  std::string output;
  std::string errors;

  bool succeeded() const { return end == ProcessEnd::kExited && code == 0; }
};

// `arguments[0]` is a path, or a name looked up in PATH. `input` is all of the program's standard
// input; it need not read it. Thread-safe.
ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input,
                          std::chrono::milliseconds time_limit);

// Makes SIGHUP, SIGINT, SIGQUIT and SIGTERM, unless they are ignored, end the programs that
// run_process waits for and their children first, then this one, as ever. For main().
void end_children_on_signals();

// Why a program did not succeed, for a person: "ended with status 2: <last line of its errors>".
std::string describe_failure(const ProcessResult& result);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_SUBPROCESS_H_
