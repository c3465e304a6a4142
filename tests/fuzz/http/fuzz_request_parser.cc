// A head in one piece and in two gives the same answer. The first octet says where it is cut.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "framing.h"
#include "request_parser.h"

namespace {

using namespace routec::detail;

std::string describe(const ParseResult& result, const RequestHead& head) {
  std::string text =
      std::to_string(static_cast<int>(result.status)) + "/" + std::to_string(result.error);
  if (result.status != ParseStatus::complete) return text;
  text.append(head.method).append("\n").append(head.target).append("\n");
  text.append(std::to_string(head.minor_version)).append(std::to_string(head.octets));
  for (const routec::HeaderField& field : head.fields)
    text.append(field.name).append("\n").append(field.value).append("\n");
  std::string rewritten;
  const Framing framing = examine_head(head, rewritten);
  return text.append(std::to_string(framing.error)).append(framing.target);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string first = input.substr(0, data[0] * input.size() / 255);
  std::vector<routec::HeaderField> storage(100);

  ParseProgress whole_progress;
  RequestHead head;
  const ParseResult whole = parse_head(input, {}, storage, whole_progress, head);
  const std::string expected = describe(whole, head);

  ParseProgress progress;
  RequestHead cut_head;
  ParseResult result = parse_head(first, {}, storage, progress, cut_head);
  if (result.status == ParseStatus::incomplete)
    result = parse_head(input, {}, storage, progress, cut_head);
  if (describe(result, cut_head) != expected) std::abort();
  return 0;
}
