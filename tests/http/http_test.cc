#include "routec/http.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <system_error>

#include "buffer.h"
#include "response_writer.h"
#include "routec/server.h"
#include "timer_wheel.h"

namespace routec {
namespace {

int run(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "server");
  const Router nothing(nullptr, nullptr, nullptr);
  return run_main(static_cast<int>(arguments.size()), arguments.data(), nothing);
}

TEST(RunMain, KnowsHelp) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(run({"--port", "x", "--help"}), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("[--host ADDRESS]"), std::string::npos);
}

TEST(RunMain, NamesTheHostThatIsNone) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run({"--port", "0", "--host", "nonsense"}), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "'nonsense' is neither a numeric address nor localhost\n");
}

TEST(Request, IsMadeByHand) {
  const Request request("POST", "/a%20b?x=1", {{"Accept", "*/*"}, {"X-A", "1"}, {"x-a", "2"}},
                        "body");
  EXPECT_EQ(request.method(), Method::post);
  EXPECT_EQ(request.method_text(), "POST");
  EXPECT_EQ(request.path(), "/a%20b");
  EXPECT_EQ(request.query_text(), "x=1");
  EXPECT_EQ(request.header("x-A"), "1");
  EXPECT_EQ(request.header("Host"), std::nullopt);
  EXPECT_EQ(request.headers().size(), 3u);
  EXPECT_EQ(request.body(), "body");
  EXPECT_EQ(Request("GET", "/").query_text(), "");
  EXPECT_EQ(Request("BREW", "/").method(), Method::other);
}

TEST(Request, DecodesTheQuery) {
  const Request request("GET", "/?&&a=1+2&b&a=%41%zz%&%61=x&c=d=e?f");
  EXPECT_EQ(request.query("a"), "1 2");
  EXPECT_EQ(request.query_all("a"), (std::vector<std::string>{"1 2", "A%zz%", "x"}));
  EXPECT_EQ(request.query("b"), "");
  EXPECT_EQ(request.query("c"), "d=e?f");
  EXPECT_EQ(request.query("d"), std::nullopt);
}

TEST(Response, RefusesWhatWouldSplitIt) {
  EXPECT_THROW(Response::text("").header("A", "b\r\nC: d"), std::invalid_argument);
  EXPECT_THROW(Response::text("").header("A", "b\nc"), std::invalid_argument);
  EXPECT_THROW(Response::text("").header("A", std::string_view("\0", 1)), std::invalid_argument);
  EXPECT_THROW(Response::text("").header("A b", "c"), std::invalid_argument);
  EXPECT_THROW(Response::text("").header("", "c"), std::invalid_argument);
  EXPECT_THROW(Response::text("").header("content-length", "1"), std::invalid_argument);
  EXPECT_THROW(Response::redirect("/\r\n"), std::invalid_argument);
  EXPECT_THROW(Response::redirect("/", 200), std::invalid_argument);
  EXPECT_THROW(Response::status(100), std::invalid_argument);
  EXPECT_THROW(Response::status(600), std::invalid_argument);
  EXPECT_THROW(Response::file("/nonexistent", "text/plain"), std::system_error);
  EXPECT_THROW(Response::file("/", "text/plain"), std::system_error);
}

TEST(Response, TellsItsFields) {
  Response response = Response::json("{}").header("A", "b").header("C", "d").code(201);
  EXPECT_EQ(response.code(), 201);
  EXPECT_EQ(response.body(), "{}");
  EXPECT_EQ(response.header_value("content-type"), "application/json");
  EXPECT_EQ(response.header_value("c"), "d");
  EXPECT_EQ(response.header_value("e"), std::nullopt);
  response.header("Content-Type", "text/html");
  EXPECT_EQ(response.header_value("Content-Type"), "text/html");
  EXPECT_EQ(Response::redirect("/x", 308).header_value("Location"), "/x");
}

TEST(Response, WritesEventsLineByLine) {
  Response response = Response::events([](ServerSentEvent& event) {
    event = {"a\nb\r\nc\r", "kind", "7", std::chrono::milliseconds(50)};
    return Pull::end;
  });
  std::string chunk;
  EXPECT_EQ(response.source()->pull(chunk), Pull::end);
  EXPECT_EQ(chunk, "event: kind\nid: 7\nretry: 50\ndata: a\ndata: b\ndata: c\ndata: \n\n");
  Response bad = Response::events([](ServerSentEvent& event) {
    event.event = "a\nb";
    return Pull::more;
  });
  EXPECT_THROW(bad.source()->pull(chunk), std::invalid_argument);
}

using namespace detail;

std::string head_of(const Response& response, const HeadOptions& options) {
  BufferPool pool(1 << 20);
  Buffer out(pool);
  DateCache date;
  date.update(784111777);
  write_head(out, response, options, date);
  return std::string(out.view());
}

TEST(ReasonPhrase, IsTheRegisteredOne) {
  for (std::size_t i = 1; i < std::size(detail::kStatuses); ++i)
    EXPECT_LT(detail::kStatuses[i - 1].code, detail::kStatuses[i].code);
  static_assert(reason_phrase(200) == "OK");
  EXPECT_EQ(reason_phrase(100), "Continue");
  EXPECT_EQ(reason_phrase(404), "Not Found");
  EXPECT_EQ(reason_phrase(511), "Network Authentication Required");
  for (const int status : {-1, 0, 99, 306, 418, 512, 1000})
    EXPECT_EQ(reason_phrase(status), "Unknown") << status;
}

