#include "render_diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "diagnostic_codes.h"
#include "quote.h"
#include "utf8.h"

namespace routec::compiler {
namespace {

using Json = nlohmann::ordered_json;

// ---- Text ---------------------------------------------------------------------------------------

// Octets of a source line that are shown before and behind the caret.
constexpr std::size_t kShownBefore = 60;
constexpr std::size_t kShownBehind = 100;

struct Excerpt {
  std::string text;
  std::size_t caret = 0;  // columns before it
  std::size_t width = 1;  // columns under the span
};

// Not an index inside of a character.
std::size_t character_begin(std::string_view text, std::size_t index) {
  while (index > 0 && index < text.size() &&
         (static_cast<unsigned char>(text[index]) & 0xC0) == 0x80)
    --index;
  return index;
}

// The part of `line` around its octets [begin, end), and where they come to lie in it.
Excerpt excerpt_of(std::string_view line, std::size_t begin, std::size_t end) {
  const std::size_t first =
      begin > kShownBefore ? character_begin(line, begin - kShownBefore) : std::size_t{0};
  const std::size_t last = character_begin(line, std::min(line.size(), begin + kShownBehind));
  Excerpt excerpt;
  std::size_t column = 0;
  if (first > 0) excerpt.text = "…", column = 1;
  excerpt.width = 0;
  for (std::size_t i = first; i < last;) {
    const CodePoint point = decode_utf8(line.substr(i));
    const std::size_t length = std::max<std::size_t>(1, point.length);
    const bool is_plain = point.length > 0 && is_plainly_visible(point.value);
    const std::string shown = line[i] == '\t' ? " " : escape_invisible(line.substr(i, length));
    const std::size_t width = is_plain ? display_width(point.value) : shown.size();
    if (i < begin)
      excerpt.caret += width;
    else if (i < end)
      excerpt.width += width;
    excerpt.text += shown;
    i += length;
  }
  excerpt.caret += column;
  excerpt.width = std::max<std::size_t>(1, excerpt.width);
  if (last < line.size()) excerpt.text += "…";
  return excerpt;
}

class TextRenderer {
 public:
  TextRenderer(const std::vector<SourceFile>& sources, bool coloured)
      : sources_(sources), coloured_(coloured) {}

  void add(const Diagnostic& diagnostic);
  std::string take() { return std::move(out_); }

 private:
  void add_head(Span span, std::string_view severity, std::string_view colour,
                std::string_view text, std::string_view code);
  void add_excerpt(Span span, std::string_view colour);
  std::string paint(std::string_view colour, std::string_view text) const {
    return coloured_ ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
  }

  const std::vector<SourceFile>& sources_;
  bool coloured_;
  std::string out_;
};

constexpr std::string_view kRed = "1;31";
constexpr std::string_view kMagenta = "1;35";
constexpr std::string_view kCyan = "1;36";
constexpr std::string_view kBold = "1";

void TextRenderer::add(const Diagnostic& diagnostic) {
  const bool is_warning = diagnostic.severity == Severity::kWarning;
  if (diagnostic.severity == Severity::kFailure) {
    out_ += fmt::format("routec: {} {} [{}]\n", paint(kRed, "error:"),
                        escape_invisible(diagnostic.text), diagnostic.code);
  } else {
    const std::string_view colour = is_warning ? kMagenta : kRed;
    add_head(diagnostic.span, is_warning ? "warning" : "error", colour, diagnostic.text,
             diagnostic.code);
    add_excerpt(diagnostic.span, colour);
  }
  for (const Note& note : diagnostic.notes) {
    add_head(note.span, "note", kCyan, note.text, {});
    add_excerpt(note.span, kCyan);
  }
  if (!diagnostic.cure.empty())
    out_ += fmt::format("  {} {}\n", paint(kCyan, "help:"), escape_invisible(diagnostic.cure));
}

void TextRenderer::add_head(Span span, std::string_view severity, std::string_view colour,
                            std::string_view text, std::string_view code) {
  const SourceFile& source = sources_[span.file];
  const Position at = source.position(span.begin);
  const std::string place =
      fmt::format("{}:{}:{}:", escape_invisible(source.name()), at.line, at.column);
  out_ += fmt::format("{} {} {}", paint(kBold, place), paint(colour, fmt::format("{}:", severity)),
                      escape_invisible(text));
  if (!code.empty()) out_ += fmt::format(" [{}]", code);
  out_ += '\n';
}

void TextRenderer::add_excerpt(Span span, std::string_view colour) {
  const SourceFile& source = sources_[span.file];
  const std::size_t line = source.position(span.begin).line;
  const std::string_view text = source.line_text(line);
  const std::size_t start = source.line_start(line);
  const Excerpt excerpt =
      excerpt_of(text, span.begin - start, std::max(span.end, span.begin) - start);
  const std::string gutter = std::to_string(line);
  const std::string underline = "^" + std::string(excerpt.width - 1, '~');
  out_ += fmt::format("{:>5} | {}\n{:>5} | {}{}\n", gutter, excerpt.text, "",
                      std::string(excerpt.caret, ' '), paint(colour, underline));
}

// ---- JSON ---------------------------------------------------------------------------------------

std::string_view severity_name(Severity severity) {
  return severity == Severity::kWarning ? "warning" : "error";
}

void add_place(Json& json, Span span, const std::vector<SourceFile>& sources) {
  const SourceFile& source = sources[span.file];
  const Position begin = source.position(span.begin);
  const Position end = source.position(std::max(span.begin, span.end));
  json["file"] = source.name();
  json["line"] = begin.line;
  json["column"] = begin.column;
  json["end_line"] = end.line;
  json["end_column"] = end.column;
}

// ---- SARIF --------------------------------------------------------------------------------------

// A relative or absolute file name as a URI reference (RFC 3986).
std::string uri_of(std::string_view name) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string uri;
  for (const char c : name) {
    const bool is_alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (is_alphanumeric || kPlain.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Json sarif_location(Span span, const std::vector<SourceFile>& sources) {
  const SourceFile& source = sources[span.file];
  const Position begin = source.position(span.begin);
  const Position end = source.position(std::max(span.begin, span.end));
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri_of(source.name())}}},
            {"region",
             {{"startLine", begin.line},
              {"startColumn", begin.column},
              {"endLine", end.line},
              {"endColumn", end.column}}}}}};
}

