// Searches for pairs of shapes that break what pair_checks.h says; see scripts/fuzz.
#include <cstdio>
#include <cstdlib>

#include "fuzz/pair_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string fault = carom::fuzz::find_fault(carom::fuzz::read_pair({data, size}));
  if (fault.empty()) return 0;
  std::fprintf(stderr, "fault: %s\n", fault.c_str());
  std::abort();
}
