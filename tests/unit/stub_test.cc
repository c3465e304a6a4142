#include "stub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "output.h"

namespace routec::compiler {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Stub : public testing::Test {
 protected:
  Stub() : folder_(fs::path(testing::TempDir()) / ("stub " + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    table_.manifest_name = "shop.yaml";
    table_.stem = "shop";
    table_.namespaces = {"shop"};
    add("home");
  }
  ~Stub() override { fs::remove_all(folder_); }

  void add(const std::string& name) {
    Route& route = table_.routes.emplace_back();
    route.method = "GET";
    route.pattern.text = "/" + name;
    route.pattern.segments.emplace_back().literals = {name};
    route.handler = table_.handlers.size();
    table_.handlers.push_back({name, name});
  }
  StubResult run() {
    RenderOptions options;
    options.python = "/usr/bin/python3";
    options.data_dir = ROUTEC_SOURCE_DIR "/generator";
    Diagnostics diagnostics;
    const auto result = write_stubs(table_, options, folder_, diagnostics);
    EXPECT_TRUE(result) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].text);
    return result.value_or(StubResult());
  }
  std::string text(const char* name) const { return read_file(folder_ / name).value_or(""); }

  fs::path folder_;
  RouteTable table_;
};

TEST_F(Stub, WritesAClassOnce) {
  EXPECT_THAT(run().written, ElementsAre("handlers.h", "handlers.cc"));
  EXPECT_THAT(text("handlers.h"), HasSubstr("class Service : public Handlers {"));
  EXPECT_THAT(text("handlers.cc"), HasSubstr("Service::home(const routec::Request& /*request*/)"));
  EXPECT_THAT(run().written, IsEmpty());
}

TEST_F(Stub, AddsNewHandlersToUntouchedFiles) {
  run();
  add("about");
  const StubResult result = run();
  EXPECT_THAT(result.written, ElementsAre("handlers.h", "handlers.cc"));
  EXPECT_THAT(result.missing, IsEmpty());
  EXPECT_THAT(text("handlers.h"), HasSubstr(" about("));
}

TEST_F(Stub, NeverTouchesAnEditedFile) {
  run();
  std::ofstream(folder_ / "handlers.cc", std::ios::app) << "// mine\n";
  add("about");
  add("homes");
  const std::string header = text("handlers.h"), source = text("handlers.cc");
  const StubResult result = run();
  EXPECT_THAT(result.written, IsEmpty());
  EXPECT_THAT(result.missing,
              ElementsAre("routec::Response about(const routec::Request& request) override;",
                          "routec::Response homes(const routec::Request& request) override;"));
  EXPECT_EQ(text("handlers.h"), header);
  EXPECT_EQ(text("handlers.cc"), source);
}

TEST_F(Stub, LeavesFilesOfAnotherOriginAlone) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "handlers.h") << "struct Mine { Response home (); };\n";
  const StubResult result = run();
  EXPECT_THAT(result.written, IsEmpty());
  EXPECT_THAT(result.missing, IsEmpty());
  EXPECT_FALSE(fs::exists(folder_ / "handlers.cc"));
}

TEST_F(Stub, ClassNameAvoidsHandlerNames) {
  add("Service");
  run();
  EXPECT_THAT(text("handlers.h"), HasSubstr("class Service_ : public Handlers {"));
}

}  // namespace
}  // namespace routec::compiler
