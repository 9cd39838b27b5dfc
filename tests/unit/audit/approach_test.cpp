#include "carom/audit/approach.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "carom/base/random.h"
#include "support/motion.h"
#include "unit/audit/small_scenes.h"

namespace carom::audit {
namespace {

using geometry::Box;
using geometry::Plane;
using geometry::Shape;
using geometry::Sphere;

Vec3 draw_vector(base::Random& random, double size) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

// A body in free flight, tumbling as Euler's equations have it, or driven at a steady spin.
struct Flyer {
  Body body;
  Solid solid;
  RigidMotion motion;
  BodyState start, end;

  Flyer(const Shape& shape, model::Motion kind, double duration, base::Random& random)
      : body(make_body(shape, kind)), solid(make_solid(body.shapes[0])) {
    start = {draw_vector(random, 1.5), math::quat_exp(draw_vector(random, 2)),
             draw_vector(random, 2), draw_vector(random, 5)};
    motion = {start.x, start.v, draw_vector(random, 5), math::SteadySpin{start.q, start.w}};
    if (body.is_dynamic()) motion.rotation = math::FreeTop(body.principal, start.q, start.w);
    if (!body.is_dynamic()) motion.a.setZero();
    come_to_end(duration);
  }

  void come_to_end(double duration) {
    const Twist last = support::twist_at(motion, duration);
    const Pose pose = math::pose_at(motion, duration);
    end = {pose.p, pose.q, last.v, last.w};
  }

