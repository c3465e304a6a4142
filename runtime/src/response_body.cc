// The bodies that are not held in memory: streams, events, files.
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "routec/http.h"
#include "socket.h"

namespace routec {
namespace {

class StreamBody final : public detail::BodySource {
 public:
  explicit StreamBody(StreamSource source) : source_(std::move(source)) {}
  std::optional<std::uint64_t> length() const override { return std::nullopt; }
  Pull pull(std::string& chunk) override { return source_(chunk); }

 private:
  StreamSource source_;
};

class FileBody final : public detail::BodySource {
 public:
  FileBody(detail::Descriptor file, std::uint64_t length)
      : file_(std::move(file)), length_(length) {}
  std::optional<std::uint64_t> length() const override { return length_; }
  Pull pull(std::string&) override { return Pull::end; }
  int file_descriptor() const noexcept override { return file_.get(); }

 private:
  detail::Descriptor file_;
  std::uint64_t length_;
};

// A line break in any of its spellings would end the field, so data is sent line by line and what
// cannot be is refused.
void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\n");
}

void append_data(std::string& out, std::string_view data) {
  while (true) {
    const std::size_t end = data.find_first_of("\r\n");
    append_field(out, "data", data.substr(0, end));
    if (end == std::string_view::npos) return;
    data.remove_prefix(data.substr(end, 2) == "\r\n" ? end + 2 : end + 1);
  }
}

void append_event(std::string& out, const ServerSentEvent& event) {
  constexpr std::string_view kBreaks("\r\n\0", 3);
  if ((event.event + event.id).find_first_of(kBreaks) != std::string::npos)
    throw std::invalid_argument("server-sent event: type or id has CR, LF or NUL");
  if (!event.event.empty()) append_field(out, "event", event.event);
  if (!event.id.empty()) append_field(out, "id", event.id);
  if (event.retry) append_field(out, "retry", std::to_string(event.retry->count()));
  append_data(out, event.data);
  out += '\n';
}

std::system_error file_error(int error, const std::string& path) {
  return std::system_error(error, std::generic_category(), path);
}

}  // namespace

Response Response::stream(std::string_view content_type, StreamSource source) {
  Response response = bytes({}, content_type);
  response.source_ = std::make_unique<StreamBody>(std::move(source));
  return response;
}

Response Response::events(EventSource source) {
  const auto pull = [source = std::move(source)](std::string& chunk) {
    ServerSentEvent event;
    const Pull next = source(event);
    if (next == Pull::more || (next == Pull::end && !event.data.empty()))
      append_event(chunk, event);
    return next;
  };
  return stream("text/event-stream", pull).header("Cache-Control", "no-store");
}

Response Response::file(const std::string& path, std::string_view content_type) {
  detail::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) throw file_error(errno, path);
  if (!S_ISREG(status.st_mode)) throw file_error(EINVAL, path);
  Response response = bytes({}, content_type);
  response.source_ =
      std::make_unique<FileBody>(std::move(file), static_cast<std::uint64_t>(status.st_size));
  return response;
}

}  // namespace routec
