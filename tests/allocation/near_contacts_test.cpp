// Asking where bodies may touch soon asks for no memory once the buffers have grown.
#include <gtest/gtest.h>

#include "allocation/count.h"
#include "carom/contact/pairs.h"
#include "support/scenes.h"

namespace carom::contact {
namespace {

Scene make_heap() {
  std::vector<model::BodySpec> bodies{support::make_ground()};
  for (int i = 0; i < 200; ++i) {
    const Vec3 at = 0.21 * Vec3(i % 6, i / 6 % 6, 0.5 + i / 36);
    const std::string name = "body" + std::to_string(i);
    bodies.push_back(i % 3 == 0 ? support::make_ball(name, 0.1, at)
                                : support::make_box(name, Vec3(0.2, 0.2, 0.2), at));
  }
  return support::build({.bodies = bodies});
}

// Every body sways with a time of its own, so that pairs come and go.
State swayed(const State& start, int step) {
  State out = start;
  for (std::size_t i = 1; i < out.bodies.size(); ++i) {
    const double phase = 0.05 * step * static_cast<double>(1 + i % 7);
    out.bodies[i].x += 0.02 * Vec3(std::sin(phase), std::cos(phase), std::sin(2 * phase));
    out.bodies[i].q = math::quat_exp(0.2 * Vec3(std::cos(phase), std::sin(phase), 0));
    out.bodies[i].v = Vec3(0, 0, 0.5 * std::sin(phase));
  }
  return out;
}

long allocations_in_questions(Pairs& pairs, const State& start, ContactSet& found) {
  long asked = 0;
  for (int step = 0; step < 200; ++step) {
    const State state = swayed(start, step);
    const long before = support::allocations;
    pairs.find_near_contacts(state, 0.004, found);
    asked += support::allocations - before;
  }
  return asked;
}

TEST(NearContacts, AskForNoMemoryOnceWarm) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  const Scene scene = make_heap();
  base::Workers workers(1);
  Pairs pairs(scene, workers);
  const State start = dynamics::make_initial_state(scene);
  ContactSet found;
  for (int round = 0; round < 2; ++round) {  // the second begins with a jump back
    allocations_in_questions(pairs, start, found);
  }
  EXPECT_GT(found.size(), 300U);
  EXPECT_EQ(allocations_in_questions(pairs, start, found), 0);
}

}  // namespace
}  // namespace carom::contact
