// The elastic method on motions with known answers: a trammel, whose sliders must take no energy, a
// disc that lies almost flat and rolls on its rim, a tile that slides and spins, and a box that a
// ram pushes.
#include <gtest/gtest.h>

#include <array>
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

// A thin square tile on its four corners, each with a quarter of the weight and Coulomb's friction
// against its own slip: x, y, angle and their rates, by Runge and Kutta.
constexpr double kTile = 0.1, kGrip = 0.3,
                 kInertia = 2 * kTile * kTile / 3;  // half a side; of 1 kg
using Planar = std::array<double, 6>;

Planar rates_of_tile(const Planar& s) {
  Planar rate{s[3], s[4], s[5], 0, 0, 0};
  for (const auto& [along, across] : {std::pair(-1, -1), {-1, 1}, {1, -1}, {1, 1}}) {
    const double x = kTile * (along * std::cos(s[2]) - across * std::sin(s[2]));
    const double y = kTile * (along * std::sin(s[2]) + across * std::cos(s[2]));
    const double u = s[3] - s[5] * y, v = s[4] + s[5] * x;
    const double brake = -kGrip * kGravity / 4 / std::hypot(u, v);
    rate[3] += brake * u;
    rate[4] += brake * v;
    rate[5] += brake * (x * v - y * u) / kInertia;
  }
  return rate;
}

Planar slide_tile(Planar s, double duration, int steps) {
  const double h = duration / steps;
  const auto at = [&](const Planar& rate, double part) {
    Planar out = s;
    for (std::size_t i = 0; i < 6; ++i) out[i] += part * h * rate[i];
    return out;
  };
  for (int n = 0; n < steps; ++n) {
    const Planar a = rates_of_tile(s), b = rates_of_tile(at(a, 0.5)), c = rates_of_tile(at(b, 0.5)),
                 d = rates_of_tile(at(c, 1));
    for (std::size_t i = 0; i < 6; ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return s;
}

// Its centre is a hundredth of its side high, so that loads shift by little.
TEST(ElasticClosedForms, ATileThatSlidesAndSpinsIsBrakedAtEachCorner) {
  constexpr double kEnd = 0.1, kThin = 1e-3;
  SceneParts parts{.between = {.friction = kGrip},
                   .bodies = {support::make_ground(),
                              {.name = "tile",
                               .shapes = {{.shape = geometry::Box{Vec3(kTile, kTile, kThin)}}},
                               .mass = 1,
                               .position = Vec3(0, 0, kThin),
                               .velocity = Vec3(0.5, 0, 0),
                               .angular_velocity = Vec3(0, 0, 2)}},
                   .method = {"elastic", {}},
                   .duration = 1};
  Rig rig(parts);
  ASSERT_TRUE(rig.advance_to(kEnd).ok());
  const BodyState& tile = rig.state.bodies[1];
  const Planar expected = slide_tile({0, 0, 0, 0.5, 0, 2}, kEnd, 1000);
  EXPECT_NEAR(tile.x.x(), expected[0], 1e-5);
  EXPECT_NEAR(tile.v.x(), expected[3], 1e-4);
  EXPECT_NEAR(tile.w.z(), expected[5], 1e-3);
}

// Once it is as fast as the ram nothing changes any more.
TEST(ElasticClosedForms, ABoxThatARamPushesStaysInContact) {
  constexpr double kSpeed = 0.2, kHalf = 0.05;
  model::BodySpec ram = support::make_box("ram", Vec3::Constant(2 * kHalf), Vec3(0, 0, 2 * kHalf));
  ram.motion = model::Motion::Driven;
  ram.velocity = Vec3(kSpeed, 0, 0);
  SceneParts parts{
      .between = {.friction = 0.3},
      .bodies = {support::make_ground(), ram,
                 support::make_box("box", Vec3::Constant(2 * kHalf), Vec3(0.11, 0, kHalf))},
      .method = {"elastic", {}},
      .duration = 1};
  Rig rig(parts);
  ASSERT_TRUE(rig.advance_to(0.5).ok());
  EXPECT_NEAR(rig.state.bodies[2].v.x(), kSpeed, 1e-6);
  EXPECT_NEAR(rig.state.bodies[2].x.x(), kSpeed * 0.5 + 2 * kHalf, 1e-5);
  EXPECT_LE(rig.witness.count(record::EventKind::ContactEnd), 2u);
}

}  // namespace
}  // namespace carom::methods