  // From where it starts to anywhere, under forces that vary.
  void be_pushed_about(double duration, base::Random& random) {
    const Quat turn = math::quat_exp(draw_vector(random, 6 * duration));
    const math::MotionEnd last{{start.x + draw_vector(random, 3 * duration), turn * start.q},
                               {draw_vector(random, 2), draw_vector(random, 5)},
                               {draw_vector(random, 30), draw_vector(random, 30)}};
    const Twist first_A{draw_vector(random, 30), draw_vector(random, 30)};
    motion = math::make_hermite_motion({start.pose(), start.twist(), first_A}, last, duration);
    come_to_end(duration);
  }
};

enum class Pushed { No, Yes };

void expect_bound_holds(const Shape& shape_a, const Shape& shape_b, base::Random& random,
                        Pushed pushed = Pushed::No) {
  const double duration = random.uniform(0.001, 0.3);
  const auto other =
      std::holds_alternative<Plane>(shape_b) ? model::Motion::Driven : model::Motion::Dynamic;
  Flyer a(shape_a, model::Motion::Dynamic, duration, random);
  Flyer b(shape_b, other, duration, random);
  if (pushed == Pushed::Yes) a.be_pushed_about(duration, random);
  if (pushed == Pushed::Yes && b.body.is_dynamic()) b.be_pushed_about(duration, random);
  const BodySegment s_a{a.body, a.motion, a.start, a.end, duration};
  const BodySegment s_b{b.body, b.motion, b.start, b.end, duration};
  const Approach approach{{a.solid, s_a, compute_motion_bounds(s_a)},
                          {b.solid, s_b, compute_motion_bounds(s_b)},
                          duration};
  OverlapFinder finder;
  const auto find = [&](double s) { return finder.find(approach.a.at(s), approach.b.at(s)); };
  const double first = -find(0).depth;
  double least = first;
  for (int i = 0; i <= 100; ++i) least = std::min(least, -find(duration * i / 100).depth);
  const Witness witness{find(duration).direction, duration};
  const bool exact = approach.is_closed_form() || least <= 0;  // else only a lower bound is known
  if (exact) RC_ASSERT(approach.bound_gap(witness, {0, duration}) <= least + 1e-12);
  const Vec3 line = (b.start.x - a.start.x).normalized();
  const double apart = -compute_overlap_along(approach.a.at(0), approach.b.at(0), line);
  if (apart > approach.farthest_move()) RC_ASSERT(least > 0);
}

RC_GTEST_PROP(Approach, BoundsTheGapOfTumblingBoxes, (std::uint64_t seed)) {
  base::Random random(seed);
  expect_bound_holds(Box{Vec3(0.5, 0.3, 0.2)}, Box{Vec3(0.1, 0.6, 0.4)}, random);
}

RC_GTEST_PROP(Approach, BoundsTheGapOfBalls, (std::uint64_t seed)) {
  base::Random random(seed);
  expect_bound_holds(Sphere{0.4}, Sphere{0.3}, random);
}

RC_GTEST_PROP(Approach, BoundsTheGapToAPlaneThatSwings, (std::uint64_t seed)) {
  base::Random random(seed);
  expect_bound_holds(Box{Vec3(0.5, 0.3, 0.2)}, Plane{Vec3(0.6, 0, 0.8), -0.5}, random);
}

RC_GTEST_PROP(Approach, BoundsTheGapOfBoxesUnderVaryingForces, (std::uint64_t seed)) {
  base::Random random(seed);
  expect_bound_holds(Box{Vec3(0.5, 0.3, 0.2)}, Box{Vec3(0.1, 0.6, 0.4)}, random, Pushed::Yes);
}

RC_GTEST_PROP(Approach, BoundsTheGapOfBallsUnderVaryingForces, (std::uint64_t seed)) {
  base::Random random(seed);
  expect_bound_holds(Sphere{0.4}, Sphere{0.3}, random, Pushed::Yes);
}

RC_GTEST_PROP(Approach, BoundsTheGapToAPlaneUnderVaryingForces, (std::uint64_t seed)) {
  base::Random random(seed);
  expect_bound_holds(Box{Vec3(0.5, 0.3, 0.2)}, Plane{Vec3(0.6, 0, 0.8), -0.5}, random, Pushed::Yes);
}

// Over a later part of a tumbling coin's flight, whose surface turns less than the coin does, and
// of a box's that began at another time.
RC_GTEST_PROP(Approach, BoundsTheGapOverPartsOfTwoSegments, (std::uint64_t seed)) {
  base::Random random(seed);
  const double h = random.uniform(0.001, 0.2), since_a = random.uniform(0, 0.1),
               since_b = random.uniform(0, 0.1);
  Flyer a(geometry::Cylinder{0.4, 0.1}, model::Motion::Dynamic, since_a + h + 0.01, random);
  Flyer b(Box{Vec3(0.1, 0.6, 0.4)}, model::Motion::Dynamic, since_b + h, random);
  a.solid.axis = find_axis(a.body, a.solid);
  RC_ASSERT(a.solid.axis.has_value());
  const BodySegment s_a{a.body, a.motion, a.start, a.end, since_a + h + 0.01},
      s_b{b.body, b.motion, b.start, b.end, since_b + h};
  const MotionBounds surface = compute_axis_bounds(s_a, *a.solid.axis);
  const Approach approach{{a.solid, s_a, compute_motion_bounds(s_a), since_a, &surface},
                          {b.solid, s_b, compute_motion_bounds(s_b), since_b},
                          h};
  OverlapFinder finder;
  double least = 1;
  for (int i = 0; i <= 100; ++i) {
    const double s = h * i / 100;
    const PlacedSolid at_a{a.solid, math::pose_at(a.motion, since_a + s)},
        at_b{b.solid, math::pose_at(b.motion, since_b + s)};
    least = std::min(least, -finder.find(at_a, at_b).depth);
  }
  if (least > 0) return;  // then only a lower bound of it is known
  const Vec3 d = finder.find(approach.a.at(h), approach.b.at(h)).direction;
  RC_ASSERT(approach.bound_gap({d, h}, {0, h}) <= least + 1e-9);
  const Vec3 d_A = approach.a.pose(h).q.conjugate() * d, d_B = approach.b.pose(h).q.conjugate() * d;
  RC_ASSERT(!approach.stays_above(least + 1e-9, approach.a, d_A));
  RC_ASSERT(!approach.stays_above(least + 1e-9, approach.b, d_B));
}

// It spins fast about its axis and is turned over slowly: points of its rim move on circles, but
// what it fills does not.
TEST(Approach, KnowsThatACoinSpinningAboutItsAxisStandsStill) {
  const Body coin = make_dynamic(geometry::Cylinder{0.4, 0.1});
  Solid solid = make_solid(coin.shapes[0]);
  solid.axis = find_axis(coin, solid);
  ASSERT_TRUE(solid.axis.has_value());
  const BodyState start{.w = Vec3(0, 0, 300)};
  const RigidMotion motion = make_motion(Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), start.w);
  const BodySegment segment{coin, motion, start, start, 1};
  EXPECT_EQ(compute_axis_bounds(segment, *solid.axis).spin, 0);
  EXPECT_EQ(compute_axis_bounds(segment, *solid.axis).spin_acceleration, 0);
  Body off = coin;
  off.shapes[0].X_BS.p = Vec3(0.1, 0, 0);
  EXPECT_FALSE(find_axis(off, make_solid(off.shapes[0])).has_value());
}

TEST(Solid, SnapsToAFaceThatIsNearAlone) {
  const Solid coin = make_solid(make_dynamic(geometry::Cylinder{0.4, 0.1}).shapes[0]);
  EXPECT_EQ(snap_to_face(coin, Vec3(1e-3, 0, -1).normalized()), -Vec3::UnitZ());
  const Vec3 oblique = Vec3(1, 0, 1).normalized();
  EXPECT_EQ(snap_to_face(coin, oblique), oblique);
  const Solid box = make_solid(make_dynamic(Box{Vec3(1, 2, 3)}).shapes[0]);
  EXPECT_EQ(snap_to_face(box, Vec3(1e-9, 1, 0)), Vec3::UnitY());
}

// Two boxes a nanometre apart, turning as one about the axis between them: a direction that stands
// still loses contact with the faces, one that turns with them proves the gap at once.
TEST(Approach, ProvesTheGapOfFacesThatTurnTogether) {
  const Body body = make_dynamic(Box{Vec3(0.5, 0.5, 0.5)});
  const Solid solid = make_solid(body.shapes[0]);
  const double gap = 1e-9, h = 1e-3, w = 0.01;
  const Vec3 spin(0, 0, w), x_b(1 + gap, 0, 0), v_b = spin.cross(x_b);
  const RigidMotion motion_a = make_motion(Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), spin);
  const RigidMotion motion_b = make_motion(x_b, v_b, spin.cross(v_b), spin);
  const auto state = [](const RigidMotion& m, double s) {
    const Pose pose = math::pose_at(m, s);
    return BodyState{pose.p, pose.q, math::velocity_at(m, s), support::twist_at(m, s).w};
  };
  const BodyState a0 = state(motion_a, 0), a1 = state(motion_a, h);
  const BodyState b0 = state(motion_b, 0), b1 = state(motion_b, h);
  const BodySegment s_a{body, motion_a, a0, a1, h}, s_b{body, motion_b, b0, b1, h};
  const Approach approach{
      {solid, s_a, compute_motion_bounds(s_a)}, {solid, s_b, compute_motion_bounds(s_b)}, h};
  const double bound = approach.bound_gap({a1.q * Vec3::UnitX(), h}, {0, h});
  EXPECT_GT(bound, 0.9 * gap);
  EXPECT_LE(bound, gap + 1e-15);
}

}  // namespace
}  // namespace carom::audit
