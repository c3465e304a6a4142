#include "request_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "guarded_text.h"
#include "scan.h"

namespace routec::detail {
namespace {

using test::GuardedText;

constexpr std::size_t kFields = 100;

struct Parsed {
  ParseResult result{ParseStatus::incomplete};
  std::string method, target, fields;
  int minor_version = -1;
  std::size_t octets = 0;

  bool operator==(const Parsed& other) const {
    return result.status == other.result.status && result.error == other.result.error &&
           method == other.method && target == other.target && fields == other.fields &&
           minor_version == other.minor_version && octets == other.octets;
  }
};

void PrintTo(const Parsed& parsed, std::ostream* out) {
  *out << static_cast<int>(parsed.result.status) << "/" << parsed.result.error << " "
       << parsed.method << " " << parsed.target << " " << parsed.minor_version << " ["
       << parsed.fields << "] " << parsed.octets;
}

class Parse {
 public:
  explicit Parse(HeadLimits limits = {}, std::size_t fields = kFields)
      : limits_(limits), storage_(fields) {}

  Parsed operator()(std::string_view input) {
    RequestHead head;
    Parsed parsed;
    parsed.result = parse_head(input, limits_, storage_, progress_, head);
    if (parsed.result.status != ParseStatus::complete) return parsed;
    parsed.method = head.method;
    parsed.target = head.target;
    parsed.minor_version = head.minor_version;
    parsed.octets = head.octets;
    for (const HeaderField& field : head.fields)
      parsed.fields.append(field.name).append("=").append(field.value).append(";");
    return parsed;
  }

