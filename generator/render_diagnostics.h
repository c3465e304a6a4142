// Diagnostics as people and machines read them.
#ifndef ROUTEC_GENERATOR_RENDER_DIAGNOSTICS_H_
#define ROUTEC_GENERATOR_RENDER_DIAGNOSTICS_H_

#include <string>
#include <vector>

#include "diagnostics.h"
#include "source_file.h"

namespace routec::compiler {

// "file:line:column: error: text [code]", the source line with a caret, notes, help. Nothing of the
// input reaches the text raw that could move or colour anything on a terminal.
std::string diagnostics_as_text(const std::vector<Diagnostic>& diagnostics,
                                const std::vector<SourceFile>& sources, bool coloured);

// {"diagnostics": [{"severity", "code", "file", "line", "column", "end_line", "end_column",
// "message", "notes": [...], "help"}]}; places are left out of failures, which have none.
std::string diagnostics_as_json(const std::vector<Diagnostic>& diagnostics,
                                const std::vector<SourceFile>& sources);

// SARIF 2.1.0 (OASIS), one run.
std::string diagnostics_as_sarif(const std::vector<Diagnostic>& diagnostics,
                                 const std::vector<SourceFile>& sources,
                                 const std::string& version);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_RENDER_DIAGNOSTICS_H_
