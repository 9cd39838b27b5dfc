#include "carom/contact/separation.h"

#include <gtest/gtest.h>

#include "support/numbered.h"
#include "support/scenes.h"

namespace carom::contact {
namespace {

Separation push_apart(const support::SceneParts& parts) {
  base::Workers workers(1);
  return separate(support::build(parts), workers);
}

TEST(Separation, LeavesAloneWhatIsApartOrTouches) {
  const Separation result =
      push_apart({.bodies = {support::make_ground(), support::make_ball("a", 1, Vec3(0, 0, 1)),
                             support::make_ball("b", 1, Vec3(2, 0, 1))}});
  EXPECT_FALSE(result.left);
  for (const Vec3& shift : result.shifts) EXPECT_TRUE(shift.isZero(0));
}

// Three balls in line that overlap by 0.3 each: least squares of the shifts is symmetric.
TEST(Separation, MovesAsLittleAsPossible) {
  const Separation result = push_apart({.bodies = {support::make_ball("a", 1, Vec3(0, 0, 0)),
                                                   support::make_ball("b", 1, Vec3(1.7, 0, 0)),
                                                   support::make_ball("c", 1, Vec3(3.4, 0, 0))}});
  EXPECT_FALSE(result.left);
  EXPECT_NEAR(result.shifts[0].x(), -0.3, 1e-8);
  EXPECT_NEAR(result.shifts[1].x(), 0, 1e-8);
  EXPECT_NEAR(result.shifts[2].x(), 0.3, 1e-8);
}

// What one pair is moved by makes the next overlap, down to a fixed wall.
TEST(Separation, FollowsOverlapsThatItMakes) {
  support::SceneParts parts{.bodies = {support::make_plane("wall", Vec3::UnitX())}};
  for (int i = 0; i < 10; ++i)
    parts.bodies.push_back(support::make_ball(support::numbered("b", i), 1, Vec3(1 + 2 * i, 0, 0)));
  parts.bodies[1].position.x() = 0.5;  // in the wall, and when out in the others
  const Separation result = push_apart(parts);
  EXPECT_FALSE(result.left);
  EXPECT_NEAR(result.shifts[1].x(), 0.5, 1e-7);
  for (std::size_t i = 2; i < 11; ++i) EXPECT_NEAR(result.shifts[i].norm(), 0, 1e-7);
  parts.bodies[2].position.x() = 1.5;  // now all of them have to give way
  const Separation pushed = push_apart(parts);
  EXPECT_FALSE(pushed.left);
  EXPECT_NEAR(pushed.shifts[2].x(), 1.5, 1e-6);
}

TEST(Separation, SaysWhatItCannotOpen) {
  const Separation result = push_apart(
      {.bodies = {support::make_ground(), support::make_plane("lid", -Vec3::UnitZ(), -0.9),
                  support::make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))}});
  ASSERT_TRUE(result.left);
  EXPECT_GT(result.left->depth, 0.04);
}

}  // namespace
}  // namespace carom::contact
