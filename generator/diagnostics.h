// Collects what the stages have to say about the manifest; printing is main's business.
#ifndef ROUTEC_GENERATOR_DIAGNOSTICS_H_
#define ROUTEC_GENERATOR_DIAGNOSTICS_H_

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source_file.h"

namespace routec::compiler {

enum class Severity : std::uint8_t {
  kWarning,
  kError,
  kFailure,  // not the manifest's fault: a tool, a file, the disk. Has no place.
};

struct Note {
  Span span;
  std::string text;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  // of diagnostic_codes.h: "unknown-key"; a warning's is also its -W name
  Span span;
  std::string text;
  std::vector<Note> notes;  // the other places of a conflict
  std::string cure;         // what to write instead; may be empty
};

// What -W, -Wno- and -Werror ask for. Names are those of diagnostic_codes.h.
struct WarningPolicy {
  std::set<std::string, std::less<>> silenced;
  std::set<std::string, std::less<>> errors;
  bool all_errors = false;
};

class Diagnostics {
 public:
  Diagnostics() = default;
  explicit Diagnostics(WarningPolicy policy) : policy_(std::move(policy)) {}

  // The reference stays valid until the next call; chain notes and the cure onto it. `code` is one
  // of diagnostic_codes.h, of the right kind.
  Diagnostic& error(std::string_view code, Span span, std::string text);
  Diagnostic& warning(std::string_view code, Span span, std::string text);
  Diagnostic& failure(std::string_view code, std::string text);

  bool has_errors() const { return has_errors_; }  // errors or failures
  bool has_failures() const;
  const std::vector<Diagnostic>& all() const { return list_; }
  std::vector<Diagnostic>& all() { return list_; }

  // Orders by place, and drops what is said twice (through a YAML alias).
  void sort();

 private:
  WarningPolicy policy_;
  std::vector<Diagnostic> list_;
  Diagnostic silenced_;  // where a silenced warning goes
  bool has_errors_ = false;
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_DIAGNOSTICS_H_
