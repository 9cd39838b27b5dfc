// Parts of the engine against the plain way of doing the same thing, to the same accuracy.
#include <benchmark/benchmark.h>

#include "carom/math/attitude.h"
#include "reference/dormand_prince.h"

namespace {

using namespace carom;

constexpr double kStep = 0.01;
const math::PrincipalInertia kTop{Vec3(1, 2, 3), Quat::Identity()};
const Vec3 kSpin(1, 0, 1);

// One step of a free asymmetric top in closed form…
void free_top_closed_form(benchmark::State& state) {
  for (auto _ : state) {
    const math::FreeTop top(kTop, Quat::Identity(), kSpin);
    benchmark::DoNotOptimize(top.at(kStep));
  }
}

// …and by a Runge–Kutta method that reaches 1e-12: Euler's equations in the body frame and the
// attitude.
VecX top_derivative(double /*t*/, const VecX& y) {
  const Vec3 w = y.head<3>();
  const Quat q(y[3], y[4], y[5], y[6]);
  const Quat q_rate = q * Quat(0, w.x(), w.y(), w.z());
  VecX rate(7);
  rate.head<3>() = -w.cross(kTop.moments.cwiseProduct(w)).cwiseQuotient(kTop.moments);
  rate.tail<4>() << 0.5 * q_rate.w(), 0.5 * q_rate.x(), 0.5 * q_rate.y(), 0.5 * q_rate.z();
  return rate;
}

void free_top_dormand_prince(benchmark::State& state) {
  VecX y0(7);
  y0 << kSpin, 1, 0, 0, 0;
  const reference::AdaptiveOptions options{.relative_tolerance = 1e-12,
                                           .absolute_tolerance = 1e-12};
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        reference::integrate_dormand_prince(top_derivative, {0, kStep}, y0, options).y);
  }
}

BENCHMARK(free_top_closed_form);
BENCHMARK(free_top_dormand_prince);

}  // namespace
