// Serialises response heads, RFC 9112 sections 4 and 6.
#ifndef ROUTEC_SRC_RESPONSE_WRITER_H_
#define ROUTEC_SRC_RESPONSE_WRITER_H_

#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "buffer.h"
#include "routec/http.h"

namespace routec::detail {

// The lines that change only with the second.
class DateCache {
 public:
  DateCache() { format(); }
  void update(std::time_t now) {
    if (now == now_) return;
    now_ = now;
    format();
  }
  // "Date: <IMF-fixdate>\r\n", RFC 9110 section 5.6.7.
  std::string_view date_line() const noexcept {
    return std::string_view(ok_and_date_).substr(kOkLine.size());
  }
  // The status line of 200 and the date line in one.
  std::string_view ok_and_date() const noexcept { return ok_and_date_; }

 private:
  static constexpr std::string_view kOkLine = "HTTP/1.1 200 OK\r\n";
  void format();

  std::time_t now_ = 0;
  std::string ok_and_date_;
};

enum class BodyFraming : std::uint8_t {
  length,      // Content-Length
  chunked,     // Transfer-Encoding: chunked
  until_close  // the end of the connection, for HTTP/1.0
};

struct HeadOptions {
  BodyFraming framing = BodyFraming::length;
  std::uint64_t length = 0;  // of the body when framed by length, sent or not
  // Of the Connection field: nothing is said when the version has it so by default.
  bool close = false;
  bool keep_alive = false;
};

void write_head(Buffer& out, const Response& response, const HeadOptions& options,
                const DateCache& date);

// RFC 9110 section 6.4.1: these statuses never have a body.
constexpr bool allows_body(int status) noexcept {
  return status >= 200 && status != 204 && status != 304;
}

}  // namespace routec::detail

#endif  // ROUTEC_SRC_RESPONSE_WRITER_H_