Json sarif_rules() {
  Json rules = Json::array();
  const auto add = [&rules](const auto& codes, std::string_view level) {
    for (const CodeInfo& code : codes)
      rules.push_back({{"id", code.name},
                       {"shortDescription", {{"text", code.description}}},
                       {"defaultConfiguration", {{"level", level}}}});
  };
  add(kErrorCodes, "error");
  add(kWarningCodes, "warning");
  add(kFailureCodes, "error");
  return rules;
}

Json sarif_result(const Diagnostic& diagnostic, const std::vector<SourceFile>& sources) {
  std::string message = diagnostic.text;
  if (!diagnostic.cure.empty()) message += "\nHelp: " + diagnostic.cure;
  Json result = {{"ruleId", diagnostic.code},
                 {"level", severity_name(diagnostic.severity)},
                 {"message", {{"text", message}}},
                 {"locations", Json::array()}};
  if (diagnostic.severity != Severity::kFailure)
    result["locations"].push_back(sarif_location(diagnostic.span, sources));
  for (const Note& note : diagnostic.notes) {
    Json location = sarif_location(note.span, sources);
    location["message"] = {{"text", note.text}};
    result["relatedLocations"].push_back(std::move(location));
  }
  return result;
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string diagnostics_as_text(const std::vector<Diagnostic>& diagnostics,
                                const std::vector<SourceFile>& sources, bool coloured) {
  TextRenderer renderer(sources, coloured);
  for (const Diagnostic& diagnostic : diagnostics) renderer.add(diagnostic);
  return renderer.take();
}

std::string diagnostics_as_json(const std::vector<Diagnostic>& diagnostics,
                                const std::vector<SourceFile>& sources) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    Json item = {{"severity", severity_name(diagnostic.severity)}, {"code", diagnostic.code}};
    if (diagnostic.severity != Severity::kFailure) add_place(item, diagnostic.span, sources);
    item["message"] = diagnostic.text;
    item["notes"] = Json::array();
    for (const Note& note : diagnostic.notes) {
      Json place;
      add_place(place, note.span, sources);
      place["message"] = note.text;
      item["notes"].push_back(std::move(place));
    }
    item["help"] = diagnostic.cure;
    list.push_back(std::move(item));
  }
  return dump({{"diagnostics", std::move(list)}});
}

std::string diagnostics_as_sarif(const std::vector<Diagnostic>& diagnostics,
                                 const std::vector<SourceFile>& sources,
                                 const std::string& version) {
  Json results = Json::array();
  for (const Diagnostic& diagnostic : diagnostics)
    results.push_back(sarif_result(diagnostic, sources));
  const Json driver = {{"name", "routec"}, {"version", version}, {"rules", sarif_rules()}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"columnKind", "unicodeCodePoints"},
                    {"results", std::move(results)}};
  return dump({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
               {"version", "2.1.0"},
               {"runs", Json::array({run})}});
}

}  // namespace routec::compiler
