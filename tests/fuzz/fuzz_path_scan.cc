// The scan of a target, with the vector instructions of the build, against a plain one.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "guarded_text.h"
#include "plain_scan.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > routec::detail::kMaxTarget) return 0;
  const routec::test::GuardedText target({reinterpret_cast<const char*>(data), size});
  const std::string difference = routec::test::scan_difference(target.view());
  if (difference.empty()) return 0;
  std::cerr << "differs in " << difference << '\n';
  std::abort();
}