TEST(ResponseWriter, WritesHeads) {
  EXPECT_EQ(head_of(Response::text("hello").header("A", "b"), {.length = 5}),
            "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
            "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\nA: b\r\n\r\n");
  EXPECT_EQ(head_of(Response::status(404), {.close = true}),
            "HTTP/1.1 404 Not Found\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
            "Connection: close\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(head_of(Response::status(204), {.keep_alive = true}),
            "HTTP/1.1 204 No Content\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
            "Connection: keep-alive\r\n\r\n");
  EXPECT_EQ(head_of(Response::status(299), {.framing = BodyFraming::chunked}),
            "HTTP/1.1 299 Unknown\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
            "Transfer-Encoding: chunked\r\n\r\n");
}

TEST(Buffer, GrowsAndGivesBack) {
  BufferPool pool(64 * 1024);
  Buffer buffer(pool);
  const std::string text(20'000, 'x');
  buffer.append("begin");
  buffer.append(text);
  EXPECT_EQ(buffer.view(), "begin" + text);
  buffer.consume(5);
  EXPECT_EQ(buffer.view(), text);
  EXPECT_THROW(buffer.reserve(100'000), std::bad_alloc);
  EXPECT_EQ(buffer.view(), text);
  buffer.release();
  Buffer whole(pool);
  whole.reserve(64 * 1024);
  Buffer other(pool);
  EXPECT_THROW(other.reserve(1), std::bad_alloc);
}

TEST(TimerWheel, ExpiresInTimeAndNeverEarly) {
  constexpr Milliseconds kStart = 1'000'000;
  TimerWheel wheel(kStart);
  EXPECT_EQ(wheel.until_next(kStart), -1);
  // Beyond one round of the wheel, moved later, moved earlier, removed.
  Timer timers[5];
  wheel.set(timers[0], kStart + 100);
  wheel.set(timers[1], kStart + 100'000);
  wheel.set(timers[2], kStart + 50);
  wheel.set(timers[2], kStart + 5'000);
  wheel.set(timers[3], kStart + 60'000);
  wheel.set(timers[3], kStart + 1'000);
  wheel.set(timers[4], kStart + 10);
  wheel.remove(timers[4]);
  Milliseconds expired_at[5] = {};
  for (Milliseconds now = kStart; now < kStart + 120'000; now += 7) {
    ASSERT_GE(wheel.until_next(now), 0) << "nothing is left";
    wheel.advance(now, 9, [&](Timer& timer) { expired_at[&timer - timers] = now; });
    if (expired_at[1] != 0) break;
  }
  const Milliseconds due[5] = {100, 100'000, 5'000, 1'000, 0};
  for (int i = 0; i < 4; ++i) {
    EXPECT_GE(expired_at[i], kStart + due[i]) << i;
    EXPECT_LE(expired_at[i], kStart + due[i] + TimerWheel::kTick + 7) << i;
  }
  EXPECT_EQ(expired_at[4], 0u);
  EXPECT_EQ(wheel.until_next(kStart), -1);
}

TEST(TimerWheel, WaitsUntilTheNextOne) {
  constexpr Milliseconds kStart = 5'000;
  TimerWheel wheel(kStart);
  Timer timer;
  wheel.set(timer, kStart + 3'000);
  int wakes = 0;
  bool expired = false;
  for (Milliseconds now = kStart; !expired; ++wakes) {
    now += static_cast<Milliseconds>(wheel.until_next(now));
    wheel.advance(now, 9, [&](Timer&) { expired = true; });
    ASSERT_LT(wakes, 3);
  }
}

TEST(TimerWheel, ExpiresSoManyAtATime) {
  TimerWheel wheel(1'000);
  Timer timers[10];
  for (std::size_t i = 0; i < std::size(timers); ++i)
    wheel.set(timers[i], i < 7 ? 2'000 : 2'020 + TimerWheel::kTick);
  std::size_t expired = 0;
  for (const std::size_t expected : {4u, 8u, 10u, 10u}) {
    EXPECT_EQ(wheel.until_next(3'000), expired == 10 ? 8 : 0);
    wheel.advance(3'000, 4, [&](Timer& timer) {
      if (++expired == 1) wheel.set(timer, 3'000);  // into a slot that is not looked at yet
    });
    EXPECT_EQ(expired, expected);
  }
  wheel.advance(3'000 + TimerWheel::kTick, 4, [&](Timer& timer) {
    ++expired;
    EXPECT_EQ(timer.deadline, 3'000u);
  });
  EXPECT_EQ(expired, 11u);
}

TEST(TimerWheel, SurvivesALongSleep) {
  TimerWheel wheel(1'000);
  Timer timers[2];
  wheel.set(timers[0], 2'000);
  wheel.set(timers[1], 10'000'000);
  int expired = 0;
  wheel.advance(5'000'000, 9, [&](Timer& timer) {
    ++expired;
    EXPECT_EQ(&timer, &timers[0]);
  });
  EXPECT_EQ(expired, 1);
  wheel.remove(timers[1]);
}

}  // namespace
}  // namespace routec
