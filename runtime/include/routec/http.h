// HTTP messages as handlers see them: Request in, Response out.
//
// Everything generated code touches is inline, so that a router links without the server library;
// only Response::stream, events and file are defined in routec::runtime.
//
// Thread-safety: values without shared state; one object must not be changed by two threads.
#ifndef ROUTEC_HTTP_H_
#define ROUTEC_HTTP_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace routec {

// The methods of RFC 9110 section 9 and PATCH (RFC 5789). Methods are case-sensitive.
enum class Method : std::uint8_t {
  get,
  head,
  post,
  put,
  delete_,
  connect,
  options,
  trace,
  patch,
  other
};

// In the order of Method.
inline constexpr std::string_view kMethodNames[] = {"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                                    "CONNECT", "OPTIONS", "TRACE", "PATCH"};

constexpr Method parse_method(std::string_view text) noexcept {
  std::uint8_t id = 0;
  for (const std::string_view name : kMethodNames) {
    if (text == name) break;
    ++id;
  }
  return static_cast<Method>(id);
}

namespace detail {

struct StatusInfo {
  int code;
  std::string_view reason_phrase;
};

// The IANA HTTP Status Code Registry (RFC 9110, section 16.2), by code.
inline constexpr StatusInfo kStatuses[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {102, "Processing"},
    {103, "Early Hints"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {207, "Multi-Status"},
    {208, "Already Reported"},
    {226, "IM Used"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {305, "Use Proxy"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {506, "Variant Also Negotiates"},
    {507, "Insufficient Storage"},
    {508, "Loop Detected"},
    {511, "Network Authentication Required"},
};

}  // namespace detail

// The reason phrase registered for `status`; "Unknown" for a code without one.
constexpr std::string_view reason_phrase(int status) noexcept {
  const auto* const found =
      std::lower_bound(std::begin(detail::kStatuses), std::end(detail::kStatuses), status,
                       [](const detail::StatusInfo& info, int code) { return info.code < code; });
  const bool is_known = found != std::end(detail::kStatuses) && found->code == status;
  return is_known ? found->reason_phrase : "Unknown";
}

struct HeaderField {
  std::string_view name;
  std::string_view value;  // without surrounding whitespace
};

namespace detail {

constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  return true;
}

// tchar of RFC 9110 section 5.6.2.
constexpr bool is_token_char(char c) noexcept {
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
  return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

constexpr bool is_token(std::string_view text) noexcept {
  for (char c : text)
    if (!is_token_char(c)) return false;
  return !text.empty();
}

constexpr int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Decodes a component of an application/x-www-form-urlencoded query: '+' is a space and a '%'
// without two hex digits stands for itself.
inline std::string decode_query(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

}  // namespace detail

// A request whose head and body were received in full. It views memory it does not own: of the
// connection during a handler's call, of the caller when made by hand in a test. Handlers that keep
// anything beyond their call copy it.
class Request {
 public:
  // For tests: `Request request("POST", "/users?x=1", {{"Accept", "*/*"}}, "body");`
  Request(std::string_view method, std::string_view target,
          std::initializer_list<HeaderField> headers = {}, std::string_view body = {})
      : method_(method), target_(target), own_headers_(headers), body_(body) {
    headers_ = own_headers_;
  }
  Request(std::string_view method, std::string_view target, std::span<const HeaderField> headers,
          std::string_view body) noexcept
      : method_(method), target_(target), headers_(headers), body_(body) {}
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Method method() const noexcept { return parse_method(method_); }
  std::string_view method_text() const noexcept { return method_; }

  // Origin form as received, not decoded: path and query. "*" for `OPTIONS *`.
  std::string_view target() const noexcept { return target_; }
  std::string_view path() const noexcept { return target_.substr(0, target_.find('?')); }
  // What follows the first '?', not decoded; empty when there is none.
  std::string_view query_text() const noexcept {
    const std::size_t mark = target_.find('?');
    return mark == std::string_view::npos ? std::string_view() : target_.substr(mark + 1);
  }

  // The decoded value of the first parameter of that (decoded) name; empty for `?name`.
  std::optional<std::string> query(std::string_view name) const {
    std::optional<std::string> found;
    visit_query(name, [&](std::string_view value) {
      found = detail::decode_query(value);
      return false;
    });
    return found;
  }
  // The decoded values of all parameters of that name, in order.
  std::vector<std::string> query_all(std::string_view name) const {
    std::vector<std::string> found;
    visit_query(name, [&](std::string_view value) {
      found.push_back(detail::decode_query(value));
      return true;
    });
    return found;
  }

  // The value of the first field of that name, in any case.
  std::optional<std::string_view> header(std::string_view name) const noexcept {
    for (const HeaderField& field : headers_)
      if (detail::equal_ignoring_case(field.name, name)) return field.value;
    return std::nullopt;
  }
  // All fields in the order received; names are spelled as received.
  std::span<const HeaderField> headers() const noexcept { return headers_; }

  std::string_view body() const noexcept { return body_; }

 private:
  // Calls `visit(raw_value)` for each parameter called `name` until it returns false.
  template <typename Visitor>
  void visit_query(std::string_view name, Visitor visit) const {
    std::string_view rest = query_text();
    while (!rest.empty()) {
      const std::string_view pair = rest.substr(0, rest.find('&'));
      rest.remove_prefix(pair.size() < rest.size() ? pair.size() + 1 : pair.size());
      if (pair.empty()) continue;
      const std::size_t equals = pair.find('=');
      if (!is_query_name(pair.substr(0, equals), name)) continue;
      if (!visit(equals == std::string_view::npos ? "" : pair.substr(equals + 1))) return;
    }
  }
  static bool is_query_name(std::string_view raw, std::string_view name) {
    if (raw.find_first_of("%+") == std::string_view::npos) return raw == name;
    return detail::decode_query(raw) == name;
  }

  std::string_view method_;
  std::string_view target_;
  std::vector<HeaderField> own_headers_;  // only of a request made by hand
  std::span<const HeaderField> headers_;
  std::string_view body_;
};

// What a source of body octets says after it was asked for more.
enum class Pull : std::uint8_t {
  more,  // octets were appended, ask again when the client took them
  wait,  // nothing yet: ask again after ServerOptions::stream_poll
  end    // what was appended is the last
};

// Appends the next octets to `chunk`. It is called on the thread that serves the connection, only
// while the client keeps up, and must not block. An exception cuts the connection, so that the
// client never takes a part for the whole.
using StreamSource = std::function<Pull(std::string& chunk)>;

// One event of a text/event-stream (HTML Living Standard, section 9.2).
struct ServerSentEvent {
  std::string data;   // may have several lines
  std::string event;  // empty: the default type, "message"
  std::string id;     // empty: none
  std::optional<std::chrono::milliseconds> retry;
};

// Fills `event`; it is sent unless Pull::wait is returned, or Pull::end with empty data.
using EventSource = std::function<Pull(ServerSentEvent& event)>;

namespace detail {

// A body that is not held in memory as a whole.
class BodySource {
 public:
  virtual ~BodySource() = default;
  // Octets in all, if known: they are framed by Content-Length, else by chunks.
  virtual std::optional<std::uint64_t> length() const = 0;
  virtual Pull pull(std::string& chunk) = 0;
  // A file to be sent as it is, or -1.
  virtual int file_descriptor() const noexcept { return -1; }
};

}  // namespace detail

// An answer. Small ones cost no allocation: the body is a std::string and fields are kept
// serialised. The server adds Date, Content-Length or Transfer-Encoding, and Connection.
class Response {
 public:
  static Response text(std::string body) {
    return Response(std::move(body), "Content-Type: text/plain; charset=utf-8\r\n");
  }
  // `body` is JSON text already.
  static Response json(std::string body) {
    return Response(std::move(body), "Content-Type: application/json\r\n");
  }
  static Response bytes(std::string body) {
    return Response(std::move(body), "Content-Type: application/octet-stream\r\n");
  }
  static Response bytes(std::string body, std::string_view content_type) {
    return Response(std::move(body), {}).header("Content-Type", content_type);
  }
  // Throws std::invalid_argument unless `code` is one of 300 to 399.
  static Response redirect(std::string_view location, int code = 302) {
    if (code < 300 || code > 399) throw std::invalid_argument("redirect: status is not 3xx");
    return status(code).header("Location", location);
  }
  // An empty body.
  static Response status(int code) { return Response({}, {}).code(code); }

  // The body is pulled from `source` as the client takes it: chunked in HTTP/1.1, up to the end of
  // the connection in 1.0.
  static Response stream(std::string_view content_type, StreamSource source);
  // Server-Sent Events; not to be stored by caches.
  static Response events(EventSource source);
  // The regular file at `path` as it is now, sent by the kernel. Throws std::system_error if it
  // can't be opened; 404 for what is missing is the handler's decision.
  static Response file(const std::string& path, std::string_view content_type);

  // Adds a field; `header` on a temporary can be chained. Throws std::invalid_argument (the server
  // answers 500) for a name that is no token, a value with CR, LF or NUL, and the fields that frame
  // the message, which are the server's: Connection, Content-Length, Date, Transfer-Encoding.
  Response& header(std::string_view name, std::string_view value) & {
    check_field(name, value);
    if (detail::equal_ignoring_case(name, "Content-Type")) type_line_ = {};
    fields_.reserve(fields_.size() + name.size() + value.size() + 4);
    fields_.append(name).append(": ").append(value).append("\r\n");
    return *this;
  }
  Response&& header(std::string_view name, std::string_view value) && {
    return std::move(header(name, value));
  }
  // Throws std::invalid_argument unless `code` is a final status, 200 to 599.
  Response& code(int code) & {
    if (code < 200 || code > 599) throw std::invalid_argument("status is not one of 200 to 599");
    code_ = code;
    return *this;
  }
  Response&& code(int code) && { return std::move(this->code(code)); }

  int code() const noexcept { return code_; }
  // Empty for streams and files.
  const std::string& body() const noexcept { return body_; }
  // The first value of that name, among those set so far.
  std::optional<std::string_view> header_value(std::string_view name) const noexcept {
    const std::optional<std::string_view> type = find_field(type_line_, name);
    return type ? type : find_field(fields_, name);
  }

  // For the server: complete "Name: value\r\n" lines.
  std::string_view type_line() const noexcept { return type_line_; }
  std::string_view field_lines() const noexcept { return fields_; }
  detail::BodySource* source() const noexcept { return source_.get(); }

 private:
  Response(std::string body, std::string_view type_line)
      : type_line_(type_line), body_(std::move(body)) {}

  static void check_field(std::string_view name, std::string_view value) {
    if (!detail::is_token(name)) throw std::invalid_argument("header: name is not a token");
    if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos)
      throw std::invalid_argument("header: value has CR, LF or NUL");
    for (std::string_view owned : {"Connection", "Content-Length", "Date", "Transfer-Encoding"})
      if (detail::equal_ignoring_case(name, owned))
        throw std::invalid_argument("header: framing fields are set by the server");
  }
  static std::optional<std::string_view> find_field(std::string_view lines,
                                                    std::string_view name) noexcept {
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\r'));
      const std::size_t colon = line.find(':');
      if (detail::equal_ignoring_case(line.substr(0, colon), name)) return line.substr(colon + 2);
      lines.remove_prefix(line.size() + 2);
    }
    return std::nullopt;
  }

  int code_ = 200;
  std::string_view type_line_;  // of static storage
  std::string fields_;
  std::string body_;
  std::unique_ptr<detail::BodySource> source_;
};

}  // namespace routec

#endif  // ROUTEC_HTTP_H_
