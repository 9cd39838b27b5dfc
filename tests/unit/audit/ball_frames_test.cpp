// Many balls that fly through one another: expected is the deepest overlap of every two, and of
// each with the ground, in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/base/random.h"
#include "unit/audit/audited_frame.h"

namespace carom::audit {
namespace {

struct Cloud {
  Vec3 gravity = Vec3::Zero();
  double size = 1;       // m; of the cube in which they start
  double radius = 0.03;  // m
  double speed = 1;      // m/s
  double spread = 1;     // the greatest radius beside the least
  double duration = 1;   // s
  std::uint64_t seed = 1;
};

Scene make_cloud(const Cloud& cloud) {
  base::Random random(cloud.seed);
  const auto within = [&](double most) {
    const double x = random.uniform(-most, most), y = random.uniform(-most, most);
    return Vec3(x, y, random.uniform(-most, most));
  };
  Scene scene = make_scene(cloud.gravity);
  add(scene, make_ground(), {});
  for (int i = 0; i < 300; ++i) {
    const double r = cloud.radius * std::pow(cloud.spread, random.uniform());
    const Vec3 x = within(cloud.size) + Vec3(0, 0, 3 * cloud.size);
    add(scene, make_dynamic(geometry::Sphere{r}), {.x = x, .v = within(cloud.speed)});
  }
  scene.initial[7].v *= 100;  // one that comes far
  return scene;
}

double radius_of(const Body& body) {
  return std::get<geometry::Sphere>(body.shapes[0].shape).radius;
}

// On a straight line beside each other, whatever pulls both; above the ground lowest at an end, or
// where the parabola turns.
double find_deepest(const Scene& scene, double duration) {
  double deepest = 0;
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const auto& a = scene.initial[i];
    const double r = radius_of(scene.bodies[i]), g = scene.gravity.z();
    for (const double s : {0.0, duration, std::clamp(-a.v.z() / g, 0.0, duration)})
      if (std::isfinite(s)) deepest = std::max(deepest, r - a.x.z() - s * (a.v.z() + g * s / 2));
    for (std::size_t j = 1; j < i; ++j) {
      const Vec3 x = scene.initial[j].x - a.x, v = scene.initial[j].v - a.v;
      const double s = std::clamp(-x.dot(v) / v.squaredNorm(), 0.0, duration);
      deepest = std::max(deepest, r + radius_of(scene.bodies[j]) - (x + s * v).norm());
    }
  }
  return deepest;
}

void expect_deepest(const Cloud& cloud) {
  Audited run(make_cloud(cloud));
  const double expected = find_deepest(run.scene, cloud.duration);
  EXPECT_NEAR(run.finish(cloud.duration).max_penetration, expected, 1e-12) << cloud.seed;
}

TEST(BallFrames, FindTheDeepestOverlapOfManyBalls) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    expect_deepest({.radius = 0.001, .seed = seed});  // few meet at all
    expect_deepest({.radius = 0.001, .spread = 30, .seed = seed});
    expect_deepest({.radius = 0.001, .speed = 0.01, .duration = 1e-3, .seed = seed});
    expect_deepest({.radius = 0.003, .duration = 5, .seed = seed});
  }
}

TEST(BallFrames, FindWhoSinksIntoTheGround) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    expect_deepest({.gravity = Vec3(0, 0, -9.81), .radius = 1e-4, .duration = 0.9, .seed = seed});
}

// A collision that comes late: how deep they are then, by hand. Others are far away.
TEST(BallFrames, FindACollisionThatComesLate) {
  Scene scene = make_scene();
  for (int i = 0; i < 200; ++i)
    add(scene, make_dynamic(geometry::Sphere{0.5}), {.x = Vec3(3 * i, 50, 0), .v = Vec3(0, 1, 0)});
  add(scene, make_dynamic(geometry::Sphere{0.5}), {.x = Vec3(-2, 0, 0), .v = Vec3(1, 0, 0)});
  add(scene, make_dynamic(geometry::Sphere{0.5}), {.x = Vec3(2, 0, 0), .v = Vec3(-1, 0, 0)});
  Audited run(scene);
  const double late = 1e-7;
  run.frame.collide(1.5 + late, BodyId{200}, BodyId{201}, Vec3::Zero(),
                    {.impulse = Vec3(-2, 0, 0)});
  const auto result = run.finish(4);
  EXPECT_NEAR(result.max_penetration, 2 * late, 1e-12);
  expect_balanced(result, 1e-10);
}

}  // namespace
}  // namespace carom::audit
