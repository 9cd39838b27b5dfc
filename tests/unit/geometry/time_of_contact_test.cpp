// Times of contact of whole shapes against closed forms: from apart, from touch, through rest.
#include "carom/geometry/times/time_of_contact.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "carom/math/rotation.h"
#include "support/contact_wait.h"

namespace carom::geometry {
namespace {

constexpr double kGap = 1e-12, kSlow = 1e-10;

struct Body {
  Convex convex;
  RigidMotion motion;
  Pose X_BS{};
};

Body make_body(const Shape& shape, const Vec3& x, const Vec3& v = Vec3::Zero(),
               const Vec3& a = Vec3::Zero()) {
  return {make_convex(shape), {x, v, a, math::SteadySpin{}}};
}

Shape cube() { return Box{Vec3::Constant(0.5)}; }

std::vector<TouchTime> touches(const Body& a, const Body& b, double duration) {
  TouchSearch search;
  std::vector<TouchTime> out;
  EXPECT_EQ(find_times_of_contact({a.convex, a.X_BS, a.motion}, {b.convex, b.X_BS, b.motion},
                                  {duration, kGap, kSlow, kSlow}, search, out),
            TouchStatus::Complete);
  return out;
}

// The same motion told by its two ends alone.
RigidMotion by_its_ends(const RigidMotion& motion, double duration) {
  const auto end = [&](double s) {
    const math::RotationState turned = math::rotation_at(motion.rotation, s);
    return math::MotionEnd{{position_at(motion, s), turned.q},
                           {velocity_at(motion, s), turned.w},
                           {motion.a, turned.w_rate}};
  };
  return math::make_hermite_motion(end(0), end(duration), duration);
}

double first_impact(const std::vector<TouchTime>& touches) {
  for (const TouchTime& touch : touches) {
    if (touch.rate < -kSlow) return touch.s;
  }
  return HUGE_VAL;
}

TEST(TimesOfContact, OfTwoCubesAreWhenTheGapIsClosed) {
  const auto found = touches(make_body(cube(), Vec3(-1.05, 0, 0), Vec3(10, 0, 0)),
                             make_body(cube(), Vec3::Zero()), 1);
  ASSERT_EQ(found.size(), 4U);
  for (const TouchTime& touch : found) {
    EXPECT_NEAR(touch.s, 0.005, 1e-12);
    EXPECT_NEAR(touch.rate, -10, 1e-12);
    EXPECT_LT((touch.at.normal + Vec3::UnitX()).norm(), 1e-12);
  }
}

// The lower ridge is at √½; the upper bar's lowest edge starts 0.3 above it, crosswise.
TEST(TimesOfContact, OfCrossingEdgesAreThoseOfAFreeFall) {
  Body lower = make_body(Box{Vec3(2, 0.5, 0.5)}, Vec3::Zero());
  Body upper = make_body(Box{Vec3(0.5, 2, 0.5)}, Vec3(0.1, 0.2, std::sqrt(2.0) + 0.3), Vec3::Zero(),
                         Vec3(0, 0, -9.8));
  lower.motion.rotation = math::SteadySpin{math::quat_exp(Vec3(M_PI / 4, 0, 0)), Vec3::Zero()};
  upper.motion.rotation = math::SteadySpin{math::quat_exp(Vec3(0, M_PI / 4, 0)), Vec3::Zero()};
  const auto found = touches(upper, lower, 1);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].s, std::sqrt(2 * 0.3 / 9.8), 1e-12);
  EXPECT_LT((found[0].at.normal - Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_LT((found[0].at.point - Vec3(0.1, 0, std::sqrt(0.5))).norm(), 1e-9);
}

TEST(TimesOfContact, OfAPairThatRestsAndTurnsAreNone) {
  Body bottom = make_body(cube(), Vec3(0, 0, 0.5));
  Body top = make_body(cube(), Vec3(0, 0, 1.5));
  bottom.motion.rotation = math::SteadySpin{Quat::Identity(), Vec3(0, 0, 10)};
  top.motion.rotation = math::SteadySpin{Quat::Identity(), Vec3(0, 0, 20)};
  EXPECT_TRUE(touches(top, bottom, 1.25).empty());
}

// Drumwright, §III: an edge rests and hides the impact of the other edge, if only the first time of
// contact of the pair is seen. The cube turns about its lower right edge, which stays where it is.
TEST(TimesOfContact, SeeTheOtherEdgeOfACubeThatTipsOnABox) {
  const double tilt = 0.3, spin = 2;
  const Quat q0 = math::quat_exp(Vec3(0, tilt, 0));
  const Vec3 corner = q0 * Vec3(0.5, 0, -0.5);
  const Vec3 w(0, -spin, 0);
  const Vec3 lift = -w.cross(w.cross(corner)) + Vec3(0, 0, 1);
  Body cube_on_edge = make_body(cube(), Vec3::Zero());
  cube_on_edge.motion = {-corner, -w.cross(corner), lift, math::SteadySpin{q0, w}};
  const Body floor = make_body(Box{Vec3(5, 5, 1)}, Vec3(0, 0, -1));
  const auto height = [&](double s) {
    const Vec3 x = -corner + s * (-w.cross(corner)) + 0.5 * s * s * lift;
    return (x + math::quat_exp(s * w) * (q0 * Vec3(-0.5, 0, -0.5))).z();
  };
  double low = 0, high = 0.5;
  for (int i = 0; i < 60; ++i) (height(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  EXPECT_NEAR(first_impact(touches(cube_on_edge, floor, 0.5)), low, 1e-10);
  EXPECT_NEAR(first_impact(touches(floor, cube_on_edge, 0.5)), low, 1e-10);
}

TEST(TimesOfContact, OfABallThrownUpFromABoxAreItsReturn) {
  const Body ball = make_body(Sphere{0.3}, Vec3(0.1, 0.2, 0.8), Vec3(0.1, 0, 2), Vec3(0, 0, -10));
  EXPECT_NEAR(first_impact(touches(ball, make_body(cube(), Vec3::Zero()), 1)), 0.4, 1e-12);
}

// A cylinder that rolls without slipping: every point of it moves, its lowest line stays.
TEST(TimesOfContact, OfARollingCylinderAreNone) {
  Body roller = make_body(Cylinder{0.5, 2}, Vec3(0, 0, 0.5), Vec3(1, 0, 0));
  roller.motion.rotation = math::SteadySpin{math::quat_exp(Vec3(M_PI / 2, 0, 0)), Vec3(0, 2, 0)};
  EXPECT_TRUE(touches(roller, make_body(Plane{Vec3::UnitZ(), 0}, Vec3::Zero()), 0.1).empty());
}

// A rod of half length 1 turns at 3 rad/s about its middle, 0.8 above a floor: sin(3 t) = 0.8.
TEST(TimesOfContact, OfATurningRodAreInClosedForm) {
  Body rod = make_body(Box{Vec3(1, 0, 0) + Vec3(0, 1e-3, 0) + Vec3(0, 0, 1e-9)}, Vec3(0, 0, 0.8));
  rod.motion.rotation = math::SteadySpin{Quat::Identity(), Vec3(0, 3, 0)};
  const Body floor = make_body(Box{Vec3(5, 5, 1)}, Vec3(0, 0, -1));
  EXPECT_NEAR(first_impact(touches(rod, floor, 1)), std::asin(0.8) / 3, 1e-8);
}

TEST(TimesOfContact, OfAFallToldByItsEndsAreThoseOfTheFall) {
  Body ball = make_body(Sphere{0.3}, Vec3(0.1, 0.2, 0.8), Vec3(0.1, 0, 2), Vec3(0, 0, -10));
  Body box = make_body(cube(), Vec3(0.1, 0.2, 1), Vec3(1, 0.5, 0), Vec3(0, 0, -10));
  ball.motion = by_its_ends(ball.motion, 1);
  box.motion = by_its_ends(box.motion, 0.5);
  EXPECT_NEAR(first_impact(touches(ball, make_body(cube(), Vec3::Zero()), 1)), 0.4, 1e-12);
  const Body floor = make_body(Plane{Vec3::UnitZ(), 0}, Vec3::Zero());
  EXPECT_NEAR(first_impact(touches(box, floor, 0.5)), std::sqrt(0.1), 1e-12);
}

TEST(TimesOfContact, OfATurningRodToldByItsEndsAreInClosedForm) {
  Body rod = make_body(Box{Vec3(1, 1e-3, 1e-9)}, Vec3(0, 0, 0.8));
  rod.motion.rotation = math::SteadySpin{Quat::Identity(), Vec3(0, 3, 0)};
  rod.motion = by_its_ends(rod.motion, 1);
  const Body floor = make_body(Box{Vec3(5, 5, 1)}, Vec3(0, 0, -1));
  EXPECT_NEAR(first_impact(touches(rod, floor, 1)), std::asin(0.8) / 3, 1e-8);
}

TEST(TimesOfContact, OfABoxThatRestsAndTurnsBetweenTwoStatesAreNone) {
  Body top = make_body(cube(), Vec3(0, 0, 0.5), Vec3(0.3, 0, 0));
  top.motion.rotation = math::SteadySpin{Quat::Identity(), Vec3(0, 0, 10)};
  top.motion = by_its_ends(top.motion, 0.01);
  const Body floor = make_body(Box{Vec3(5, 5, 1)}, Vec3(0, 0, -1));
  EXPECT_TRUE(touches(top, floor, 0.01).empty());
}

// The ridge of a cube that stands on its edge is at √½; a ball of radius 0.3 whose centre passes
// 0.18 beside it touches it when the centre is 0.24 above.
TEST(TimesOfContact, OfABallThatFallsOnAnEdgeAreThoseOfTheFall) {
  Body ridge = make_body(cube(), Vec3::Zero());
  ridge.motion.rotation = math::SteadySpin{math::quat_exp(Vec3(0, M_PI / 4, 0)), Vec3::Zero()};
  const Body ball = make_body(Sphere{0.3}, Vec3(0.18, 0.1, std::sqrt(0.5) + 0.24 + 0.3),
                              Vec3::Zero(), Vec3(0, 0, -9.8));
  const auto found = touches(ball, ridge, 1);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].s, std::sqrt(2 * 0.3 / 9.8), 1e-12);
  EXPECT_NEAR(found[0].rate, -0.8 * std::sqrt(2 * 0.3 * 9.8), 1e-9);
  EXPECT_LT((found[0].at.normal - Vec3(0.6, 0, 0.8)).norm(), 1e-9);
  EXPECT_LT((found[0].at.point - Vec3(0, 0.1, std::sqrt(0.5))).norm(), 1e-9);
}

// A body that turns as a whole about a pivot, along which it may slide: what it touches there it
// touches all the time, but for the sixth power of the angle that a polynomial of degree five
// leaves, some 1e-14 of the lever.
constexpr double kSwing = 0.02;  // s

RigidMotion swinging(const Pose& start, const Vec3& pivot, const Vec3& w, const Vec3& slide) {
  const auto end = [&](double s) {
    const Quat q = math::quat_exp(s * w);
    const Vec3 r = q * (start.p - pivot);
    return math::MotionEnd{{pivot + s * slide + r, q * start.q},
                           {slide + w.cross(r), w},
                           {w.cross(w.cross(r)), Vec3::Zero()}};
  };
  return math::make_hermite_motion(end(0), end(kSwing), kSwing);
}

void expect_rest(const Shape& shape, const Pose& start, const Body& on, const Vec3& pivot,
                 const Vec3& w, const Vec3& slide = Vec3::Zero()) {
  const Body body{make_convex(shape), swinging(start, pivot, w, slide)};
  EXPECT_TRUE(touches(body, on, kSwing).empty());
  EXPECT_TRUE(touches(on, body, kSwing).empty());
}

Quat along(const Vec3& axis) { return math::turn_between(Vec3::UnitZ(), axis); }

TEST(TimesOfContact, OfWhatSwingsAboutAnEdgeAreNone) {
  const Body box = make_body(cube(), Vec3::Zero());
  const Vec3 edge(0.5, 0.1, 0.5), w(0, 2, 0), slide(0, 3, 0);
  const Vec3 n = Vec3(0.6, 0, 0.8), across = Vec3(0.8, 0.3, -0.6).normalized();
  expect_rest(Sphere{0.3}, {edge + 0.3 * n, Quat::Identity()}, box, edge, w, slide);
  const Capsule capsule{0.1, 1};
  expect_rest(capsule, {edge + 0.1 * n + 0.2 * across, along(across)}, box, edge, w, slide);
  expect_rest(capsule, {edge + 0.1 * n, along(Vec3::UnitY())}, box, edge, w);
  const Vec3 up = (n + across).normalized();  // stands on its lower end, leaning
  expect_rest(capsule, {edge + 0.1 * n + 0.5 * up, along(up)}, box, edge, w, slide);
}

TEST(TimesOfContact, OfWhatSwingsAboutACornerAreNone) {
  const Body box = make_body(cube(), Vec3::Zero());
  const Vec3 corner = Vec3::Constant(0.5), n = Vec3(2, 3, 6) / 7, w(1, -2, 0.5);
  const Vec3 across = n.cross(Vec3::UnitX()).normalized(), up = (n + across).normalized();
  expect_rest(Sphere{0.3}, {corner + 0.3 * n, Quat::Identity()}, box, corner, w);
  const Capsule capsule{0.1, 1};
  expect_rest(capsule, {corner + 0.1 * n + 0.2 * across, along(across)}, box, corner, w);
  expect_rest(capsule, {corner + 0.1 * n + 0.5 * up, along(up)}, box, corner, w);
}

TEST(TimesOfContact, OfWhatSwingsAboutARoundBarAreNone) {
  const Body bar = make_body(Capsule{0.2, 2}, Vec3::Zero());
  const Vec3 axis(0, 0, 0.3), w(0, 0, 2), slide(0, 0, 3);
  const Vec3 n(0.6, 0.8, 0), across = Vec3(0.8, -0.6, 0.5).normalized();
  expect_rest(Sphere{0.3}, {axis + 0.5 * n, Quat::Identity()}, bar, axis, w, slide);
  expect_rest(Capsule{0.1, 1}, {axis + 0.3 * n + 0.2 * across, along(across)}, bar, axis, w, slide);
  expect_rest(Capsule{0.1, 1}, {axis + 0.3 * n, Quat::Identity()}, bar, axis, w);
  const Vec3 top(0, 0, 1), up = (Vec3(0.6, 0, 0.8) + Vec3::UnitY()).normalized();
  expect_rest(Capsule{0.1, 1}, {top + 0.3 * Vec3(0.6, 0, 0.8) + 0.5 * up, along(up)}, bar, top,
              Vec3(0.5, 1, 2));
}

// A bar along an edge is thrown off it and falls back: when its axis is as near to the edge as it
// was.
TEST(TimesOfContact, OfARoundBarAlongAnEdgeAreThoseOfItsAxis) {
  const double radius = 0.06, beside = 1e-4, speed = 0.3, gravity = 9.8;
  const double above = std::sqrt(radius * radius - beside * beside);
  Body bar = make_body(Capsule{radius, 0.3}, Vec3(0.5 + beside, 0, 0.5 + above), Vec3(speed, 0, 0),
                       Vec3(0, 0, -gravity));
  bar.motion.rotation = math::SteadySpin{along(Vec3::UnitY()), Vec3::Zero()};
  const auto gap = [&](double s) {
    return std::hypot(beside + speed * s, above - 0.5 * gravity * s * s) - radius;
  };
  double low = 1e-5, high = 1e-3;
  for (int i = 0; i < 60; ++i) (gap(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  EXPECT_NEAR(first_impact(touches(bar, make_body(cube(), Vec3::Zero()), 1e-3)), low, 1e-8);
}

// A wait must end before the first sampled overlap, whatever the motions between the two states.
TEST(TimeToContact, IsNeverTooLongBetweenTwoStates) {
  base::Random random(5);
  const auto vector = [&](double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size),
                random.uniform(-size, size));
  };
  const auto motion = [&](const Vec3& x) {
    const auto end = [&](const Quat& q) {
      return math::MotionEnd{{x + vector(1), q}, {vector(3), vector(2)}, {vector(30), vector(20)}};
    };
    const Quat q = math::quat_exp(vector(3));
    const math::MotionEnd start = end(q);
    return math::make_hermite_motion(start, end(math::quat_exp(vector(1)) * q), 1);
  };
  for (int trial = 0; trial < 300; ++trial) {
    const Shape shape = trial % 2 == 0 ? cube() : Shape(Capsule{0.2, 1});
    const Body a{make_convex(shape), motion(Vec3(2, 0, 0))};
    const Body b{make_convex(trial % 3 == 0 ? Shape(Sphere{0.3}) : cube()), motion(Vec3::Zero())};
    DistanceHint hint;
    const double wait = support::time_to_contact_at_least({a.convex, a.X_BS, a.motion},
                                                          {b.convex, b.X_BS, b.motion}, 1, hint);
    for (double s = 0; s <= wait; s += 1e-3) {
      const Pose X_WA = pose_at(a.motion, s), X_WB = pose_at(b.motion, s);
      const double value = compute_distance({a.convex, X_WA}, {b.convex, X_WB}, hint).value;
      if (s == 0 && value <= 0) break;
      ASSERT_GE(value, -1e-12) << trial << " at " << s;
    }
  }
}

TEST(TimeToContact, IsNeverTooLong) {
  base::Random random(3);
  const auto vector = [&](double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size),
                random.uniform(-size, size));
  };
  const std::vector<Shape> shapes = {Sphere{0.3},     cube(),
                                     Capsule{0.2, 1}, Cylinder{0.3, 0.8},
                                     Cone{0.4, 0.9},  Ellipsoid{Vec3(0.5, 0.2, 0.3)}};
  for (int trial = 0; trial < 300; ++trial) {
    const auto pick = [&] {
      return shapes[static_cast<std::size_t>(
          random.uniform(0, static_cast<double>(shapes.size())))];
    };
    Body a = make_body(pick(), vector(1) + Vec3(2, 0, 0), vector(3), vector(5));
    Body b = make_body(pick(), vector(1), vector(3), vector(5));
    a.motion.rotation = math::SteadySpin{math::quat_exp(vector(3)), vector(10)};
    b.motion.rotation = math::SteadySpin{math::quat_exp(vector(3)), vector(10)};
    DistanceHint hint;
    const double wait = support::time_to_contact_at_least({a.convex, a.X_BS, a.motion},
                                                          {b.convex, b.X_BS, b.motion}, 1, hint);
    for (double s = 0; s <= wait; s += 1e-3) {
      const Pose X_WA = pose_at(a.motion, s), X_WB = pose_at(b.motion, s);
      const double value = compute_distance({a.convex, X_WA}, {b.convex, X_WB}, hint).value;
      if (s == 0 && value <= 0) break;  // they overlap from the start
      ASSERT_GE(value, -1e-12) << trial << " at " << s;
    }
  }
}

}  // namespace
}  // namespace carom::geometry
