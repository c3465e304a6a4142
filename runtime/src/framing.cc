#include "framing.h"

#include <array>
#include <limits>
#include <optional>

namespace routec::detail {
namespace {

// Calls `visit` for each element of a comma-separated list, without the whitespace around it.
template <typename Visitor>
void visit_list(std::string_view list, Visitor visit) {
  while (true) {
    const std::size_t comma = list.find(',');
    std::string_view element = list.substr(0, comma);
    while (!element.empty() && (element.front() == ' ' || element.front() == '\t'))
      element.remove_prefix(1);
    while (!element.empty() && (element.back() == ' ' || element.back() == '\t'))
      element.remove_suffix(1);
    if (!element.empty()) visit(element);
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

constexpr std::array<bool, 256> kRegNameChars = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c) {
    const char octet = static_cast<char>(c);
    table[c] = (octet >= '0' && octet <= '9') || (to_lower(octet) >= 'a' && to_lower(octet) <= 'z');
  }
  // Without ',': it joins repeated fields, so a host with it may be two.
  for (char c : std::string_view("-._~!$&'()*+;=")) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

// Length of the IP-literal at the start of `text`, 0 if it is none (RFC 3986 section 3.2.2).
std::size_t ip_literal_length(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789abcdefABCDEF:.", 1);
  return end != std::string_view::npos && end > 2 && text[end] == ']' ? end + 1 : 0;
}

// Length of the reg-name or IPv4address at the start of `text`, npos for a bad percent-encoding.
std::size_t reg_name_length(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (kRegNameChars[static_cast<unsigned char>(text[i])]) {
      ++i;
    } else if (text[i] == '%') {
      if (i + 2 >= text.size() || hex_value(text[i + 1]) < 0 || hex_value(text[i + 2]) < 0)
        return std::string_view::npos;
      i += 3;
    } else {
      break;
    }
  }
  return i;
}

// uri-host [ ":" port ]; an empty host is for the caller to judge.
bool is_host(std::string_view text) {
  const bool literal = !text.empty() && text.front() == '[';
  const std::size_t length = literal ? ip_literal_length(text) : reg_name_length(text);
  if (length == std::string_view::npos || (literal && length == 0)) return false;
  text.remove_prefix(length);
  if (text.empty()) return true;
  return text.front() == ':' && text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

class HeadExaminer {
 public:
  HeadExaminer(const RequestHead& head, std::string& rewritten)
      : head_(head), rewritten_(rewritten) {
    framing_.keep_alive = head.minor_version != 0;
  }

  Framing examine() {
    for (const HeaderField& field : head_.fields) examine_field(field);
    if (framing_.error == 0) check_framing();
    if (framing_.error == 0) reduce_target();
    if (framing_.error == 0) check_host();
    if (framing_.error == 0 && expects_other_) fail(417);
    return framing_;
  }

 private:
  void fail(int status) { framing_.error = status; }

  // The length of a name tells the few fields of interest apart from most others.
  void examine_field(const HeaderField& field) {
    const auto named = [&](std::string_view name) { return equal_ignoring_case(field.name, name); };
    switch (field.name.size()) {
      case 4:
        if (named("Host")) examine_host(field.value);
        break;
      case 6:
        if (named("Expect")) examine_expect(field.value);
        break;
      case 10:
        if (named("Connection")) examine_connection(field.value);
        break;
      case 14:
        if (named("Content-Length")) examine_length(field.value);
        break;
      case 17:
        if (named("Transfer-Encoding")) examine_coding(field.value);
        break;
      default:
        break;
    }
  }

  void examine_host(std::string_view value) {
    if (host_ || !is_host(value)) fail(400);
    host_ = value;
  }

  void examine_expect(std::string_view value) {
    if (head_.minor_version == 0) return;  // RFC 9110 section 10.1.1
    visit_list(value, [&](std::string_view expectation) {
      if (equal_ignoring_case(expectation, "100-continue"))
        framing_.expects_continue = true;
      else
        expects_other_ = true;
    });
  }

  void examine_connection(std::string_view value) {
    visit_list(value, [&](std::string_view option) {
      if (equal_ignoring_case(option, "close")) asks_close_ = true;
      if (equal_ignoring_case(option, "keep-alive")) framing_.keep_alive = true;
    });
    if (asks_close_) framing_.keep_alive = false;
  }

  void examine_length(std::string_view value) {
    if (has_length_ || value.empty()) fail(400);
    has_length_ = true;
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t length = 0;
    for (char c : value) {
      if (c < '0' || c > '9') return fail(400);
      const auto digit = static_cast<unsigned>(c - '0');
      length = length > (kMax - digit) / 10 ? kMax : length * 10 + digit;
    }
    framing_.content_length = length;
  }

  void examine_coding(std::string_view value) {
    has_coding_ = true;
    visit_list(value, [&](std::string_view coding) {
      if (framing_.chunked) bad_coding_ = true;  // chunked must be the last, and once
      if (equal_ignoring_case(coding, "chunked"))
        framing_.chunked = true;
      else
        other_coding_ = true;
    });
  }

  // RFC 9112 section 6.3. Both lengths at once are how requests are smuggled.
  void check_framing() {
    if (!has_coding_) return;
    if (has_length_ || head_.minor_version == 0 || !framing_.chunked || bad_coding_)
      fail(400);
    else if (other_coding_)
      fail(501);
  }

  // RFC 9112 section 3.2.
  void reduce_target() {
    framing_.target = head_.target;
    if (head_.target.front() == '/') return;
    if (head_.method == "CONNECT") return fail(501);
    if (head_.target == "*") {
      if (head_.method != "OPTIONS") fail(400);
      return;
    }
    if (!reduce_absolute_form(head_.target)) fail(400);
  }

  bool reduce_absolute_form(std::string_view target) {
    const std::size_t colon = target.find("://");
    if (colon == std::string_view::npos) return false;
    const std::string_view scheme = target.substr(0, colon);
    if (!equal_ignoring_case(scheme, "http") && !equal_ignoring_case(scheme, "https")) return false;
    target.remove_prefix(colon + 3);
    const std::string_view authority = target.substr(0, target.find_first_of("/?#"));
    if (authority.empty() || authority.front() == ':' || !is_host(authority)) return false;
    is_absolute_ = true;
    target.remove_prefix(authority.size());
    if (!target.empty() && target.front() == '/') {
      framing_.target = target;
    } else if (target.empty() && head_.method == "OPTIONS") {
      framing_.target = "*";  // of the server as a whole, RFC 9112 section 3.2.4
    } else {
      rewritten_.assign(1, '/');
      rewritten_ += target;
      framing_.target = rewritten_;
    }
    return true;
  }

  void check_host() {
    if (!host_ ? head_.minor_version != 0 : !is_absolute_ && !names_host(*host_)) fail(400);
  }
  static bool names_host(std::string_view host) { return !host.empty() && host.front() != ':'; }

  const RequestHead& head_;
  std::string& rewritten_;
  Framing framing_;
  std::optional<std::string_view> host_;
  bool is_absolute_ = false;
  bool asks_close_ = false;
  bool has_length_ = false;
  bool has_coding_ = false;
  bool other_coding_ = false;
  bool bad_coding_ = false;
  bool expects_other_ = false;
};

}  // namespace

Framing examine_head(const RequestHead& head, std::string& rewritten) {
  return HeadExaminer(head, rewritten).examine();
}

}  // namespace routec::detail
