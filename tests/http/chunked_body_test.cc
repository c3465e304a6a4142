#include "chunked_body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "guarded_text.h"

namespace routec::detail {
namespace {

using Status = ChunkedBody::Status;

constexpr std::uint64_t kLimit = 1000;
constexpr std::size_t kFirstMalformed = 5;  // in bodies()

struct Decoded {
  Status status = Status::incomplete;
  std::string data;
  std::size_t consumed = 0;

  bool operator==(const Decoded&) const = default;
};

void PrintTo(const Decoded& decoded, std::ostream* out) {
  *out << static_cast<int>(decoded.status) << " '" << decoded.data << "' " << decoded.consumed;
}

// `cuts` are where the input is cut into pieces.
Decoded decode(std::string_view input, const std::vector<std::size_t>& cuts = {}) {
  ChunkedBody body;
  Decoded decoded;
  std::size_t at = 0;
  for (std::size_t i = 0; i <= cuts.size() && decoded.status == Status::incomplete; ++i) {
    const std::size_t end = i < cuts.size() ? cuts[i] : input.size();
    test::GuardedText piece(input.substr(at, end - at));
    const ChunkedBody::Result result = body.decode(piece.data(), end - at, kLimit);
    decoded.status = result.status;
    decoded.data.append(piece.data(), result.produced);
    decoded.consumed = at + result.consumed;
    at = end;
  }
  return decoded;
}

const std::vector<std::string>& bodies() {
  static const std::vector<std::string> all = {
      "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\nGET",
      "a\r\n0123456789\r\nB\r\n0123456789x\r\n0\r\n\r\n",
      "3 ; a = \"q\\\"uo;te\" ;b\r\nabc\r\n000\r\nTrailer: x\r\nOther:\r\n\r\n", "0\r\n\r\n",
      "0;last\r\nX: y\r\n\r\nrest",
      // From here on, kFirstMalformed, malformed ones.
      "5\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n", "5\r\nhello\n0\r\n\r\n",
      "5 \r\nhello\r\n0\r\n\r\n", "5;\r\nhello\r\n0\r\n\r\n", "5;a=\r\nhello\r\n0\r\n\r\n",
      "5;a b\r\nhello\r\n0\r\n\r\n", "5;a=\"x\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n",
      "0x5\r\nhello\r\n0\r\n\r\n", "g\r\n", "\r\n", " 5\r\nhello\r\n0\r\n\r\n", ";a\r\n\r\n",
      "5\rhello\r\n0\r\n\r\n", "5\r\nhello\rx0\r\n\r\n", "5;a\n", "5;=a\r\n", "5;a==b\r\n",
      "5;a=b c\r\n", "5;a=\"b\"c\r\n", "5;a=\"\\\r\"\r\n", "5;a=\"\x7f\"\r\n",
      "00000000000000005\r\n", "0\r\n: x\r\n\r\n", "0\r\nX\r\n\r\n", "0\r\nX: y\rz\r\n\r\n",
      "0\r\nX: \x7f\r\n\r\n", "0\r\nX : y\r\n\r\n", "0\r\nX: a\x01\r\n\r\n", "0\r\n folded\r\n\r\n",
      "0\r\nX: y\n\r\n", "0\r\n\rX"};
  return all;
}

TEST(ChunkedBody, DecodesAndStopsAtTheEnd) {
  EXPECT_EQ(decode(bodies()[0]), (Decoded{Status::complete, "hello world", 30}));
  EXPECT_EQ(decode(bodies()[1]).data, "01234567890123456789x");
  EXPECT_EQ(decode(bodies()[2]), (Decoded{Status::complete, "abc", bodies()[2].size()}));
  EXPECT_EQ(decode(bodies()[4]), (Decoded{Status::complete, "", bodies()[4].size() - 4}));
}

TEST(ChunkedBody, RefusesWhatIsMalformed) {
  for (std::size_t i = kFirstMalformed; i < bodies().size(); ++i)
    EXPECT_EQ(decode(bodies()[i]).status, Status::malformed) << bodies()[i];
}

TEST(ChunkedBody, TakesSixteenDigits) {
  EXPECT_EQ(decode("0000000000000005\r\nhello\r\n0\r\n\r\n").data, "hello");
  EXPECT_EQ(decode("10\r\n0123456789abcdef\r\n0\r\n\r\n").data, "0123456789abcdef");
}

TEST(ChunkedBody, TakesExtensionsOfAllForms) {
  for (std::string_view extensions :
       {";a", "; a", " ;a", ";a =b", ";a= b", ";a=b;c", ";a=b ;c", ";a=\"\"", ";a=\" \t!\x80\"",
        ";a=\"\\\"\"", ";a=\"x\";b", "\t;a", ";a;b=c\t; d"})
    EXPECT_EQ(decode("5" + std::string(extensions) + "\r\nhello\r\n0\r\n\r\n").data, "hello")
        << extensions;
}

TEST(ChunkedBody, IsTheSameAtEverySplit) {
  for (const std::string& body : bodies()) {
    const Decoded whole = decode(body);
    for (std::size_t cut = 0; cut <= body.size(); ++cut)
      EXPECT_EQ(decode(body, {cut}), whole) << body << " cut at " << cut;
    std::vector<std::size_t> all(body.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    EXPECT_EQ(decode(body, all), whole) << body;
  }
}

TEST(ChunkedBody, RefusesMoreThanTheLimit) {
  EXPECT_EQ(decode("3e8\r\n").status, Status::incomplete);
  EXPECT_EQ(decode("3e9\r\n").status, Status::too_large);
  EXPECT_EQ(decode("ffffffffffffffff\r\n").status, Status::too_large);
  EXPECT_EQ(decode("3e8\r\n" + std::string(1000, 'x') + "\r\n1\r\n").status, Status::too_large);
  EXPECT_EQ(decode("3e7\r\n" + std::string(999, 'x') + "\r\n1\r\nx\r\n0\r\n\r\n").status,
            Status::complete);
}

TEST(ChunkedBody, BoundsExtensionsAndTrailers) {
  const std::string much(ChunkedBody::kMaxExtra + 1, 'a');
  EXPECT_EQ(decode("5;" + much).status, Status::too_much_extra);
  const std::string most(ChunkedBody::kMaxExtra - 1, 'a');  // beside its semicolon
  EXPECT_EQ(decode("1;" + most + "\r\nx\r\n0\r\n\r\n").status, Status::complete);
  EXPECT_EQ(decode("1;" + most + "a\r\nx\r\n0\r\n\r\n").status, Status::too_much_extra);
  EXPECT_EQ(decode("5" + std::string(ChunkedBody::kMaxExtra + 1, ' ')).status,
            Status::too_much_extra);
  EXPECT_EQ(decode("0\r\n" + much).status, Status::too_much_extra);
  EXPECT_EQ(decode("0\r\nX:" + much).status, Status::too_much_extra);
  // A trailer's name, colon and CR count, too.
  const std::string value(ChunkedBody::kMaxExtra - 3, 'a');
  EXPECT_EQ(decode("1;" + most + "\r\nx\r\n0\r\nX:" + value + "\r\n\r\n").status, Status::complete);
  EXPECT_EQ(decode("0\r\nX:" + value + "a\r\n\r\n").status, Status::too_much_extra);
  std::string many;
  for (int i = 0; i < 500; ++i) many += "1;" + std::string(40, 'e') + "\r\nx\r\n";
  EXPECT_EQ(decode(many).status, Status::too_much_extra);
  const std::string half(ChunkedBody::kMaxExtra / 2, 'a');
  EXPECT_EQ(decode("1;" + half + "\r\nx\r\n0\r\nX:" + half + "\r\n\r\n").status, Status::complete);
}

}  // namespace
}  // namespace routec::detail
