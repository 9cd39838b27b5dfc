// Free rotation of arbitrary bodies: what must hold whatever the inertia and the start.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/scene_vector.h"

namespace carom {
namespace {

struct Top {
  math::PrincipalInertia inertia;
  math::RotationState start;
};

// Moments of a real body (the sum of two is at least the third), some nearly equal; some spins
// nearly along an axis.
Top arbitrary_top() {
  const auto unit = [] { return *rc::gen::inRange(0, 1'000'001) * 1e-6; };
  const auto fine = [&] { return std::pow(10.0, -*rc::gen::element(0, 0, 0, 3, 7, 15)) * unit(); };
  const auto vector = [&] { return Vec3(2 * unit() - 1, 2 * unit() - 1, 2 * unit() - 1); };
  const double smallest = 0.1 + unit();
  const double middle = smallest * (1 + fine());
  const double largest = std::min(middle * (1 + fine()), smallest + middle);
  Vec3 w = 3 * vector();
  w[*rc::gen::inRange(0, 3)] *= fine();
  w[*rc::gen::inRange(0, 3)] += 1;
  return {{Vec3(smallest, middle, largest), math::quat_exp(3 * vector())},
          {math::quat_exp(3 * vector()), w}};
}

math::RotationState fly(const Top& top, double s) {
  return math::FreeTop(top.inertia, top.start.q, top.start.w).at(s);
}

Vec3 momentum(const math::PrincipalInertia& inertia, const math::RotationState& at) {
  const Quat q_WP = at.q * inertia.q_BP;
  return q_WP * inertia.moments.cwiseProduct(q_WP.conjugate() * at.w);
}

double difference(const math::RotationState& a, const math::RotationState& b) {
  const double turn =
      std::min((a.q.coeffs() - b.q.coeffs()).norm(), (a.q.coeffs() + b.q.coeffs()).norm());
  return std::max(2 * turn, (a.w - b.w).norm());
}

RC_GTEST_PROP(FreeRotation, KeepsEnergyAndAngularMomentum, ()) {
  const Top top = arbitrary_top();
  const double s = *rc::gen::element(1e-6, 1e-3, 0.3, 7.0, 400.0);
  const auto end = fly(top, s);
  const Vec3 L0 = momentum(top.inertia, top.start), L = momentum(top.inertia, end);
  RC_ASSERT((L - L0).norm() <= 1e-13 * L0.norm());
  RC_ASSERT(std::abs(end.w.dot(L) - top.start.w.dot(L0)) <= 1e-12 * top.start.w.dot(L0));
}

// A restart on the way changes nothing: the closed form is a flow.
RC_GTEST_PROP(FreeRotation, DoesNotNoticeARestart, ()) {
  const Top top = arbitrary_top();
  const double first = *rc::gen::element(1e-3, 0.3, 1.7),
               second = *rc::gen::element(1e-3, 0.4, 2.0);
  const Top later{top.inertia, fly(top, first)};
  RC_ASSERT(difference(fly(later, second), fly(top, first + second)) < 1e-11);
}

RC_GTEST_PROP(FreeRotation, ReturnsWhenTimeIsReversed, ()) {
  const Top top = arbitrary_top();
  const double s = *rc::gen::element(1e-3, 0.3, 2.0);
  const auto there = fly(top, s);
  const Top back{top.inertia, {there.q, -there.w}};
  const auto home = fly(back, s);
  RC_ASSERT(difference({home.q, -home.w}, top.start) < 1e-11);
}

RC_GTEST_PROP(FreeRotation, StaysWithinItsSpinBounds, ()) {
  const Top top = arbitrary_top();
  const math::FreeTop law(top.inertia, top.start.q, top.start.w);
  const auto bounds = law.bounds();
  for (int i = 0; i <= 50; ++i) {
    const double s = 0.1 * i, d = 1e-5;
    const Vec3 w = law.angular_velocity(s);
    RC_ASSERT(w.norm() <= bounds.speed * (1 + 1e-13));
    const Vec3 slope = (law.angular_velocity(s + d) - law.angular_velocity(s - d)) / (2 * d);
    RC_ASSERT(slope.norm() <= bounds.acceleration + 1e-8 * (1 + bounds.speed));
  }
}

// The slow twin: Euler's equations integrated to a tolerance near round-off.
RC_GTEST_PROP(FreeRotation, AgreesWithNumericalIntegration, ()) {
  const Top top = arbitrary_top();
  const Mat3 axes = top.inertia.q_BP.toRotationMatrix();
  Scene scene;
  scene.gravity = Vec3::Zero();
  scene.bodies.resize(1);
  scene.bodies[0].inertia = axes * top.inertia.moments.asDiagonal() * axes.transpose();
  scene.bodies[0].inverse_inertia = scene.bodies[0].inertia.inverse();
  const State start{0, {{.q = top.start.q, .w = top.start.w}}};
  const reference::AdaptiveOptions tight{.relative_tolerance = 1e-13, .absolute_tolerance = 1e-13};
  const auto run = reference::integrate_dormand_prince(reference::make_derivative(scene), {0, 2},
                                                       reference::to_vector(start), tight);
  RC_ASSERT(run.status == reference::IntegrationStatus::Converged);
  const State end = reference::to_state(2, run.y);
  RC_ASSERT(difference({end.bodies[0].q, end.bodies[0].w}, fly(top, 2)) < 1e-8);
}

}  // namespace
}  // namespace carom
