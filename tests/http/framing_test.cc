#include "framing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace routec::detail {
namespace {

struct Examined {
  Framing framing;
  std::string target;
};

Examined examine(std::string_view method, std::string_view target,
                 std::vector<HeaderField> fields = {{"Host", "a"}}, int minor_version = 1) {
  RequestHead head;
  head.method = method;
  head.target = target;
  head.minor_version = minor_version;
  head.fields = fields;
  std::string rewritten;
  const Framing framing = examine_head(head, rewritten);
  return {framing, std::string(framing.target)};
}

int error_of(std::vector<HeaderField> fields, int minor_version = 1) {
  fields.insert(fields.begin(), {"Host", "a"});
  return examine("POST", "/", fields, minor_version).framing.error;
}

TEST(Framing, ReducesTargets) {
  EXPECT_EQ(examine("GET", "/a?b").target, "/a?b");
  EXPECT_EQ(examine("GET", "http://a/b?c").target, "/b?c");
  EXPECT_EQ(examine("GET", "HTTPS://a:80?q=/").target, "/?q=/");
  EXPECT_EQ(examine("GET", "http://[::1]:8080").target, "/");
  EXPECT_EQ(examine("OPTIONS", "http://a").target, "*");
  EXPECT_EQ(examine("OPTIONS", "*").target, "*");
  EXPECT_EQ(examine("OPTIONS", "http://a/").target, "/");
  EXPECT_EQ(examine("OPTIONS", "http://a?b").target, "/?b");
  for (std::string_view target : {"*", "*a", "a:443", "user", "http:/a", "http//a/", "http://a b/",
                                  "http://", "http:///x", "http://u@a/", "ftp://a/", "http://:80/"})
    EXPECT_EQ(examine("GET", target).framing.error, 400) << target;
  EXPECT_EQ(examine("CONNECT", "a:443").framing.error, 501);
  EXPECT_EQ(examine("CONNECT", "a:443", {}).framing.error, 501);
}

TEST(Framing, JudgesHosts) {
  const auto error = [](std::string_view host, std::string_view target = "/") {
    return examine("GET", target, {{"host", host}}).framing.error;
  };
  for (std::string_view host :
       {"a", "[::]", "[::1]:", "%20", "%0f", "%f0", "a%4f", "a:0123456789", "-._~!$&'()*+;=AZaz09",
        "example.com:", "127.0.0.1:1", "[::1]:80", "a%20b", "my_host"})
    EXPECT_EQ(error(host), 0) << host;
  for (std::string_view host :
       {"",     ":80",    "a b",     "a,b",   "u@a",  "a/x",  "a:8:8",    "[::1",
        "[]",   "[1]",    "[g]",     "[::1x", "a%2",  "a%zz", "http://a", "a:x",
        "a:1x", "[::1]x", "[::1]:x", "%2",    "a%4g", "a%g4", "a@",       "a\\"})
    EXPECT_EQ(error(host), 400) << host;
  EXPECT_EQ(error("", "http://a/"), 0);
  EXPECT_EQ(examine("GET", "/", {}).framing.error, 400);
  EXPECT_EQ(examine("GET", "/", {}, 0).framing.error, 0);
  EXPECT_EQ(examine("GET", "/", {{"Host", ""}}, 0).framing.error, 400);
  EXPECT_EQ(examine("GET", "http://a/", {}).framing.error, 400);
  EXPECT_EQ(examine("GET", "/", {{"Host", "a"}, {"Host", "a"}}).framing.error, 400);
  EXPECT_EQ(examine("GET", "/", {{"Host", "a"}, {"Host", "a"}}, 0).framing.error, 400);
}

TEST(Framing, JudgesLengths) {
  for (std::string_view value : {"", "+5", "-0", "5x", "5/", "5:", "a", "5 5", "5,5", "0x5",
                                 "\xa0"
                                 "5"})
    EXPECT_EQ(error_of({{"Content-Length", value}}), 400) << value;
  EXPECT_EQ(error_of({{"Content-Length", "5"}, {"Content-Length", "5"}}), 400);
  const auto length = [](std::string_view value) {
    return examine("POST", "/", {{"Host", "a"}, {"Content-Length", value}}).framing.content_length;
  };
  EXPECT_EQ(length("010"), 10u);
  EXPECT_EQ(length("9876543210"), 9876543210u);
  EXPECT_EQ(length("18446744073709551614"), ~std::uint64_t{1});
  EXPECT_EQ(length("18446744073709551616"), ~std::uint64_t{0});
  const std::string huge(40, '9');
  EXPECT_EQ(length(huge), ~std::uint64_t{0});
}

TEST(Framing, JudgesCodings) {
  for (std::string_view value : {"chunked", "Chunked", ", chunked", "chunked ,"})
    EXPECT_EQ(error_of({{"Transfer-Encoding", value}}), 0) << value;
  for (std::string_view value : {"", ",", "gzip", "identity", "chunked, identity",
                                 "chunked, chunked", "chunked;q=1", "chunked chunked", "xchunked"})
    EXPECT_EQ(error_of({{"Transfer-Encoding", value}}), 400) << value;
  EXPECT_EQ(error_of({{"Transfer-Encoding", "gzip, chunked"}}), 501);
  EXPECT_EQ(error_of({{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}}), 400);
  EXPECT_EQ(error_of({{"Transfer-Encoding", "chunked"}, {"Content-Length", "5"}}), 400);
  EXPECT_EQ(error_of({{"Transfer-Encoding", "chunked"}}, 0), 400);
}

TEST(Framing, DecidesPersistence) {
  const auto keeps = [](std::vector<HeaderField> fields, int minor_version = 1) {
    fields.insert(fields.begin(), {"Host", "a"});
    return examine("GET", "/", fields, minor_version).framing.keep_alive;
  };
  EXPECT_TRUE(keeps({}));
  EXPECT_TRUE(keeps({{"Connection", "not-close, closed"}}));
  EXPECT_FALSE(keeps({{"Connection", "foo, Close ,bar"}}));
  EXPECT_FALSE(keeps({{"Connection", "close"}, {"Connection", "keep-alive"}}));
  EXPECT_FALSE(keeps({}, 0));
  EXPECT_TRUE(keeps({{"Connection", "Keep-Alive"}}, 0));
  EXPECT_FALSE(keeps({{"Connection", "Keep-Alive, close"}}, 0));
  EXPECT_FALSE(keeps({{"Connection", "keep-aliv"}}, 0));
}

TEST(Framing, ReadsExpectations) {
  EXPECT_TRUE(
      examine("POST", "/", {{"Host", "a"}, {"Expect", "100-Continue"}}).framing.expects_continue);
  EXPECT_EQ(error_of({{"Expect", "tea"}}), 417);
  EXPECT_EQ(error_of({{"Expect", "100-continue"}, {"Expect", "tea"}}), 417);
  EXPECT_EQ(error_of({{"Expect", "100-continue, tea"}}), 417);
  // A list in one line is the same as in several (RFC 9110 section 5.3).
  EXPECT_EQ(error_of({{"Expect", "100-continue"}, {"Expect", "100-continue"}}), 0);
  EXPECT_EQ(error_of({{"Expect", "100-continue, 100-continue"}}), 0);
  EXPECT_EQ(error_of({{"Expect", "tea"}}, 0), 0);
  EXPECT_FALSE(examine("POST", "/", {{"Host", "a"}, {"Expect", "100-continue"}}, 0)
                   .framing.expects_continue);
}

}  // namespace
}  // namespace routec::detail
