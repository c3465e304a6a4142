// What scan_path() finds, found octet by octet.
#ifndef ROUTEC_TESTS_BEHAVIOUR_PLAIN_SCAN_H_
#define ROUTEC_TESTS_BEHAVIOUR_PLAIN_SCAN_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "routec/path_scan.h"

namespace routec::test {

struct PlainScan {
  explicit PlainScan(std::string_view target) : path(target.substr(0, target.find('?'))) {
    for (std::size_t i = 0; i < path.size(); ++i)
      if (path[i] == '/') slashes.push_back(i);
    slashes.push_back(path.size());
    const auto is_refused = [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '#';
    };
    malformed = !path.starts_with('/') || std::any_of(path.begin(), path.end(), is_refused);
  }

  std::string_view segment(std::size_t index) const {
    return path.substr(slashes[index] + 1, slashes[index + 1] - slashes[index] - 1);
  }
  std::size_t segment_count() const { return slashes.size() - 1; }
  bool has_dots() const { return path.find("/.") != std::string_view::npos; }

  std::string_view path;
  std::vector<std::size_t> slashes;  // and the end of the path
  bool malformed = false;
};

// What any scan tells: where the path and its segments are. Empty: it is right.
inline std::string place_difference(const detail::PathScan& scan, const PlainScan& plain) {
  const std::size_t count = plain.segment_count();
  std::size_t first_empty = 0;
  while (first_empty < count && !plain.segment(first_empty).empty()) ++first_empty;
  if (scan.length != plain.path.size()) return "length";
  if (scan.segment_count != count) return "segment_count";
  if (scan.first_empty != first_empty) return "first_empty";
  for (std::size_t i = 0; i < std::min(count, detail::kMaxSegments); ++i)
    if (scan.begin(static_cast<std::uint32_t>(i)) != plain.slashes[i] + 1 ||
        scan.size(static_cast<std::uint32_t>(i)) != plain.segment(i).size())
      return "segment " + std::to_string(i);
  return {};
}

// Empty if scan_usual_path() is right about `target`, or leaves it to scan_path().
inline std::string usual_scan_difference(std::string_view target, const PlainScan& plain) {
  if (target.empty() || target.size() > detail::kMaxTarget) return {};
  const detail::SlackText<detail::kMaxTarget> readable(target);
  detail::PathScan scan;
  const bool usual = detail::scan_usual_path({readable.data(), target.size()}, scan);
  const bool plainly_usual = target.size() < 512 && target[0] == '/' &&
                             target.find_first_not_of("/abcx.") == std::string_view::npos &&
                             target.find("//") == std::string_view::npos &&
                             target.find("/.") == std::string_view::npos;
  if (!usual) return plainly_usual ? "is usual" : "";
  if (plain.malformed || plain.has_dots() || target.find('%') != std::string_view::npos)
    return "is not usual";
  return place_difference(scan, plain);
}

// Empty if the scans are right about `target`; else what they are wrong about.
inline std::string scan_difference(std::string_view target) {
  detail::PathScan scan;
  detail::scan_path(target, scan);
  const PlainScan plain(target);
  if (scan.malformed != plain.malformed) return "malformed";
  std::string difference = usual_scan_difference(target, plain);
  if (!difference.empty() || plain.malformed) return difference;
  if (scan.escaped != (plain.path.find('%') != std::string_view::npos)) return "escaped";
  if (scan.dots != plain.has_dots()) return "dots";
  return place_difference(scan, plain);
}

}  // namespace routec::test

#endif  // ROUTEC_TESTS_BEHAVIOUR_PLAIN_SCAN_H_
