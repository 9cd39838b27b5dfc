// Contact forces with dry friction, from accelerations.
#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "carom/resting/contact_forces.h"
#include "support/statics.h"

namespace carom::resting {
namespace {

using support::Bodies;
using support::Forces;
using support::Stack;

constexpr double kG = 9.81;

// A box on a slope: it sticks below the angle of friction, slides above it with what is left.
std::vector<support::ContactSpec> make_corners(double half, double mu) {
  std::vector<support::ContactSpec> corners;
  for (const double x : {-half, half}) {
    for (const double y : {-half, half})
      corners.push_back(support::stand(0, -1, Vec3(x, y, 0), mu));
  }
  return corners;
}

class Slopes : public testing::TestWithParam<double> {};

TEST_P(Slopes, HoldABoxOrLetItSlide) {
  const double slope = 0.4, mu = GetParam();
  const Vec3 gravity = kG * Vec3(std::sin(slope), 0, -std::cos(slope));
  Bodies box;
  support::add_brick(box, 2, Vec3(2, 2, 0.5), Vec3(0, 0, 0.25));
  const auto corners = make_corners(1, mu);
  const auto problem = support::make_problem(box, corners);
  const Forces found =
      support::find_forces(problem, support::under_gravity(problem, gravity), {}, gravity);
  const double slides = mu < std::tan(slope) ? kG * (std::sin(slope) - mu * std::cos(slope)) : 0;
  EXPECT_EQ(found.result.rungs.with_friction, 1);
  EXPECT_LE(found.result.complementarity, 1e-12);
  EXPECT_LT((found.gained.bodies[0].v - Vec3(slides, 0, 0)).norm(), 1e-10);
  EXPECT_LT(found.gained.bodies[0].w.norm(), 1e-10);
  double push = 0;
  for (std::size_t k = 0; k < 4; ++k) push += found.push(k);
  EXPECT_NEAR(push, 2 * kG * std::cos(slope), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(FrictionForces, Slopes, testing::Values(0.2, 0.3, 0.5, 1.0));

// A block already sliding on a level floor is slowed by μ g whatever its speed.
TEST(FrictionForces, SlowWhatSlides) {
  for (const double speed : {1e-6, 1.0, 1e3}) {
    Bodies box;
    support::add_brick(box, 3, Vec3(2, 2, 0.5), Vec3(0, 0, 0.25));
    box.state.bodies[0].v = Vec3(0, -speed, 0);
    const Forces found = support::find_forces(box, make_corners(1, 0.4));
    EXPECT_FALSE(found.result.jams);
    EXPECT_NEAR(found.gained.bodies[0].v.y(), 0.4 * kG, 1e-10) << speed;
    EXPECT_LE(found.result.complementarity, 1e-12) << speed;
  }
}

// A rod that slides on its tip at 45°: below μ = 4/3 + … the normal force is finite; Painlevé's rod
// jams when μ (m l²/I) sinθ cosθ exceeds 1 + (m l²/I) cos²θ, here 3μ/2 > 5/2.
TEST(FrictionForces, SayWhenARodJams) {
  for (const double mu : {1.0, 1.6, 1.8, 2.5}) {
    Bodies rod;
    const double half = 1;
    support::add_body(rod, 1, half * half / 3 * Mat3::Identity(),
                      Vec3(-std::sqrt(0.5), 0, std::sqrt(0.5)));
    rod.state.bodies[0].v = Vec3(1, 0, 0);
    const Forces found = support::find_forces(rod, {support::stand(0, -1, Vec3::Zero(), mu)});
    EXPECT_EQ(found.result.jams, 1.5 * mu > 2.5) << mu;
  }
}

// Contacts without friction beside rough ones: a box driven along a rough floor against a smooth
// wall stays, and the wall takes no part in holding it up.
TEST(FrictionForces, LeaveSmoothContactsSmooth) {
  Bodies box;
  support::add_brick(box, 1, Vec3(1, 1, 1), Vec3(0, 0, 0.5));
  const Vec3 gravity(3, 0.5, -9.81);
  std::vector<support::ContactSpec> contacts = make_corners(0.5, 0.1);
  for (const double z : {0.2, 0.8})
    contacts.push_back({.a = 0, .b = -1, .point = Vec3(0.5, 0, z), .normal = -Vec3::UnitX()});
  const auto problem = support::make_problem(box, contacts);
  const Forces found =
      support::find_forces(problem, support::under_gravity(problem, gravity), {}, gravity);
  EXPECT_LT(found.gained.bodies[0].v.norm(), 1e-10);
  EXPECT_LT(found.gained.bodies[0].w.norm(), 1e-10);
  for (const std::size_t k : {4U, 5U}) EXPECT_EQ(found.forces.contacts[k].tail<2>().norm(), 0);
  EXPECT_GE(found.push(4) + found.push(5), 3 - 0.981);
  EXPECT_LE(found.result.complementarity, 1e-11);
}

TEST(FrictionForces, MeetComplementarityInWalls) {
  base::Random random(47);
  for (int trial = 0; trial < 30; ++trial) {
    Stack wall = support::make_wall(1 + trial % 4, 2 + trial % 5,
                                    [&](int) { return random.uniform(0.1, 10); });
    for (support::ContactSpec& contact : wall.contacts) contact.friction = random.uniform(0, 0.8);
    const auto problem = support::make_problem(wall.bodies, wall.contacts);
    const Vec3 gravity(random.uniform(-3, 3), random.uniform(-3, 3), -9.81);
    const Forces found =
        support::find_forces(problem, support::under_gravity(problem, gravity), {}, gravity);
    EXPECT_LE(found.result.complementarity, 1e-10) << trial;
    EXPECT_EQ(found.result.status, ForceStatus::Converged) << trial;
    double beyond = 0;
    for (std::size_t k = 0; k < found.left.size(); ++k) {
      const Vec3& f = found.forces.contacts[k];
      beyond = std::max(beyond, f.tail<2>().norm() - wall.contacts[k].friction * f.x());
    }
    EXPECT_LE(beyond, 1e-10) << trial;
  }
}

}  // namespace
}  // namespace carom::resting
