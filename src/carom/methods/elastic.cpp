#include "carom/methods/elastic.h"

namespace carom::methods {

AdvanceResult advance(const Elastic& method, Workbench& bench, State& state, double t_end) {
  return bench.deform(method.options, state, t_end);
}

}  // namespace carom::methods
