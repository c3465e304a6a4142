#include "diagnostics.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

#include "diagnostic_codes.h"

namespace routec::compiler {
namespace {

[[maybe_unused]] bool is_known(const auto& codes, std::string_view code) {
  return std::any_of(std::begin(codes), std::end(codes),
                     [&](const CodeInfo& info) { return info.name == code; });
}

Diagnostic make(Severity severity, std::string_view code, Span span, std::string text) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = code;
  diagnostic.span = span;
  diagnostic.text = std::move(text);
  return diagnostic;
}

// Failures have no place and come last: the manifest's errors are what a person can act on first.
auto sort_key(const Diagnostic& d) {
  return std::tuple(d.severity == Severity::kFailure, d.span.file, d.span.begin);
}

bool says_the_same(const Diagnostic& a, const Diagnostic& b) {
  return a.span == b.span && a.code == b.code && a.text == b.text;
}

}  // namespace

Diagnostic& Diagnostics::error(std::string_view code, Span span, std::string text) {
  assert(is_known(kErrorCodes, code));
  has_errors_ = true;
  return list_.emplace_back(make(Severity::kError, code, span, std::move(text)));
}

Diagnostic& Diagnostics::warning(std::string_view code, Span span, std::string text) {
  assert(is_known(kWarningCodes, code));
  if (policy_.silenced.contains(code)) return silenced_ = {};
  const bool is_error = policy_.all_errors || policy_.errors.contains(code);
  has_errors_ = has_errors_ || is_error;
  return list_.emplace_back(
      make(is_error ? Severity::kError : Severity::kWarning, code, span, std::move(text)));
}

Diagnostic& Diagnostics::failure(std::string_view code, std::string text) {
  assert(is_known(kFailureCodes, code));
  has_errors_ = true;
  return list_.emplace_back(make(Severity::kFailure, code, Span{}, std::move(text)));
}

bool Diagnostics::has_failures() const {
  return std::any_of(list_.begin(), list_.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::kFailure; });
}

void Diagnostics::sort() {
  std::stable_sort(list_.begin(), list_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return sort_key(a) < sort_key(b);
  });
  list_.erase(std::unique(list_.begin(), list_.end(), says_the_same), list_.end());
}

}  // namespace routec::compiler
