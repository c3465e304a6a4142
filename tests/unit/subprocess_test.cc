#include "subprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace routec::compiler {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPlenty{20'000};

TEST(Subprocess, PassesArgumentsWithoutAShell) {
  const ProcessResult result = run_process({"printf", "%s|", "a b", "$HOME;'\""}, "", kPlenty);
  EXPECT_TRUE(result.succeeded());
  EXPECT_EQ(result.output, "a b|$HOME;'\"|");
}

TEST(Subprocess, KeepsOutputErrorsAndStatusApart) {
  const ProcessResult result =
      run_process({"sh", "-c", "echo out; echo err >&2; exit 7"}, "", kPlenty);
  EXPECT_EQ(result.end, ProcessEnd::kExited);
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_EQ(describe_failure(result), "ended with status 7: err");
}

TEST(Subprocess, MovesMoreThanAnyPipeHolds) {
  std::string input;
  for (int i = 0; input.size() < 8'000'000; ++i) input += std::to_string(i) + "\n";
  const ProcessResult result = run_process({"cat"}, input, kPlenty);
  EXPECT_TRUE(result.succeeded());
  EXPECT_TRUE(result.output == input);
}

TEST(Subprocess, DoesNotBlockOnErrorsWhileItFeedsInput) {
  const ProcessResult result =
      run_process({"sh", "-c", "cat >&2; echo done"}, std::string(3'000'000, 'x'), kPlenty);
  EXPECT_EQ(result.output, "done\n");
  EXPECT_EQ(result.errors.size(), 3'000'000U);
}

TEST(Subprocess, SurvivesAProgramThatReadsNothing) {
  const ProcessResult result = run_process({"true"}, std::string(3'000'000, 'x'), kPlenty);
  EXPECT_TRUE(result.succeeded());
}

TEST(Subprocess, NamesTheReasonWhenThereIsNoSuchProgram) {
  const ProcessResult result = run_process({"no-such-program-anywhere"}, "x", kPlenty);
  EXPECT_EQ(result.end, ProcessEnd::kNotStarted);
  EXPECT_EQ(result.code, ENOENT);
  EXPECT_THAT(describe_failure(result), testing::HasSubstr("No such file"));
}

TEST(Subprocess, ReportsTheSignal) {
  const ProcessResult result = run_process({"sh", "-c", "kill -SEGV $$"}, "", kPlenty);
  EXPECT_EQ(result.end, ProcessEnd::kSignalled);
  EXPECT_EQ(result.code, SIGSEGV);
}

// The state letter of a process, 'Z' or 'X' when it has ended; empty when it is gone.
std::string process_state(const std::string& pid) {
  std::ifstream stat("/proc/" + pid + "/stat");
  std::string number, name, letter;
  stat >> number >> name >> letter;
  return letter;
}

TEST(Subprocess, KillsTheWholeGroupWhenOutOfTime) {
  const auto start = steady_clock::now();
  // The grandchild keeps the output open; only killing it too lets the call return.
  const ProcessResult result =
      run_process({"sh", "-c", "sleep 60 & echo $!; wait"}, "", milliseconds(300));
  EXPECT_EQ(result.end, ProcessEnd::kTimedOut);
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(10));
  // A killed process takes a moment to end.
  const std::string pid = result.output.substr(0, result.output.find('\n'));
  const auto has_ended = [&] {
    const std::string state = process_state(pid);
    return state.empty() || state == "Z" || state == "X";
  };
  while (!has_ended() && steady_clock::now() - start < std::chrono::seconds(10))
    std::this_thread::sleep_for(milliseconds(10));
  EXPECT_TRUE(has_ended());
}

TEST(Subprocess, KillsAProgramThatClosedItsOutput) {
  const ProcessResult result =
      run_process({"sh", "-c", "exec >&- 2>&-; sleep 60"}, "", milliseconds(300));
  EXPECT_EQ(result.end, ProcessEnd::kTimedOut);
}

}  // namespace
}  // namespace routec::compiler
