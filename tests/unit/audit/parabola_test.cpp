#include "carom/audit/parabola.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "carom/base/random.h"

namespace carom::audit {
namespace {

Vec3 draw_vector(base::Random& random, double size) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

// Dense sampling: nothing is nearer than what was found.
RC_GTEST_PROP(Parabola, IsNearestToTheOriginWhereItSays, (std::uint64_t seed)) {
  base::Random random(seed);
  const bool falls = random.uniform(0, 1) < 0.5;
  const Parabola path{draw_vector(random, 2), draw_vector(random, 5),
                      falls ? draw_vector(random, 20) : Vec3(Vec3::Zero())};
  const double duration = random.uniform(0.01, 2), s = path.find_nearest_time(duration);
  RC_ASSERT(s >= 0 && s <= duration);
  for (int i = 0; i <= 2000; ++i)
    RC_ASSERT(path.at(s).norm() <= path.at(duration * i / 2000).norm() + 1e-14);
}

RC_GTEST_PROP(Parabola, IsNowhereLowerThanItSays, (std::uint64_t seed)) {
  base::Random random(seed);
  const Parabola path{draw_vector(random, 2), draw_vector(random, 5), draw_vector(random, 20)};
  const Vec3 up = draw_vector(random, 1).normalized();
  const double duration = random.uniform(0.01, 2), least = path.find_least_height(up, duration);
  double sampled = up.dot(path.x);
  for (int i = 0; i <= 2000; ++i) sampled = std::min(sampled, up.dot(path.at(duration * i / 2000)));
  RC_ASSERT(least <= sampled + 1e-13);
  RC_ASSERT(least >= sampled - 20 * duration * duration / 2000 / 2000 * 4);
}

// Past the origin, at rest there, and away from it.
TEST(Parabola, IsNearestWithoutAcceleration) {
  const Vec3 zero = Vec3::Zero();
  EXPECT_EQ((Parabola{Vec3(-2, 1, 0), Vec3(4, 0, 0), zero}.find_nearest_time(1)), 0.5);
  EXPECT_EQ((Parabola{Vec3(-2, 1, 0), Vec3(4, 0, 0), zero}.find_nearest_time(0.2)), 0.2);
  EXPECT_EQ((Parabola{Vec3(2, 1, 0), Vec3(4, 0, 0), zero}.find_nearest_time(1)), 0);
  EXPECT_EQ((Parabola{Vec3(2, 1, 0), zero, zero}.find_nearest_time(1)), 0);
}

}  // namespace
}  // namespace carom::audit
