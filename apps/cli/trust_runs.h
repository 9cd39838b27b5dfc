// A run and its twins, several at a time.
#pragma once

#include <array>
#include <memory>

#include "divergence.h"

namespace carom::cli {

struct TrustPlan {
  std::string file;  // of the scene, for messages
  int each = 0;      // twins of round-off, and of inputs
  double limit = 0;  // s of wall time for each run
  int threads = 1;
  bool quiet = false;
  std::filesystem::path page{};  // of the run itself; empty: none
};

struct Twins {
  int asked = 0, finished = 0;
  std::string problem{};  // of the first that did not finish
};

struct TrustRuns {
  BaseRun base;
  record::Summary summary;  // of the run itself
  std::array<Twins, kTwinNames.size()> twins;
  std::array<std::unique_ptr<Divergence>, kTwinNames.size()> divergence;  // none: no such twins
};

// Ctrl-C ends the runs; what they came to counts. Throws base::BadInput for a scene that the method
// refuses.
void run_with_twins(const TrustPlan& plan, const io::LoadedScene& loaded, TrustRuns& runs);

}  // namespace carom::cli
