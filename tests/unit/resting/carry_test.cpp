// Forces that hold: exact values from Baraff's figures and lever rules, Coulomb's law on a slope.
#include "carom/resting/carry.h"

#include <gtest/gtest.h>

#include "carom/contact/step_rates.h"
#include "carom/dynamics/joint_rows.h"
#include "support/linkage.h"
#include "support/problems.h"

namespace carom::resting {
namespace {

constexpr double kStep = 0.001;
constexpr double kResting = 1e-5;  // m/s

struct Carried {
  CarryResult result;
  contact::ContactProblem problem;
  contact::Impulses impulses;
  State after;  // velocities at the end of the step

  Vec3 force(std::size_t contact) const {
    return contact::world_impulse(problem.contacts[contact], impulses.contacts[contact]) / kStep;
  }
};

Carried carry(const Scene& scene, const State& state, const contact::ContactSet& contacts) {
  std::vector<dynamics::JointRow> joints;
  State halfway = state;
  dynamics::drift(0.5 * kStep, halfway);
  dynamics::compute_joint_rows(scene, halfway, joints);
  Carried carried;
  contact::Assembler(scene).assemble(contacts, joints, state, carried.problem);
  contact::StepRates step_rates(scene);
  const auto rates = step_rates.predict(carried.problem, state, kStep, kStep);
  base::Workers workers(1);
  carried.impulses.contacts.assign(carried.problem.contacts.size(), Vec3::Zero());
  carried.result = Carrier(workers).carry(carried.problem, rates, kResting, {}, carried.impulses);
  carried.after = state;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies[i].is_dynamic()) carried.after.bodies[i].v += kStep * scene.gravity;
  }
  contact::apply_impulses(carried.problem, carried.impulses, carried.after);
  return carried;
}

contact::Contact make_contact(const Vec3& point, double friction = 0) {
  contact::Contact contact;
  contact.a = BodyId{1};
  contact.b = BodyId{0};
  contact.at = {point, Vec3::UnitZ(), 0};
  contact.friction = friction;
  return contact;
}

Scene make_block(const Vec3& size, const Vec3& gravity = {0, 0, -9.81}) {
  return support::build({.gravity = gravity,
                         .bodies = {support::make_ground(),
                                    support::make_box("block", size, Vec3(0, 0, 0.5 * size.z()))}});
}

TEST(Carrier, SharesTheWeightByTheLeverRule) {
  const Scene scene = make_block(Vec3(2, 1, 1));
  const Carried carried = carry(scene, dynamics::make_initial_state(scene),
                                {make_contact(Vec3(-0.8, 0, 0)), make_contact(Vec3(1, 0, 0))});
  EXPECT_LE(carried.result.residual, 1e-14);
  EXPECT_NEAR(carried.force(0).z(), 5.45, 5.45e-12);
  EXPECT_NEAR(carried.force(1).z(), 4.36, 4.36e-12);
}

TEST(Carrier, HoldsABlockStillWithoutPullingIt) {
  const Scene scene = make_block(Vec3(1, 1, 1));
  contact::ContactSet corners;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) corners.push_back(make_contact(Vec3(x, y, 0)));
  }
  const Carried carried = carry(scene, dynamics::make_initial_state(scene), corners);
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GE(carried.force(i).z(), 0);
    sum += carried.force(i).z();
  }
  EXPECT_NEAR(sum, 9.81, 9.81e-12);
  EXPECT_LT(carried.after.bodies[1].v.norm() + carried.after.bodies[1].w.norm(), 1e-14);
}

TEST(Carrier, LetsABodyGoThatLeaves) {
  const Scene scene = make_block(Vec3(1, 1, 1), Vec3(0, 0, 1));
  const Carried carried =
      carry(scene, dynamics::make_initial_state(scene), {make_contact(Vec3::Zero())});
  EXPECT_EQ(carried.force(0), Vec3::Zero());
}

// Weight on a 20° slope, as tilted gravity: friction holds it up to μ = tan 20° = 0.364.
TEST(Carrier, HoldsOnASlopeOrLetsSlideAtCoulombsForce) {
  const double slope = M_PI / 9;
  const Vec3 gravity = 9.81 * Vec3(std::sin(slope), 0, -std::cos(slope));
  const Scene scene = make_block(Vec3(1, 1, 0.2), gravity);
  for (const double mu : {0.2, 0.5}) {
    contact::ContactSet corners;
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5}) corners.push_back(make_contact(Vec3(x, y, 0), mu));
    }
    const Carried carried = carry(scene, dynamics::make_initial_state(scene), corners);
    EXPECT_LE(carried.result.residual, 1e-14) << mu;
    const double slides =
        mu < std::tan(slope) ? 9.81 * (std::sin(slope) - mu * std::cos(slope)) * kStep : 0;
    EXPECT_NEAR(carried.after.bodies[1].v.x(), slides, 1e-14) << mu;
    EXPECT_NEAR(carried.after.bodies[1].v.z(), 0, 1e-14) << mu;
    EXPECT_LT(carried.after.bodies[1].w.norm(), 1e-13) << mu;
  }
}

// Baraff, §7: pinned, hinged and with its end on the floor, the linkage falls at its knee.
TEST(Carrier, CarriesALinkageThroughItsJoints) {
  const Scene scene = support::build(support::make_linkage(true));
  const Carried carried =
      carry(scene, dynamics::make_initial_state(scene), support::make_end_contact(0));
  EXPECT_NEAR(carried.force(0).z(), 2.4525, 2.4525e-10);
  const BodyState& rod1 = carried.after.bodies[1];
  const BodyState& rod2 = carried.after.bodies[2];
  EXPECT_NEAR(rod1.v.z() / kStep, -7.3575, 1e-9);
  EXPECT_NEAR(support::planar_spin(rod1) / kStep, -14.715, 1e-9);
  EXPECT_NEAR(rod2.v.z() / kStep, -7.3575, 1e-9);
  EXPECT_NEAR(support::planar_spin(rod2) / kStep, 14.715, 1e-9);
}

// A bead on a turning plane: the floor gives way at 2 Ω v, so it carries 2 m Ω v (Baraff, eq. 34).
TEST(Carrier, GivesTheCoriolisForce) {
  Scene scene = support::build(
      {.gravity = Vec3::Zero(),
       .bodies = {support::make_ground(), support::make_ball("bead", 0.1, Vec3(0, 0, 0.1))}});
  contact::Contact contact = make_contact(Vec3::Zero());
  contact.bias = -12;
  const Carried carried = carry(scene, dynamics::make_initial_state(scene), {contact});
  EXPECT_NEAR(carried.force(0).z(), 12, 12e-12);
}

}  // namespace
}  // namespace carom::resting
