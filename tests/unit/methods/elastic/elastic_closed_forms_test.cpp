// The elastic method on motions with known answers: a trammel, whose sliders must take no energy,
// and a disc that lies almost flat and rolls on its rim.
#include <gtest/gtest.h>

#include <cmath>

#include "support/rig.h"

namespace carom::methods {
namespace {

using support::Rig;
using support::SceneParts;

constexpr double kGravity = 9.81;

// A rod whose ends are hinged to blocks on two guides at right angles, under gravity along one of
// them. With equal blocks of mass m its kinetic energy is J θ'²/2, J = m l² + M l²/4 + I, and
//
//   J θ'' = -(m + M/2) g l cos θ.
//
// The blocks are light beside the rod, so that guides which gave way would cost much.
constexpr double kBlock = 0.01, kRod = 2, kLength = 1, kStart = 0.5;

model::BodySpec make_block(const std::string& name, const Vec3& position) {
  return {.name = name,
          .shapes = {{.shape = geometry::Box{Vec3::Constant(0.01)}, .collide = false}},
          .mass = kBlock,
          .position = position};
}

SceneParts make_trammel(bool guide_first) {
  const Vec3 on_x(kLength * std::cos(kStart), 0, 0), on_y(0, kLength * std::sin(kStart), 0);
  model::BodySpec base = support::make_ball("base", 0.01, Vec3(0, 0, -5));
  base.motion = model::Motion::Fixed;
  const Vec3 along = on_y - on_x;
  const model::BodySpec rod{
      .name = "rod",
      .shapes = {{.shape = geometry::Box{0.5 * Vec3(kLength, 0.02, 0.02)}, .collide = false}},
      .mass = kRod,
      .position = 0.5 * (on_x + on_y),
      .orientation = math::quat_exp(std::atan2(along.y(), along.x()) * Vec3::UnitZ())};
  const auto guide = [&](const std::string& block, const Vec3& anchor, const Vec3& axis) {
    model::JointSpec joint{.name = "guide " + block,
                           .type = model::JointType::Slider,
                           .between = {"base", block},
                           .anchor = anchor,
                           .axis = axis};
    if (!guide_first) std::swap(joint.between[0], joint.between[1]);
    return joint;
  };
  const auto hinge = [&](const std::string& block, const Vec3& anchor) {
    return model::JointSpec{.name = "hinge " + block,
                            .type = model::JointType::Hinge,
                            .between = {block, "rod"},
                            .anchor = anchor,
                            .axis = Vec3::UnitZ()};
  };
  return {.gravity = Vec3(0, -kGravity, 0),
          .bodies = {base, make_block("x", on_x), make_block("y", on_y), rod},
          .joints = {guide("x", on_x, Vec3::UnitX()), guide("y", on_y, Vec3::UnitY()),
                     hinge("x", on_x), hinge("y", on_y)},
          .method = {"elastic", {}},
          .duration = 5};
}

// θ at time t by Runge and Kutta's rule of fourth order, to 1e-12.
double trammel_angle(double t, double rod_inertia) {
  const double J = kBlock * kLength * kLength + 0.25 * kRod * kLength * kLength + rod_inertia;
  const double k = (kBlock + 0.5 * kRod) * kGravity * kLength / J;
  constexpr int kSteps = 20000;
  const double h = t / kSteps;
  double angle = kStart, rate = 0;
  for (int i = 0; i < kSteps; ++i) {
    const auto fall = [&](double at) { return -k * std::cos(at); };
    const double a1 = fall(angle), r1 = rate;
    const double a2 = fall(angle + 0.5 * h * r1), r2 = rate + 0.5 * h * a1;
    const double a3 = fall(angle + 0.5 * h * r2), r3 = rate + 0.5 * h * a2;
    const double a4 = fall(angle + h * r3), r4 = rate + h * a3;
    angle += h / 6 * (r1 + 2 * r2 + 2 * r3 + r4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return angle;
}

TEST(ElasticClosedForms, ATrammelLosesNothingWhicheverBodyOfAGuideComesFirst) {
  for (const bool guide_first : {false, true}) {
    Rig rig(make_trammel(guide_first));
    for (int i = 1; i <= 4; ++i) {
      ASSERT_TRUE(rig.advance_to(i).ok());
      const double angle = trammel_angle(i, rig.scene.bodies[3].inertia(2, 2));
      EXPECT_NEAR(rig.state.bodies[1].x.x(), kLength * std::cos(angle), 3e-6) << i;
      EXPECT_NEAR(rig.state.bodies[2].x.y(), kLength * std::sin(angle), 3e-6) << i;
    }
  }
}

// A disc of thickness h, its axis leaning by α, rolls on its rim while its centre stays where it
// is. With A and C its moments of inertia across and along the axis, Ω its precession and n its
// spin about the axis, rolling asks for n R = Ω (h/2) sin α, and the moment of the floor's force
// about the centre, which is the weight, turns the angular momentum:
//
//   Ω² sin α (A cos α - C n/Ω) = m g (R cos α - (h/2) sin α).
TEST(ElasticClosedForms, ADiscThatLiesAlmostFlatRollsOnItsRim) {
  constexpr double kDisc = 0.1, kHalf = 0.01, kMass = 1, kEnd = 0.5;
  for (const double lean : {0.05, 0.1, 0.2}) {
    SCOPED_TRACE(lean);
    const double s = std::sin(lean), c = std::cos(lean);
    const double C = 0.5 * kMass * kDisc * kDisc;
    const double A = 0.5 * C + kMass * kHalf * kHalf / 3;
    const double spin_part = kHalf * s / kDisc;
    const double rate =
        std::sqrt(kMass * kGravity * (kDisc * c - kHalf * s) / (s * (A * c - C * spin_part)));
    const Vec3 axis(0, -s, c), up_slope(0, c, s);
    SceneParts parts{.between = {.friction = 1},
                     .bodies = {support::make_ground(),
                                {.name = "disc",
                                 .shapes = {{.shape = geometry::Cylinder{kDisc, 2 * kHalf}}},
                                 .mass = kMass,
                                 .position = Vec3(0, 0, kDisc * s + kHalf * c),
                                 .orientation = math::quat_exp(lean * Vec3::UnitX()),
                                 .angular_velocity = rate * (s * up_slope + spin_part * axis)}},
                     .method = {"elastic", {}},
                     .duration = 1};
    Rig rig(parts);
    ASSERT_TRUE(rig.advance_to(kEnd).ok());
    const BodyState& disc = rig.state.bodies[1];
    const Vec3 expected = math::quat_exp(rate * kEnd * Vec3::UnitZ()) * axis;
    EXPECT_LT((disc.q * Vec3::UnitZ() - expected).norm(), 1e-4);
    EXPECT_LT((disc.x - parts.bodies[1].position).norm(), 1e-5);
  }
}

}  // namespace
}  // namespace carom::methods
