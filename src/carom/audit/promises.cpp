#include "carom/audit/promises.h"

#include <algorithm>
#include <array>

namespace carom::audit {

namespace {

// Joints of stepping methods hold in the middle of a step. Under zeno-free forces that hold
// contacts are constant over flights in which bodies turn: of second order in these.
constexpr std::array<Promise, 6> kPromises = {{
    {"zeno-free", 1e-8, 1e-4, 1e-9, 1e-9, 1e-6},
    {"naive", 1e-8, 1e-4, 1e-9, 1e-9, 0},
    {"time-stepping", 1e-8, 1e-4, 1e-9, 1e-6, 0, 0, Peculiarity::HoldsMidstep},
    {"microcollision", 1e-8, 1e-4, 1e-9, 1e-9, 0, 0, Peculiarity::Hops},
    {"analytic", 1e-8, 0, 0, 0, 0, 1e-9},
    {"elastic", 1e-9, 0, 0, 0, 0, 1e-8, Peculiarity::Deforms},
}};

}  // namespace

Promise promise_of(const model::MethodSettings& method) {
  const auto* found = std::ranges::find(kPromises, method.name, &Promise::method);
  Promise promise = found == kPromises.end() ? kPromises.front() : *found;
  if (promise.usual_tolerance > 0) {
    const double tolerance = method.number("tolerance", promise.usual_tolerance);
    promise.joints = promise.books = promise.angular_momentum = kManySteps * tolerance;
  }
  return promise;
}

bool deforms(const Scene& scene) {
  return promise_of(scene.method).peculiarity == Peculiarity::Deforms;
}

}  // namespace carom::audit
