// The audit allocates nothing once its memory has grown.
#include <gtest/gtest.h>

#include "allocation/count.h"
#include "unit/audit/small_scenes.h"
#include "unit/record/hand_made_frame.h"

namespace carom::audit {
namespace {

using namespace geometry;
using support::allocations;

// A pile of everything in contact, and far more pairs that are near.
Scene make_pile() {
  Scene scene = make_scene();
  add(scene, make_ground(), {});
  const Shape shapes[] = {Sphere{0.5}, Box{Vec3(0.5, 0.5, 0.5)}, Cylinder{0.5, 1},
                          Capsule{0.3, 0.4}};
  for (int i = 0; i < 20; ++i) {
    add(scene, make_dynamic(shapes[i % 4]), {.x = Vec3(0.99 * (i % 5), 0.99 * (i / 5), 0.5)});
  }
  return scene;
}

TEST(Audit, AllocatesNothingAfterWarmUp) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  const Scene scene = make_pile();
  Audit audit;
  audit.begin(scene);
  Flight flight{0, 0.01, {}};
  for (const auto& initial : scene.initial) {
    flight.motions.push_back(make_motion(initial.x, Vec3::Zero(), Vec3::Zero(), {0.1, 0.2, 0.3}));
  }
  flight.motions[0] = make_motion(Vec3::Zero());
  const std::vector<record::CarriedForce> forces = {
      {BodyId{1}, BodyId{0}, Vec3::Zero(), Vec3(0, 0, 1)}};
  for (int i = 0; i < 3; ++i) audit.segment({flight, forces});
  const long before = allocations;
  for (int i = 0; i < 10; ++i) audit.segment({flight, forces});
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(audit.result().max_penetration, 0);  // the pairs were looked at
}

void expect_no_allocations(const Scene& scene, const record::Frame& frame) {
  Audit audit;
  audit.begin(scene);
  for (int i = 0; i < 3; ++i) audit.frame(frame);
  const long before = allocations;
  for (int i = 0; i < 10; ++i) audit.frame(frame);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(audit.result().max_penetration, 0);
}

State make_turning_pile(const Scene& scene) {
  State start;
  for (const auto& m : scene.initial) start.bodies.push_back({m.x, m.q, m.v, Vec3(0.1, 0.2, 0.3)});
  start.bodies[0].w.setZero();
  return start;
}

TEST(Audit, AllocatesNothingForFramesAfterWarmUp) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  const Scene scene = make_pile();
  record::HandMadeFrame made(scene, make_turning_pile(scene));
  for (int i = 1; i <= 20; ++i)
    made.collide(1e-3 * i, static_cast<BodyId>(i), static_cast<BodyId>(i % 2 == 0 ? 0 : i % 20 + 1),
                 Vec3::Zero(), {.impulse = Vec3(0, 0, 0.01)});
  expect_no_allocations(scene, made.finish(0.03));
}

TEST(Audit, AllocatesNothingForLegsAfterWarmUp) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  const Scene scene = make_pile();
  record::HandMadeFrame made(scene, make_turning_pile(scene));
  for (int i = 1; i <= 20; ++i)
    made.press(1e-3 * i, 1e-3 * i + 5e-3, static_cast<BodyId>(i), BodyId{0}, {Vec3(0, 0, 0.1)});
  expect_no_allocations(scene, made.finish(0.03));
}

}  // namespace
}  // namespace carom::audit
