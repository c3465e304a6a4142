#include <routec/server.h>

#include "routes_router.h"

using routec::Request;
using routec::Response;

struct Service : hello::Handlers {
  Response home(const Request&) override { return Response::text("hello"); }
  Response simple(const Request& request) override {
    return Response::text("hello " + request.query("name").value_or(""));
  }
  Response greet(const Request&, std::string_view name) override {
    return Response::text("hello " + std::string(name));
  }
  Response show_id(const Request&, std::uint64_t id) override {
    return Response::json("{\"id\":" + std::to_string(id) + "}");
  }
};

int main(int argc, char** argv) {
  Service service;
  return routec::run_main(argc, argv, hello::make_router(service));
}
