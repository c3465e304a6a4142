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
      "3 ; a = \"q\\\"uo;te\" ;b\r\nabc\r\n000\r\nTrailer: x\r\nOther:\r\n\r\n",
      "0\r\n\r\n",
      "0;last\r\nX: y\r\n\r\nrest",
      "5\nhello\r\n0\r\n\r\n",
      "5\r\nhello0\r\n\r\n",
      "5\r\nhello\n0\r\n\r\n",
      "5 \r\nhello\r\n0\r\n\r\n",
      "5;\r\nhello\r\n0\r\n\r\n",
      "5;a=\r\nhello\r\n0\r\n\r\n",
      "5;a b\r\nhello\r\n0\r\n\r\n",
      "5;a=\"x\r\nhello\r\n0\r\n\r\n",
      "+5\r\nhello\r\n0\r\n\r\n",
      "0x5\r\nhello\r\n0\r\n\r\n",
      "g\r\n",
      "\r\n",
      "ffffffffffffffff\r\n",
      "00000000000000005\r\n",
      "3e9\r\n",
      "0\r\nX : y\r\n\r\n",
      "0\r\nX: a\x01\r\n\r\n",
      "0\r\n folded\r\n\r\n",
      "0\r\nX: y\n\r\n",
      "0\r\n\rX"};
  return all;
}

TEST(ChunkedBody, DecodesAndStopsAtTheEnd) {
  EXPECT_EQ(decode(bodies()[0]), (Decoded{Status::complete, "hello world", 30}));
  EXPECT_EQ(decode(bodies()[1]).data, "01234567890123456789x");
  EXPECT_EQ(decode(bodies()[2]), (Decoded{Status::complete, "abc", bodies()[2].size()}));
  EXPECT_EQ(decode(bodies()[4]), (Decoded{Status::complete, "", bodies()[4].size() - 4}));
}

TEST(ChunkedBody, RefusesWhatIsMalformed) {
  for (std::size_t i = 5; i < bodies().size(); ++i)
    EXPECT_NE(decode(bodies()[i]).status, Status::complete) << bodies()[i];
  EXPECT_EQ(decode("5;\r\n").status, Status::malformed);
  EXPECT_EQ(decode("00000000000000005\r\n").status, Status::malformed);
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
}

TEST(ChunkedBody, BoundsExtensionsAndTrailers) {
  const std::string much(ChunkedBody::kMaxExtra + 1, 'a');
  EXPECT_EQ(decode("5;" + much).status, Status::too_much_extra);
  EXPECT_EQ(decode("0\r\nX:" + much).status, Status::too_much_extra);
  std::string many;
  for (int i = 0; i < 500; ++i) many += "1;" + std::string(40, 'e') + "\r\nx\r\n";
  EXPECT_EQ(decode(many).status, Status::too_much_extra);
  const std::string half(ChunkedBody::kMaxExtra / 2, 'a');
  EXPECT_EQ(decode("1;" + half + "\r\nx\r\n0\r\nX:" + half + "\r\n\r\n").status, Status::complete);
}

}  // namespace
}  // namespace routec::detail
