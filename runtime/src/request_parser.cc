#include "request_parser.h"

#include <algorithm>
#include <cstring>

#include "scan.h"

namespace routec::detail {
namespace {

constexpr ParseResult kComplete{ParseStatus::complete};
constexpr ParseResult kIncomplete{ParseStatus::incomplete};
constexpr ParseResult failed(int status) { return {ParseStatus::failed, status}; }

// Longer than any registered method by far; a token without end is not one we implement.
constexpr std::ptrdiff_t kMaxMethod = 256;
// RFC 9112 section 2.2: at least one empty line before a request should be ignored.
constexpr int kMaxEmptyLines = 2;

class HeadParser {
 public:
  HeadParser(std::string_view input, const HeadLimits& limits, std::span<HeaderField> storage,
             RequestHead& head)
      : begin_(input.data()),
        end_(input.data() + input.size()),
        at_(begin_),
        limits_(limits),
        storage_(storage),
        head_(head) {}

  ParseResult parse(ParseProgress& progress) {
    ParseResult result = skip_empty_lines();
    if (result.status == ParseStatus::complete) result = parse_request_line();
    if (result.status == ParseStatus::complete) result = parse_fields(progress);
    return result;
  }

  ParseResult resume(ParseProgress& progress) {
    at_ = begin_ + progress.line;
    field_count_ = progress.fields;
    return parse_fields(progress);
  }

 private:
  // Takes CR LF at `at_`; a CR or LF alone is an error (RFC 9112 section 2.2).
  ParseResult take_line_end() {
    if (at_ == end_) return kIncomplete;
    if (*at_ != '\r') return failed(400);
    if (at_ + 1 == end_) return kIncomplete;
    if (at_[1] != '\n') return failed(400);
    at_ += 2;
    return kComplete;
  }

  ParseResult skip_empty_lines() {
    for (int lines = 0; at_ != end_ && *at_ == '\r'; ++lines) {
      if (lines == kMaxEmptyLines) return failed(400);
      const ParseResult result = take_line_end();
      if (result.status != ParseStatus::complete) return result;
    }
    return kComplete;
  }

  ParseResult parse_request_line() {
    const char* const method = at_;
    at_ = find_non_token(at_, end_);
    if (at_ - method > kMaxMethod) return failed(501);
    if (at_ == end_) return kIncomplete;
    if (*at_ != ' ' || at_ == method) return failed(400);
    head_.method = {method, at_};

    const char* const target = ++at_;
    at_ = find_target_end(at_, end_);
    if (static_cast<std::size_t>(at_ - target) > limits_.target_octets) return failed(414);
    if (at_ == end_) return kIncomplete;
    if (*at_ != ' ' || at_ == target) return failed(400);
    head_.target = {target, at_};
    ++at_;
    return parse_version();
  }

  // HTTP-version CRLF; the version is exactly eight octets (RFC 9112 section 2.3).
  ParseResult parse_version() {
    constexpr std::string_view kPattern = "HTTP/d.d";
    const auto left = static_cast<std::size_t>(end_ - at_);
    if (left >= 10 && std::memcmp(at_, "HTTP/1.1\r\n", 10) == 0) {
      head_.minor_version = 1;
      at_ += 10;
      return kComplete;
    }
    for (std::size_t i = 0; i < std::min(left, kPattern.size()); ++i) {
      const bool fits = kPattern[i] == 'd' ? at_[i] >= '0' && at_[i] <= '9' : at_[i] == kPattern[i];
      if (!fits) return failed(400);
    }
    if (left < kPattern.size()) return kIncomplete;
    const char major = at_[5];
    head_.minor_version = at_[7] == '0' ? 0 : 1;
    at_ += kPattern.size();
    const ParseResult result = take_line_end();
    if (result.status != ParseStatus::complete) return result;
    return major == '1' ? kComplete : failed(505);
  }

  ParseResult parse_fields(ParseProgress& progress) {
    while (true) {
      const char* const line = at_;
      if (exceeds_limit()) return failed(431);
      const bool last = at_ != end_ && *at_ == '\r';
      const ParseResult result = last ? take_line_end() : parse_field();
      if (result.status == ParseStatus::incomplete) {
        progress.line = static_cast<std::uint32_t>(line - begin_);
        progress.fields = static_cast<std::uint32_t>(field_count_);
      }
      if (result.status != ParseStatus::complete) return result;
      if (last) return finish();
    }
  }

  ParseResult parse_field() {
    const char* const name = at_;
    at_ = find_non_token(at_, end_);
    if (at_ == end_) return kIncomplete;
    // Also what begins with SP (obs-fold), has a space before the colon, or no colon.
    if (*at_ != ':' || at_ == name) return failed(400);
    if (field_count_ == storage_.size()) return failed(431);
    const std::string_view name_text(name, at_);

    do ++at_;
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t'));
    const char* const value = at_;
    at_ = find_value_end(at_, end_);
    if (at_ == end_) return kIncomplete;
    const char* value_end = at_;
    const ParseResult result = take_line_end();
    if (result.status != ParseStatus::complete) return result;
    while (value_end != value && (value_end[-1] == ' ' || value_end[-1] == '\t')) --value_end;
    storage_[field_count_++] = {name_text, {value, value_end}};
    return kComplete;
  }

  bool exceeds_limit() const {
    return static_cast<std::size_t>(at_ - begin_) > limits_.head_octets;
  }

  ParseResult finish() {
    if (exceeds_limit()) return failed(431);
    head_.fields = storage_.first(field_count_);
    head_.octets = static_cast<std::size_t>(at_ - begin_);
    return kComplete;
  }

  const char* const begin_;
  const char* const end_;
  const char* at_;
  const HeadLimits& limits_;
  const std::span<HeaderField> storage_;
  std::size_t field_count_ = 0;
  RequestHead& head_;
};

}  // namespace

ParseResult parse_head(std::string_view input, const HeadLimits& limits,
                       std::span<HeaderField> storage, ParseProgress& progress,
                       RequestHead& head) noexcept {
  ParseResult result = kComplete;
  if (progress.line != 0) {
    result = HeadParser(input, limits, storage, head).resume(progress);
    if (result.status == ParseStatus::complete) progress = {};
  }
  if (result.status == ParseStatus::complete)
    result = HeadParser(input, limits, storage, head).parse(progress);
  const bool too_long =
      result.status == ParseStatus::incomplete && input.size() > limits.head_octets;
  return too_long ? failed(431) : result;
}

}  // namespace routec::detail
