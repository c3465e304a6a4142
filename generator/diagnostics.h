// Collects what the stages have to say about the manifest; printing is main's business.
#ifndef ROUTEC_GENERATOR_DIAGNOSTICS_H_
#define ROUTEC_GENERATOR_DIAGNOSTICS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source_file.h"

namespace routec::compiler {

enum class Severity : std::uint8_t { kWarning, kError };

struct Note {
  Span span;
  std::string text;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  // stable kebab-case name: "unknown-key"; a warning's is also its -W name
  Span span;
  std::string text;
  std::vector<Note> notes;  // the other places of a conflict
  std::string cure;         // what to write instead; may be empty
};

class Diagnostics {
 public:
  // The reference stays valid until the next call; chain notes and the cure onto it.
  Diagnostic& error(std::string_view code, Span span, std::string text);
  Diagnostic& warning(std::string_view code, Span span, std::string text);

  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return list_; }
  std::vector<Diagnostic>& all() { return list_; }

 private:
  std::vector<Diagnostic> list_;
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_DIAGNOSTICS_H_
