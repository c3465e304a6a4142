#include <routec/server.h>

#include "routes_router.h"

using routec::Request;
using routec::Response;

struct Service : conformance::Handlers {
  Response home(const Request&) override { return Response::text("hello"); }
  Response show_user(const Request&, std::string_view id) override {
    return Response::text(std::string(id));
  }
  Response create_user(const Request&) override { return Response::status(200); }
  Response static_file(const Request&, std::string_view path) override {
    return Response::text(std::string(path));
  }
  Response echo(const Request& request) override {
    return Response::bytes(std::string(request.body()));
  }
  Response query(const Request& request) override {
    return Response::text("hello " + request.query("name").value_or(""));
  }
};

int main(int argc, char** argv) {
  Service service;
  return routec::run_main(argc, argv, conformance::make_router(service));
}
