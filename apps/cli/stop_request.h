// Ctrl-C, and a request to end by another process, while there is something to write.
#pragma once

#include <array>
#include <csignal>

#include "carom/base/watch.h"

namespace carom::cli {

// While it lives, SIGINT and SIGTERM set the watch's `stop`. Before and after, there is nothing to
// write, and they end the program. A second one ends it at once.
class HeardSignals {
 public:
  HeardSignals();
  ~HeardSignals();
  HeardSignals(const HeardSignals&) = delete;
  HeardSignals& operator=(const HeardSignals&) = delete;

 private:
  static constexpr std::array<int, 2> kSignals{SIGINT, SIGTERM};
};

base::Watch& heard_watch();

}  // namespace carom::cli
