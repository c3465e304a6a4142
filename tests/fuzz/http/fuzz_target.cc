// Matching, parameters and the query of any target: no crash, and what was matched decodes.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "test_router.h"

namespace {

const routec::Router& router() {
  static const routec::Router router =
      routec::test::make_test_router(routec::test::conformance_routes());
  return router;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view target(reinterpret_cast<const char*>(data), size);
  for (std::string_view method : {"GET", "HEAD", "POST", "OPTIONS", "BREW"}) {
    const routec::Match match = router().match(method, target);
    for (std::size_t i = 0; i < match.param_count(); ++i) {
      const std::string_view raw = match.raw_param(i);
      if (match.param(i).size() > raw.size()) std::abort();
      if (!raw.empty() && (raw.data() < target.data() || &raw.back() > &target.back()))
        std::abort();
    }
    if ((match.status() == 405 || match.status() == 204) == match.allow().empty()) std::abort();
    const routec::Request request(method, target);
    if (request.query("name").value_or("").size() > size) std::abort();
    if (request.query_all("").size() > size) std::abort();
  }
  return 0;
}
