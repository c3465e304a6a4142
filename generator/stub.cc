#include "stub.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "cpp_functions.h"
#include "output.h"
#include "render_model.h"

namespace routec::compiler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSeal = "// Unchanged since routec stub wrote it: ";

// FNV-1a: it only has to notice that a person edited the file.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return value;
}

std::string seal(const std::string& text) {
  return text + fmt::format("{}{:016x}\n", kSeal, hash(text));
}

bool is_untouched(const std::optional<std::string>& text) {
  if (!text) return true;
  const std::size_t begin = text->rfind(kSeal);
  return begin != std::string::npos && seal(text->substr(0, begin)) == *text;
}

using Functions = std::vector<CppFunction>;

bool has_signature(const Functions& functions, const CppFunction& wanted) {
  return std::any_of(functions.begin(), functions.end(),
                     [&](const CppFunction& f) { return f.has_signature_of(wanted); });
}

// One of the two files: as it is there, and as routec would write it.
struct Side {
  std::optional<std::string> present;
  OutputFile fresh;
  Functions has, wants;

  bool is_kept() const { return !is_untouched(present); }
};

Side make_side(const fs::path& directory, OutputFile fresh) {
  Side side;
  side.present = read_file(directory / fresh.name);
  side.has = find_functions(side.present.value_or(""));
  side.wants = find_functions(fresh.text);
  fresh.text = seal(fresh.text);
  side.fresh = std::move(fresh);
  return side;
}

StubFile report_of(const Side& side) {
  StubFile file;
  file.name = side.fresh.name;
  file.is_kept = side.is_kept();
  return file;
}

StubFile compare_header(const Side& header) {
  StubFile file = report_of(header);
  if (!file.is_kept) return file;
  for (const CppFunction& wanted : header.wants)
    if (!has_signature(header.has, wanted)) file.missing.push_back(wanted.text);
  for (const CppFunction& f : header.has)
    if (f.is_override && !has_signature(header.wants, f)) file.obsolete.push_back(f.head);
  return file;
}

// Handlers may be defined in the header as well.
bool is_defined(const CppFunction& wanted, const Side& source, const Side& header) {
  const auto defines = [&](const CppFunction& f) {
    return f.is_definition && f.has_signature_of(wanted);
  };
  return std::any_of(source.has.begin(), source.has.end(), defines) ||
         std::any_of(header.has.begin(), header.has.end(), defines);
}

// Whether it defines what once was a handler: a member with a handler's parameters that is neither
// one now nor a member of the user's own making.
bool is_former_handler(const CppFunction& f, const Side& source, const Side& header) {
  if (source.wants.empty()) return false;  // as a template may have it
  const CppFunction& handler = source.wants.front();
  const bool is_like_one = f.is_definition && f.qualifier == handler.qualifier &&
                           !f.parameters.empty() && f.parameters[0] == handler.parameters[0];
  const bool is_users = std::any_of(
      header.has.begin(), header.has.end(),
      [&](const CppFunction& own) { return !own.is_override && own.has_signature_of(f); });
  return is_like_one && !is_users && !has_signature(source.wants, f);
}

StubFile compare_source(const Side& source, const Side& header) {
  StubFile file = report_of(source);
  if (!file.is_kept) return file;
  for (const CppFunction& wanted : source.wants)
    if (!is_defined(wanted, source, header)) file.missing.push_back(wanted.text);
  for (const CppFunction& f : source.has)
    if (is_former_handler(f, source, header)) file.obsolete.push_back(f.head);
  return file;
}

}  // namespace

std::optional<std::vector<StubFile>> write_stubs(const RouteTable& table,
                                                 const RenderOptions& options,
                                                 const fs::path& directory,
                                                 Diagnostics& diagnostics) {
  std::optional<std::vector<OutputFile>> fresh =
      render(make_stub_model(table), options, diagnostics);
  if (!fresh) return std::nullopt;
  const Side header = make_side(directory, std::move(fresh->at(0)));
  const Side source = make_side(directory, std::move(fresh->at(1)));
  std::vector<StubFile> files{compare_header(header), compare_source(source, header)};
  files[0].is_written = !header.is_kept() && header.present != header.fresh.text;
  const bool is_foreign = header.is_kept() && !source.present;
  files[1].is_written = !source.is_kept() && !is_foreign && source.present != source.fresh.text;
  std::vector<OutputFile> outputs;
  if (files[0].is_written) outputs.push_back(header.fresh);
  if (files[1].is_written) outputs.push_back(source.fresh);
  if (!outputs.empty() && !write_outputs(outputs, {}, {directory, {}, {}}, diagnostics))
    return std::nullopt;
  return files;
}

std::string stubs_as_text(const std::vector<StubFile>& files, bool quiet) {
  std::string text;
  for (const StubFile& file : files) {
    if (file.is_written && !quiet) text += "wrote " + file.name + "\n";
    if (!file.missing.empty())
      text += file.name + " was edited and is kept; it lacks:\n\n" +
              fmt::format("{}\n", fmt::join(file.missing, "\n"));
    if (!file.obsolete.empty())
      text += file.name + " was edited and is kept; no route calls any more:\n\n" +
              fmt::format("{}\n\n", fmt::join(file.obsolete, "\n"));
  }
  return text;
}

}  // namespace routec::compiler
