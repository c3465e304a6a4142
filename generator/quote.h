// Texts of the manifest inside of messages: short, and harmless to a terminal.
#ifndef ROUTEC_GENERATOR_QUOTE_H_
#define ROUTEC_GENERATOR_QUOTE_H_

#include <string>
#include <string_view>
#include <vector>

namespace routec::compiler {

// In single quotes; invisible characters and broken UTF-8 escaped; cut in the middle when long.
std::string quote(std::string_view text);

// Escapes what is not plainly visible: "\u202E", "\x1B", "\n". The rest stays as it is.
std::string escape_invisible(std::string_view text);

// The name of `known` that a person most likely meant; empty when none is near. Upper and lower
// case count as near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

// "a, b or c".
std::string list_words(const std::vector<std::string>& words, std::string_view last_joint);

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_QUOTE_H_
