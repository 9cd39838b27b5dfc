// No time of contact is missed, and none is early: against dense sampling in long double.
#include "reference/contact_times.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "carom/contact/pairs.h"
#include "support/scenes.h"

namespace carom::contact {
namespace {

using reference::Long3;
using reference::LongMotion;

constexpr double kDuration = 1;
constexpr int kSamples = 20'000;

double number(double size) { return size * (*rc::gen::inRange(-100'000, 100'001)) * 1e-5; }
Vec3 vector(double size) { return {number(size), number(size), number(size)}; }

LongMotion in_long(const RigidMotion& motion) {
  return {motion.x0.cast<long double>(), motion.v0.cast<long double>(),
          motion.a.cast<long double>(),
          std::get<math::SteadySpin>(motion.rotation).w.cast<long double>()};
}

std::vector<ContactTime> search(const Scene& scene, const std::vector<RigidMotion>& motions) {
  base::Workers workers(1);
  Pairs pairs(scene, workers);
  std::vector<ContactTime> found;
  RC_ASSERT(pairs.times_of_contact({0, kDuration, motions}, found).status ==
            SearchStatus::Complete);
  return found;
}

// The first impact of a feature among those found.
std::optional<double> first_impact(const std::vector<ContactTime>& found, std::int64_t feature,
                                   double slow) {
  for (const ContactTime& time : found) {
    if (time.feature == feature && time.rate < -slow) return time.s;
  }
  return std::nullopt;
}

template <typename Gap>
void check_against(const Gap& gap, const std::optional<double>& found, double gap_tolerance) {
  const auto expected = reference::find_first_crossing(gap, kDuration, kSamples);
  if (found) {  // not early: at the surface to within the tolerance, and not through before
    RC_ASSERT(std::abs(static_cast<double>(gap(*found))) <= 2 * gap_tolerance + 1e-14);
    RC_ASSERT(!expected || *found <= static_cast<double>(*expected) + 1e-9);
  } else {
    RC_ASSERT(!expected);
  }
}

RC_GTEST_PROP(TimesOfContact, OfSpinningBoxesWithAPlaneAreThoseOfDenseSampling, ()) {
  const Scene scene =
      support::build({.bodies = {support::make_ground(),
                                 support::make_box("box", Vec3(1, 0.7, 0.5), Vec3(0, 0, 5))}});
  const Quat q0 = math::quat_exp(vector(3));
  const double spin = *rc::gen::element(0.0, 2.0, 10.0, 40.0);  // up to six turns
  const RigidMotion box{{0, 0, 0.7 + std::abs(number(1))},
                        Vec3(number(3), number(3), number(3)),
                        Vec3(0, 0, *rc::gen::element(0.0, -9.81, 3.0)),
                        math::SteadySpin{q0, spin * (vector(1) + Vec3(0.1, 0, 0)).normalized()}};
  const auto found = search(scene, {RigidMotion{}, box});
  geometry::RoundedPoints corners;
  RC_ASSERT(geometry::find_rounded_points(scene.bodies[1].shapes[0].shape, corners));
  const LongMotion motion = in_long(box);
  for (std::size_t i = 0; i < corners.points.size(); ++i) {
    const Long3 lever = (q0 * corners.points[i]).cast<long double>();
    const auto gap = [&](long double s) { return motion.point(lever, s).z(); };
    check_against(gap, first_impact(found, static_cast<std::int64_t>(i), scene.tolerances.velocity),
                  scene.tolerances.gap);
  }
}

RC_GTEST_PROP(TimesOfContact, OfBallsAreThoseOfDenseSampling, ()) {
  model::BodySpec dumbbell{.name = "dumbbell", .mass = 1};
  dumbbell.inertia = Mat3::Identity();
  dumbbell.center_of_mass = Vec3::Zero();
  dumbbell.shapes = {
      {.shape = geometry::Sphere{0.2}, .pose = {Vec3(0.5, 0, 0), Quat::Identity()}},
      {.shape = geometry::Sphere{0.3}, .pose = {Vec3(-0.5, 0, 0), Quat::Identity()}}};
  const Scene scene =
      support::build({.bodies = {dumbbell, support::make_ball("ball", 0.25, Vec3(0, 0, 9))}});
  const double spin = *rc::gen::element(0.0, 5.0, 30.0);
  const RigidMotion a{
      Vec3::Zero(), vector(1), vector(2),
      math::SteadySpin{Quat::Identity(), spin * (vector(1) + Vec3(0, 0.1, 0)).normalized()}};
  const Vec3 start = 1.4 * (vector(1) + Vec3(0, 0, 0.01)).normalized();
  const RigidMotion b{start, vector(3), vector(5), math::SteadySpin{}};
  const auto found = search(scene, {a, b});
  const LongMotion first = in_long(a), second = in_long(b);
  for (std::int64_t shape = 0; shape < 2; ++shape) {
    const Long3 lever(shape == 0 ? 0.5L : -0.5L, 0, 0);
    const long double reach = shape == 0 ? 0.2L + 0.25L : 0.3L + 0.25L;
    const auto gap = [&](long double s) {
      return (first.point(lever, s) - second.center(s)).norm() - reach;
    };
    const double slow = scene.tolerances.velocity;
    check_against(gap, first_impact(found, shape << 52, slow), scene.tolerances.gap);
  }
}

}  // namespace
}  // namespace carom::contact
