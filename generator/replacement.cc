#include "replacement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace routec::compiler {
namespace {

namespace fs = std::filesystem;

std::string reason(const fs::path& path, int error) {
  return path.string() + ": " + std::strerror(error);
}

// Returns errno or 0, as the others below.
int write_new_file(const fs::path& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) error = errno;
  }
  // A full disk or quota may show only here.
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error != 0) ::unlink(path.c_str());
  return error;
}

// A second name costs nothing and keeps everything; where there are none, a copy has to do.
int keep_copy(const fs::path& path, const fs::path& copy) {
  if (::link(path.c_str(), copy.c_str()) == 0) return 0;
  if (errno == EEXIST || errno == ENOENT) return errno;
  std::error_code error;
  if (fs::is_symlink(path, error))
    fs::copy_symlink(path, copy, error);
  else
    fs::copy_file(path, copy, error);
  return error.value();
}

}  // namespace

Replacement::~Replacement() {
  for (const Change& change : changes_) {
    if (!change.fresh.empty()) ::unlink(change.fresh.c_str());
    if (!change.old.empty()) ::unlink(change.old.c_str());
  }
}

std::string Replacement::replace(const fs::path& target, std::string_view text) {
  std::error_code ignored;
  const fs::file_status status = fs::status(target, ignored);
  if (fs::is_directory(status)) return reason(target, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return target.string() + ": Not a regular file";
  Change change{target, {}, {}};
  const int error = make_beside(target, change.fresh,
                                [&](const fs::path& name) { return write_new_file(name, text); });
  if (error != 0) return reason(target, error);
  changes_.push_back(change);
  return {};
}

void Replacement::remove(const fs::path& target) { changes_.push_back({target, {}, {}}); }

std::string Replacement::commit() {
  for (Change& change : changes_)
    if (std::string failure = keep_old(change); !failure.empty()) return failure;
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    if (const int error = make(changes_[i]); error != 0) {
      roll_back(i);
      return reason(changes_[i].target, error);
    }
  }
  return {};
}

int Replacement::make(Change& change) {
  if (change.fresh.empty())
    return ::unlink(change.target.c_str()) == 0 || errno == ENOENT ? 0 : errno;
  if (::rename(change.fresh.c_str(), change.target.c_str()) != 0) return errno;
  change.fresh.clear();  // the name may be another's by now
  return 0;
}

std::string Replacement::keep_old(Change& change) {
  const int error = make_beside(change.target, change.old, [&](const fs::path& name) {
    return keep_copy(change.target, name);
  });
  return error == 0 || error == ENOENT ? "" : reason(change.target, error);
}

// Takes the first `count` changes back.
void Replacement::roll_back(std::size_t count) {
  while (count-- > 0) {
    Change& change = changes_[count];
    if (change.old.empty()) {
      ::unlink(change.target.c_str());
    } else {
      ::rename(change.old.c_str(), change.target.c_str());
      change.old.clear();
    }
  }
}

// Calls `make_file` with names in the folder of `target` until one is new; it returns errno or 0.
template <typename Make>
int Replacement::make_beside(const fs::path& target, fs::path& name, Make make_file) {
  for (;;) {
    const fs::path candidate =
        target.parent_path() / fmt::format(".routec-{}-{}~", ::getpid(), names_++);
    const int error = make_file(candidate);
    if (error == EEXIST) continue;
    if (error == 0) name = candidate;
    return error;
  }
}

}  // namespace routec::compiler
