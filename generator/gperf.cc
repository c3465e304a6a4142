#include "gperf.h"

#include <cerrno>
#include <charconv>
#include <string_view>

#include "subprocess.h"

namespace routec::compiler {
namespace {

// Octal escapes only: an unquoted key would end at a comma, and '#' or '%' mean something else.
std::string quote(const std::string& key) {
  std::string text = "\"";
  for (const char c : key) {
    const auto octet = static_cast<std::uint8_t>(c);
    text += '\\';
    for (int shift = 6; shift >= 0; shift -= 3)
      text += static_cast<char>('0' + (octet >> shift) % 8);
  }
  return text + "\"\n";
}

// Takes the number that follows, behind anything that is none.
bool take_number(std::string_view& text, std::uint32_t& number) {
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == std::string_view::npos) return false;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc();
}

// The text between `open` and `close`, behind `mark`.
std::string_view find_between(std::string_view text, std::string_view mark, std::string_view open,
                              std::string_view close) {
  std::size_t begin = text.find(mark);
  if (begin == std::string_view::npos) return {};
  begin = text.find(open, begin);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + open.size());
  return text.substr(0, text.find(close));
}

// From `static unsigned char asso_values[] = { 7, ... };` and
// `return asso_values[(unsigned char)str[1]+1] + asso_values[(unsigned char)str[0]];`.
bool read_answer(std::string_view output, std::size_t key_length, GperfAnswer& answer) {
  std::string_view values = find_between(output, "asso_values[] =", "{", "}");
  for (std::uint32_t value; take_number(values, value);) answer.values.push_back(value);

  std::string_view sum = find_between(output, "return asso_values", "[", ";");
  answer.increments.assign(key_length, 0);
  std::size_t terms = 0;
  for (std::uint32_t index; take_number(sum, index); ++terms) {
    if (index >= key_length) return false;
    if (sum.substr(0, 2) == "]+" && !take_number(sum, answer.increments[index])) return false;
  }
  for (const std::uint32_t increment : answer.increments)
    if (answer.values.size() < 256 + std::size_t{increment}) return false;
  return terms == key_length;
}

}  // namespace

GperfEnd solve_with_gperf(const std::string& gperf, const std::vector<std::string>& keys,
                          std::chrono::milliseconds time_limit, GperfAnswer& answer,
                          std::string& error) {
  const std::size_t key_length = keys[0].size();
  std::string input;
  for (const std::string& key : keys) input += quote(key);
  // -n: the length is no part of the hash; -m: try several times for a table with few gaps.
  const ProcessResult result =
      run_process({gperf, "-n", "-m", "5", "-k", key_length == 1 ? "1" : "1,2"}, input, time_limit);
  if (result.end == ProcessEnd::kTimedOut) return GperfEnd::kUnsolved;
  if (result.succeeded() && read_answer(result.output, key_length, answer))
    return GperfEnd::kSolved;
  error = "gperf ('" + gperf + "') ";
  error += result.succeeded() ? "gave an answer that is not gperf 3.1's" : describe_failure(result);
  return GperfEnd::kFailed;
}

}  // namespace routec::compiler
