// Long runs of random cases against the slow twins of tests/reference. Each prints what it found
// and returns the program's exit status.
#pragma once

#include <cstdint>

namespace carom::campaigns {

struct Options {
  std::int64_t pairs = 1000000;    // of shapes
  std::int64_t problems = 100000;  // of contacts
  std::uint64_t seed = 1;
  int threads = 1;
};

int run_dissipative(const Options& options);
int run_distance(const Options& options);
int run_gas(const Options& options);
int run_impacts(const Options& options);
int run_motion(const Options& options);

}  // namespace carom::campaigns
