#include "carom/audit/gap_path.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/audit/approach.h"
#include "carom/base/random.h"
#include "carom/math/rotation.h"
#include "support/motion.h"
#include "unit/audit/small_scenes.h"

namespace carom::audit {
namespace {

using geometry::Shape;

Vec3 draw_vector(base::Random& random, double size) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

// A body on one segment: under a constant force and torque, as methods that carry contacts have it.
struct Mover {
  Body body;
  Solid solid;
  RigidMotion motion;
  BodyState start, end;
  double duration;

  Mover(const Shape& shape, const BodyState& from, const Vec3& a, const Vec3& torque, double h)
      : body(make_dynamic(shape)), solid(make_solid(body.shapes[0])), start(from), duration(h) {
    motion = {start.x, start.v, a, math::TorquedTop(body.principal, start.q, start.w, torque)};
    const Twist last = support::twist_at(motion, h);
    const Pose pose = math::pose_at(motion, h);
    end = {pose.p, pose.q, last.v, last.w};
  }
  BodySegment segment() const { return {body, motion, start, end, duration}; }
};

struct Ground {
  Body body = make_ground();
  Solid solid = make_solid(body.shapes[0]);
  RigidMotion motion = make_motion(Vec3::Zero());
  BodyState state;
};

Shape draw_shape(base::Random& random) {
  const double r = random.uniform(0.1, 0.4), length = random.uniform(0.1, 0.6);
  switch (static_cast<int>(random.uniform(0, 6))) {
    case 0:
      return geometry::Sphere{r};
    case 1:
      return geometry::Box{Vec3(r, length, 0.3)};
    case 2:
      return geometry::Capsule{r, length};
    case 3:
      return geometry::Cylinder{r, length};
    case 4:
      return geometry::Cone{r, length};
    default:
      return geometry::Ellipsoid{Vec3(r, length, 0.3)};
  }
}

Mover draw_mover(base::Random& random, double h) {
  const BodyState from{draw_vector(random, 1), math::quat_exp(draw_vector(random, 2)),
                       draw_vector(random, 1), draw_vector(random, 5)};
  return {draw_shape(random), from, draw_vector(random, 10), draw_vector(random, 0.5), h};
}

struct DrawnPair {
  double h;
  Mover first, second;
  BodySegment s_a, s_b;
  Approach approach;

  explicit DrawnPair(base::Random& random)
      : h(random.uniform(0.001, 0.05)),
        first(draw_mover(random, h)),
        second(draw_mover(random, h)),
        s_a(first.segment()),
        s_b(second.segment()),
        approach{{first.solid, s_a, compute_motion_bounds(s_a)},
                 {second.solid, s_b, compute_motion_bounds(s_b)},
                 h} {}
  double gap_along(double s, const Vec3& d) const {
    return -compute_overlap_along(approach.a.at(s), approach.b.at(s), d);
  }
};

// Dense sampling of the same gap along the same direction.
RC_GTEST_PROP(GapPath, BoundsTheGapAlongADirectionThatTurnsWithABody, (std::uint64_t seed)) {
  base::Random random(seed);
  const DrawnPair pair(random);
  const GapPath path = pair.approach.path_of_b({0, pair.h});
  const Vec3 d = draw_vector(random, 1).normalized();
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= 200; ++i) {
    const double s = pair.h * i / 200;
    least = std::min(least, pair.gap_along(s, pair.approach.a.pose(s).q * d));
  }
  RC_ASSERT(path.bound_along(d, std::numeric_limits<double>::infinity()).least <= least + 1e-13);
  RC_ASSERT(path.bound_along(d, least + 1e-12).least <= least + 1e-12);
}

// Along directions that were drawn for four instants, and the cubic through them.
RC_GTEST_PROP(GapPath, BoundsTheGapAlongACubicOfDirections, (std::uint64_t seed)) {
  base::Random random(seed);
  const DrawnPair pair(random);
  const GapPath path = pair.approach.path_of_b({0, pair.h});
  const Vec3 first = draw_vector(random, 1).normalized();
  Directions d;
  for (Vec3& each : d) each = (first + draw_vector(random, 0.01)).normalized();
  const Cubic<Vec3> directions(d);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= 200; ++i) {
    const double u = i / 200.0, s = pair.h * u;
    least = std::min(least,
                     pair.gap_along(s, pair.approach.a.pose(s).q * directions.at(u).normalized()));
  }
  RC_ASSERT(path.bound_along(d, least + 1e-9).least < least + 1e-9);
}

