#include "response_writer.h"

#include <array>
#include <charconv>

namespace routec::detail {
namespace {

constexpr std::size_t kMaxDigits = 20;

char* put(char* at, std::string_view text) { return at + text.copy(at, text.size()); }

char* put_number(char* at, std::uint64_t number) {
  return std::to_chars(at, at + kMaxDigits, number).ptr;
}

char* put_two_digits(char* at, int number) {
  *at++ = static_cast<char>('0' + number / 10);
  *at++ = static_cast<char>('0' + number % 10);
  return at;
}

char* put_status_line(char* at, int status) {
  at = put(at, "HTTP/1.1 ");
  at = put_number(at, static_cast<unsigned>(status));
  at = put(at, " ");
  at = put(at, reason_phrase(status));
  return put(at, "\r\n");
}

// Longest status line, date line and framing fields, with room to spare.
constexpr std::size_t kFixedPart = 320;

}  // namespace

void DateCache::format() {
  constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                     "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  constexpr std::string_view kPattern = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
  std::tm utc{};
  gmtime_r(&now_, &utc);
  ok_and_date_.assign(kOkLine).append(kPattern);
  char* at = ok_and_date_.data() + kOkLine.size() + std::string_view("Date: ").size();
  at = put(at, kDays[static_cast<std::size_t>(utc.tm_wday)]) + 2;
  at = put_two_digits(at, utc.tm_mday) + 1;
  at = put(at, kMonths[static_cast<std::size_t>(utc.tm_mon)]) + 1;
  at = put_two_digits(at, (utc.tm_year + 1900) / 100);
  at = put_two_digits(at, utc.tm_year % 100) + 1;
  at = put_two_digits(at, utc.tm_hour) + 1;
  at = put_two_digits(at, utc.tm_min) + 1;
  put_two_digits(at, utc.tm_sec);
}

void write_head(Buffer& out, const Response& response, const HeadOptions& options,
                const DateCache& date) {
  const std::string_view fields = response.field_lines();
  const std::string_view type = response.type_line();
  char* const begin = out.reserve(kFixedPart + fields.size() + type.size());
  char* at = begin;
  if (response.code() == 200) {
    at = put(at, date.ok_and_date());
  } else {
    at = put_status_line(at, response.code());
    at = put(at, date.date_line());
  }
  if (options.close) at = put(at, "Connection: close\r\n");
  if (options.keep_alive) at = put(at, "Connection: keep-alive\r\n");
  if (allows_body(response.code())) {
    at = put(at, type);
    if (options.framing == BodyFraming::length) {
      at = put(at, "Content-Length: ");
      at = put_number(at, options.length);
      at = put(at, "\r\n");
    } else if (options.framing == BodyFraming::chunked) {
      at = put(at, "Transfer-Encoding: chunked\r\n");
    }
  }
  at = put(at, fields);
  at = put(at, "\r\n");
  out.commit(static_cast<std::size_t>(at - begin));
}

}  // namespace routec::detail
