// Contacts followed by their features against contacts found anew, and their velocity terms against
// differences along the motion.
#include "carom/contact/followed.h"

#include <gtest/gtest.h>

#include "carom/contact/pairs.h"
#include "carom/math/rotation.h"
#include "support/scenes.h"

namespace carom::contact {
namespace {

State moved(const State& state, double s) {
  State later = state;
  dynamics::drift(s, later);
  return later;
}

struct Found {
  ContactSet contacts;
  std::vector<ContactFeatures> features;
};

Found find(const Scene& scene, const State& state) {
  base::Workers workers(1);
  Found found;
  Pairs(scene, workers).find_contacts(state, found.contacts, &found.features);
  return found;
}

// A box, a ball and a cylinder on a plate that turns and moves, each with a motion of its own.
Scene make_scene() {
  model::BodySpec plate = support::make_box("plate", Vec3(4, 4, 1), Vec3(0, 0, -0.5));
  plate.velocity = Vec3(0.1, -0.2, 0.3);
  plate.angular_velocity = Vec3(0.3, 0.2, -0.4);
  model::BodySpec box = support::make_box("box", Vec3(0.4, 0.6, 0.8), Vec3(1, 0.3, 0.4));
  box.velocity = Vec3(0.4, 0.1, 0.2);
  box.angular_velocity = Vec3(-0.5, 0.8, 1.2);
  model::BodySpec ball = support::make_ball("ball", 0.3, Vec3(-1, 0, 0.3), Vec3(1, 0.5, -0.1));
  ball.angular_velocity = Vec3(3, -2, 1);
  model::BodySpec cylinder{.name = "cylinder",
                           .shapes = {{.shape = geometry::Cylinder{0.2, 0.5}}},
                           .mass = 1,
                           .position = Vec3(0, -1, 0.2)};
  cylinder.orientation = math::quat_exp(Vec3(1.5707963267948966, 0, 0));
  cylinder.velocity = Vec3(0.3, 0.1, 0.1);
  cylinder.angular_velocity = Vec3(0.7, 1.3, -0.6);
  return support::build({.between = {.friction = 0.5}, .bodies = {plate, box, ball, cylinder}});
}

TEST(FollowedContact, IsWhereItWasFound) {
  const Scene scene = make_scene();
  const State state = dynamics::make_initial_state(scene);
  const Found found = find(scene, state);
  ASSERT_EQ(found.contacts.size(), found.features.size());
  ASSERT_GE(found.contacts.size(), 7U);  // four corners, the ball, the cylinder's line
  for (std::size_t i = 0; i < found.contacts.size(); ++i) {
    Contact again = found.contacts[i];
    again.at.point = again.at.normal = Vec3::Zero();
    follow_features(found.features[i], state, again);
    EXPECT_LT((again.at.point - found.contacts[i].at.point).norm(), 1e-14);
    EXPECT_LT((again.at.normal - found.contacts[i].at.normal).norm(), 1e-14);
    EXPECT_NEAR(again.approach_rate, found.contacts[i].approach_rate, 1e-14);
  }
}

TEST(FollowedContact, HasTheRateAndTheBiasOfItsGap) {
  const Scene scene = make_scene();
  const State state = dynamics::make_initial_state(scene);
  const Found found = find(scene, state);
  const double s = 1e-4;
  for (std::size_t i = 0; i < found.contacts.size(); ++i) {
    Contact now = found.contacts[i], ahead = now, behind = now;
    follow_features(found.features[i], state, now);
    follow_features(found.features[i], moved(state, s), ahead);
    follow_features(found.features[i], moved(state, -s), behind);
    EXPECT_NEAR(now.approach_rate, (ahead.at.gap - behind.at.gap) / (2 * s), 1e-6) << i;
    EXPECT_NEAR(now.bias, (ahead.approach_rate - behind.approach_rate) / (2 * s), 1e-5) << i;
  }
}

// Along the tangents, which turn with the normal, the rate of the slip is the bias only where the
// slip is zero; in the world it is the bias always.
TEST(FollowedContact, HasTheBiasOfItsSlip) {
  const Scene scene = make_scene();
  const State state = dynamics::make_initial_state(scene);
  const Found found = find(scene, state);
  const double s = 1e-4;
  const auto slip_at = [&](std::size_t i, const State& at) -> Vec3 {
    Contact contact = found.contacts[i];
    follow_features(found.features[i], at, contact);
    const BodyState &a = at[contact.a], &b = at[contact.b];
    return a.twist().at(contact.at.point - a.x) - b.twist().at(contact.at.point - b.x);
  };
  for (std::size_t i = 0; i < found.contacts.size(); ++i) {
    const Vec3 difference = (slip_at(i, moved(state, s)) - slip_at(i, moved(state, -s))) / (2 * s);
    const Vec3 bias = compute_slip_bias(found.features[i], state, found.contacts[i]);
    EXPECT_LT((bias - difference).norm(), 1e-5) << i;
  }
}

}  // namespace
}  // namespace carom::contact