 private:
  HeadLimits limits_;
  std::vector<HeaderField> storage_;
  ParseProgress progress_;
};

Parsed parse_once(std::string_view input) {
  const GuardedText text(input);
  return Parse()(text.view());
}

const std::vector<std::string>& heads() {
  static const std::vector<std::string> all = {
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /a?b=c HTTP/1.0\r\n\r\n",
      "\r\nPOST /echo HTTP/1.1\r\nHost: \t a \t\r\nContent-Length:5\r\nX:\r\n\r\n",
      "\r\n\r\nOPTIONS * HTTP/1.2\r\nHost: example.com\r\nA-Long-Name-Of-A-Field: with a value "
      "that is longer than one vector\r\n\r\n",
      "GET / HTTP/1.1\nHost: a\n\n",
      "GET / HTTP/1.1\rHost: a\r\n\r\n",
      "GET  / HTTP/1.1\r\n\r\n",
      "GET / HTTP/2.0\r\n\r\n",
      "GET / HTTP/1.10\r\n\r\n",
      "GET / http/1.1\r\n\r\n",
      "GET /a b HTTP/1.1\r\n\r\n",
      "GET\t/ HTTP/1.1\r\n\r\n",
      "G@T / HTTP/1.1\r\n\r\n",
      " GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
      "GET / HTTP/1.1\r\n: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\x01\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
      "GET / HTTP/1.1\r\nNo colon\r\n\r\n",
      "\r\n\r\n\r\nGET / HTTP/1.1\r\n\r\n",
      "\rGET / HTTP/1.1\r\n\r\n"};
  return all;
}

TEST(RequestParser, TakesAHeadApart) {
  const Parsed parsed = parse_once(
      "\r\nPOST /echo HTTP/1.1\r\nHost: \t a b \t\r\nContent-Length:5\r\nX:\r\n\r\nhello");
  EXPECT_EQ(parsed.result.status, ParseStatus::complete);
  EXPECT_EQ(parsed.method, "POST");
  EXPECT_EQ(parsed.target, "/echo");
  EXPECT_EQ(parsed.minor_version, 1);
  EXPECT_EQ(parsed.fields, "Host=a b;Content-Length=5;X=;");
  EXPECT_EQ(parsed.octets, std::string("\r\nPOST /echo HTTP/1.1\r\nHost: \t a b \t\r\n"
                                       "Content-Length:5\r\nX:\r\n\r\n")
                               .size());
}

TEST(RequestParser, SkipsTwoEmptyLines) {
  const std::string head = "GET / HTTP/1.1\r\n\r\n";
  EXPECT_EQ(parse_once("\r\n\r\n" + head).octets, head.size() + 4);
  EXPECT_EQ(parse_once("\r\n\r\n\r\n" + head).result.error, 400);
}

TEST(RequestParser, TakesLaterMinorVersionsForTheFirst) {
  for (std::string_view version : {"1.1", "1.2", "1.9"})
    EXPECT_EQ(parse_once("GET / HTTP/" + std::string(version) + "\r\n\r\n").minor_version, 1);
  EXPECT_EQ(parse_once("GET / HTTP/1.0\r\n\r\n").minor_version, 0);
}

TEST(RequestParser, KeepsMethodAndTargetTogether) {
  Parse parse;
  ParseProgress progress;
  RequestHead head;
  std::vector<HeaderField> storage(kFields);
  const std::string input = "DELETE /x HTTP/1.1\r\n\r\n";
  ASSERT_EQ(parse_head(input, {}, storage, progress, head).status, ParseStatus::complete);
  EXPECT_EQ(head.method.data() + head.method.size() + 1, head.target.data());
}

// The same answer whatever the pieces, and an error as soon as its octet is there.
TEST(RequestParser, IsTheSameAtEverySplit) {
  for (const std::string& head : heads()) {
    const Parsed whole = parse_once(head);
    ASSERT_NE(whole.result.status, ParseStatus::incomplete) << head;
    for (std::size_t cut = 0; cut <= head.size(); ++cut) {
      Parse parse;
      const GuardedText first(std::string_view(head).substr(0, cut));
      const Parsed early = parse(first.view());
      if (early.result.status == ParseStatus::incomplete)
        EXPECT_EQ(parse(GuardedText(head).view()), whole) << head << " cut at " << cut;
      else
        EXPECT_EQ(early, whole) << head << " cut at " << cut;
    }
  }
}

// A head that trickles in is not read from its start each time.
TEST(RequestParser, ResumesAtTheLastLine) {
  const std::string lines = "GET / HTTP/1.1\r\nA: b\r\n";
  std::vector<HeaderField> storage(kFields);
  ParseProgress progress;
  RequestHead head;
  ASSERT_EQ(parse_head(lines + "C", {}, storage, progress, head).status, ParseStatus::incomplete);
  EXPECT_EQ(progress.line, lines.size());
  EXPECT_EQ(progress.fields, 1u);
  ASSERT_EQ(parse_head(lines + "C: d\r\n\r\n", {}, storage, progress, head).status,
            ParseStatus::complete);
  EXPECT_EQ(head.fields.size(), 2u);
  EXPECT_EQ(progress.line, 0u);
}

TEST(RequestParser, IsTheSameOctetByOctet) {
  for (const std::string& head : heads()) {
    Parse parse;
    Parsed parsed;
    for (std::size_t size = 0; size <= head.size(); ++size) {
      parsed = parse(GuardedText(std::string_view(head).substr(0, size)).view());
      if (parsed.result.status != ParseStatus::incomplete) break;
    }
    EXPECT_EQ(parsed, parse_once(head)) << head;
  }
}

TEST(RequestParser, NamesTheError) {
  const auto error = [](std::string_view head) { return parse_once(head).result.error; };
  EXPECT_EQ(error("GET / HTTP/2.0\r\n"), 505);
  EXPECT_EQ(error("GET / HTTP/0.9\r\n"), 505);
  EXPECT_EQ(error("GET / \r\n"), 400);
  EXPECT_EQ(error("GET / HTTP/1.1x"), 400);
  EXPECT_EQ(error(std::string(300, 'A')), 501);
  EXPECT_EQ(error("GET /" + std::string(8192, 'a')), 414);
  EXPECT_EQ(error("GET / HTTP/1.1\r\nX: " + std::string(40'000, 'a')), 431);
  EXPECT_EQ(error("GET / HTTP/1.1\r\nX" + std::string(40'000, 'a')), 431);
}

TEST(RequestParser, CountsFieldsAndOctets) {
  std::string fields;
  for (int i = 0; i < 100; ++i) fields += "A: b\r\n";
  const std::string line = "GET / HTTP/1.1\r\n";
  EXPECT_EQ(parse_once(line + fields + "\r\n").result.status, ParseStatus::complete);
  EXPECT_EQ(parse_once(line + fields + "A: b\r\n\r\n").result.error, 431);

  const std::string head = line + "X: 12345\r\n\r\n";
  EXPECT_EQ(Parse({head.size(), 8192})(head).result.status, ParseStatus::complete);
  EXPECT_EQ(Parse({head.size() - 1, 8192})(head).result.error, 431);
  EXPECT_EQ(Parse({1000, 1})(head).result.status, ParseStatus::complete);
  EXPECT_EQ(Parse({1000, 1})("GET /a HTTP/1.1\r\n").result.error, 414);
}

TEST(RequestParser, AcceptsEveryTokenOctetInNames) {
  for (int c = 0; c < 256; ++c) {
    const std::string name(1, static_cast<char>(c));
    const Parsed parsed = parse_once("GET / HTTP/1.1\r\nA" + name + "B: v\r\n\r\n");
    const bool complete = parsed.result.status == ParseStatus::complete;
    EXPECT_EQ(complete, is_token_char(static_cast<char>(c)) || c == ':') << c;
  }
}

// Each octet at each offset of a vector and beyond.
TEST(Scan, EqualsItsScalarForm) {
  for (std::size_t size : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 70u})
    for (std::size_t at = 0; at < std::max<std::size_t>(size, 1); ++at)
      for (int c = 0; c < 256; ++c) {
        std::string text(size, 'a');
        if (size != 0) text[at] = static_cast<char>(c);
        const GuardedText guarded(text);
        const char* const begin = guarded.view().data();
        const char* const end = begin + size;
        ASSERT_EQ(find_target_end(begin, end), find_octet(begin, end, kEndsTarget)) << c;
        ASSERT_EQ(find_value_end(begin, end), find_octet(begin, end, kEndsValue)) << c;
        if (size == 0) break;
      }
}

}  // namespace
}  // namespace routec::detail
