// Coulomb's law of impulses: in every event that a run records, friction is at most μ times the
// normal impulse of the same contact, whatever the method and the law.
#include <gtest/gtest.h>

#include "carom/math/rotation.h"
#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

using support::SceneParts;

constexpr double kRoundOff = 1e-9;  // N s, beside momenta of about one

struct FrictionWatch : record::Sink {
  explicit FrictionWatch(double friction) : mu(friction) {}
  void event(const record::ContactEvent& event) override {
    if (event.impulse.isZero(0)) return;
    ++impulses;
    const double normal = event.impulse.dot(event.normal);
    const double along = (event.impulse - normal * event.normal).norm();
    const double beyond = along - mu * normal;
    if (beyond > worst) worst = beyond, at = event.t;
  }
  double mu, worst = -1, at = 0;
  int impulses = 0;
};

model::BodySpec thrown_box(const Vec3& position, const Vec3& velocity, const Vec3& spin) {
  model::BodySpec box = support::make_box("box", Vec3(0.2, 0.3, 0.1), position);
  box.velocity = velocity;
  box.angular_velocity = spin;
  box.orientation = math::quat_exp(Vec3(0.3, 0.2, 0.1));
  return box;
}

SceneParts tumbling(double mu) {
  return {.between = {.restitution = 0.3, .friction = mu},
          .bodies = {support::make_ground(), support::make_plane("wall", -Vec3::UnitX(), -0.6),
                     thrown_box(Vec3(0, 0, 0.3), Vec3(2, 0.5, -1), Vec3(3, -2, 5))},
          .duration = 0.6};
}

SceneParts spinning_ball(double mu) {
  model::BodySpec ball = support::make_ball("ball", 0.1, Vec3(0, 0, 0.3), Vec3(1, 0, 0));
  ball.angular_velocity = Vec3(0, -50, 10);
  return {.between = {.restitution = 0.5, .friction = mu},
          .bodies = {support::make_ground(), ball},
          .duration = 1};
}

// The card is pulled by a driven hand, from rest to v at once.
SceneParts jerked_card(double mu) {
  model::BodySpec hand = support::make_ball("hand", 0.05, Vec3(1, 0, 0.05), Vec3(0.5, 0, 0));
  hand.motion = model::Motion::Driven;
  return {.between = {.restitution = 0.3, .friction = mu},
          .bodies = {support::make_ground(), hand,
                     support::make_box("card", Vec3(1.2, 1, 0.1), Vec3(0, 0, 0.05)),
                     support::make_box("weight", Vec3(0.2, 0.2, 0.2), Vec3(0, 0, 0.2))},
          .joints = {{.name = "grip",
                      .type = model::JointType::Fixed,
                      .between = {"hand", "card"},
                      .anchor = Vec3(1, 0, 0.05)}},
          .duration = 0.3};
}

void expect_coulomb(SceneParts parts, const model::MethodSettings& method) {
  parts.method = method;
  const Scene scene = support::build(parts);
  Simulation simulation(scene, {.audit = false});
  FrictionWatch watch(parts.between.friction);
  simulation.add(watch);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  const std::string who = method.name + ' ' + method.text("impact", "");
  EXPECT_GT(watch.impulses, 0) << who;
  EXPECT_LE(watch.worst, kRoundOff) << who << " at " << watch.at << " s";
}

TEST(FrictionBound, HoldsInEveryEventOfEveryMethod) {
  for (const char* method : {"zeno-free", "analytic", "microcollision", "time-stepping"}) {
    for (const double mu : {0.1, 0.6}) {
      expect_coulomb(tumbling(mu), {method, {}});
      expect_coulomb(spinning_ball(mu), {method, {}});
      expect_coulomb(jerked_card(mu), {method, {}});
    }
  }
}

TEST(FrictionBound, HoldsInEveryLaw) {
  for (const char* law :
       {"sequential", "reflections", "frictional", "simultaneous", "poisson", "guendelman"}) {
    expect_coulomb(tumbling(0.4), {"zeno-free", {{"impact", law}}});
    expect_coulomb(tumbling(0.4), {"analytic", {{"impact", law}}});
  }
}

}  // namespace
}  // namespace carom::simulation
