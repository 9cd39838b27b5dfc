// Contacts half a step ahead, on a turntable, where everything is known.
#include "carom/contact/mid_step.h"

#include <gtest/gtest.h>

#include "carom/contact/pairs.h"
#include "carom/math/rotation.h"
#include "support/scenes.h"

namespace carom::contact {
namespace {

constexpr double kStep = 1e-3, kSpin = 3, kRadius = 0.3;

// A block that goes round with the table it lies on.
struct OnTurntable {
  OnTurntable() {
    pairs.find_contacts(state, contacts, &features);
    middle.place(state, contacts, features, kStep);
    Assembler(scene).assemble(middle.contacts(), {}, middle.state(), problem);
    middle.refer_to_start(state, contacts, std::vector<double>(contacts.size(), 0), problem);
  }
  Scene scene = support::build(
      {.between = {.friction = 0.5}, .bodies = support::make_turntable(kSpin, kRadius)});
  State state = dynamics::make_initial_state(scene);
  base::Workers workers{1};
  Pairs pairs{scene, workers};
  ContactSet contacts;
  std::vector<ContactFeatures> features;
  MidStep middle{scene};
  ContactProblem problem;
};

TEST(MidStep, TakesCornersAlongWithTheirBody) {
  const OnTurntable on;
  ASSERT_EQ(on.contacts.size(), 4u);
  EXPECT_TRUE(on.middle.moves());
  const Quat turned = math::quat_exp(0.5 * kStep * kSpin * Vec3::UnitZ());
  const Vec3 x(kRadius, 0, 0), x_mid = x + Vec3(0, 0.5 * kStep * kSpin * kRadius, 0);
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 expected = x_mid + turned * (on.contacts[i].at.point - x);
    EXPECT_LT((on.middle.contacts()[i].at.point - expected).norm(), 1e-15);
  }
}

// Unless friction bends its way the block goes straight on, and the table from under it: it slips
// outwards at ω² r for every second.
TEST(MidStep, TellsHowSlipGrowsOnWhatTurns) {
  const OnTurntable on;
  for (const ContactRow& row : on.problem.contacts) {
    EXPECT_LT(row.rate.norm(), 1e-15);
    const double of_block = row.a.block >= 0 ? 1 : -1;
    const Vec3 slip = of_block * (row.bias.y() * row.tangent1 + row.bias.z() * row.tangent2);
    EXPECT_LT((slip - Vec3(kSpin * kSpin * kRadius, 0, 0)).norm(), 1e-12);
    EXPECT_NEAR(row.bias.x(), 0, 1e-12);
  }
}

}  // namespace
}  // namespace carom::contact