// The stray is what a cubic may be off by: twenty points between the instants.
RC_GTEST_PROP(GapPath, DoesNotStrayFartherThanItSays, (std::uint64_t seed)) {
  base::Random random(seed);
  const DrawnPair pair(random);
  const GapPath path = pair.approach.path_of_b({0, pair.h});
  const auto seen = [&](double s) -> Vec3 {
    const Vec3 point = pair.second.solid.core.empty() ? Vec3(0, 0, pair.second.solid.radius)
                                                      : pair.second.solid.core[0];
    return pair.approach.a.pose(s).inverse() * (pair.approach.b.at(s).X_WS * point);
  };
  std::array<Vec3, 4> at;
  for (std::size_t i = 0; i < 4; ++i) at[i] = seen(path.instant(i));
  const Cubic<Vec3> cubic(at);
  for (int i = 0; i <= 20; ++i) {
    const double off = (cubic.at(i / 20.0) - seen(pair.h * i / 20)).norm();
    RC_ASSERT(off <= path.stray() + 1e-14);
  }
}

// On the ground, touching it or sunk by a hair, and turning at 30 rad/s about what touches it: the
// gap stays, and four instants of a step of 1 ms prove that to 1e-9 of the size.
void expect_proven(const Shape& shape, const BodyState& start, const Vec3& a) {
  const double h = 1e-3, size = 0.1;
  const Ground ground;
  const Mover body(shape, start, a, Vec3::Zero(), h);
  const BodySegment s_a{ground.body, ground.motion, ground.state, ground.state, h},
      s_b = body.segment();
  const Approach approach{
      {ground.solid, s_a, {}}, {body.solid, s_b, compute_motion_bounds(s_b)}, h};
  EXPECT_TRUE(approach.stays_above(-1e-9 * size, approach.a, Vec3::UnitZ()));
  EXPECT_FALSE(approach.stays_above(1e-9 * size, approach.a, Vec3::UnitZ()));
}

TEST(GapPath, ProvesWhatRollsOnTheGround) {
  const BodyState lying{.x = Vec3(0, 0, 0.1),
                        .q = math::quat_exp(Vec3(M_PI / 2, 0, 0)),
                        .v = Vec3(3, 0, 0),
                        .w = Vec3(0, 30, 0)};
  expect_proven(geometry::Sphere{0.1}, lying, Vec3::Zero());
  expect_proven(geometry::Capsule{0.1, 0.2}, lying, Vec3::Zero());
  expect_proven(geometry::Cylinder{0.1, 0.2}, lying, Vec3::Zero());
}

// A cube on its corner, spinning about the vertical through it.
TEST(GapPath, ProvesWhatSpinsOnItsCorner) {
  const Quat upright = math::turn_between(Vec3(1, 1, 1).normalized(), Vec3::UnitZ());
  const BodyState standing{.x = Vec3(0, 0, 0.1 * std::sqrt(3)), .q = upright, .w = Vec3(0, 0, 30)};
  expect_proven(geometry::Box{Vec3(0.1, 0.1, 0.1)}, standing, Vec3::Zero());
}

// A drum that dips by 2e-8 of its size in the middle of a flight and is clear at both ends: more
// than is promised, 1e-8, and found to a tenth of that.
TEST(GapPath, DoesNotHideADipFromTheAudit) {
  Scene scene = make_scene();
  scene.method.name = "zeno-free";
  scene.tolerances.length = 0.1;
  add(scene, make_ground(), {});
  const Body drum = make_dynamic(geometry::Cylinder{0.1, 0.2});
  const Quat lying = math::quat_exp(Vec3(M_PI / 2, 0, 0));
  const double h = 1e-3, a = 1, sunk = 2e-9, top = 0.1 - sunk + a * h * h / 8;
  add(scene, drum, {.x = Vec3(0, 0, top), .q = lying, .w = Vec3(0, 30, 0)});
  const RigidMotion motion{Vec3(0, 0, top), Vec3(3, 0, -a * h / 2), Vec3(0, 0, a),
                           math::SteadySpin{lying, Vec3(0, 30, 0)}};
  const auto result = audit_stretch(scene, h, {make_motion(Vec3::Zero()), motion});
  EXPECT_NEAR(result.max_penetration, sunk, 1e-10);
  EXPECT_TRUE(result.exceeds(record::Judged::Penetration));
}

}  // namespace
}  // namespace carom::audit
