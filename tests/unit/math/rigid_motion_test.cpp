// Motions between two states: against exact tops, against differences, against samples of what is
// bounded.
#include "carom/math/rigid_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/random.h"
#include "support/motion.h"

namespace carom::math {
namespace {

const PrincipalInertia kTop{Vec3(1, 2, 3)};

struct Randomly {
  base::Random random;
  double number(double size) { return random.uniform(-size, size); }
  Vec3 vector(double size) { return {number(size), number(size), number(size)}; }
  MotionEnd end(const Pose& X, double size) {
    return {X, {vector(2), vector(size)}, {vector(9), vector(4 * size)}};
  }
  // Ends that no one motion need have: all derivatives are large between them.
  RigidMotion motion(double duration, double turn) {
    const Pose from{vector(1), quat_exp(vector(3))};
    const Pose to{vector(1), quat_exp(vector(turn)) * from.q};
    return make_hermite_motion(end(from, turn), end(to, turn), duration);
  }
};

double angle_between(const Quat& a, const Quat& b) {
  return 2 * std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
}

// Of sixth order: error d⁶ of the seventh derivative, a hundredth and less.
template <typename Function>
Vec3 rate_by_differences(const Function& f, double s, double d) {
  const Vec3 one = f(s + d) - f(s - d), two = f(s + 2 * d) - f(s - 2 * d),
             three = f(s + 3 * d) - f(s - 3 * d);
  return (45 * one - 9 * two + three) / (60 * d);
}

Vec3 spin_by_differences(const RigidMotion& motion, double s, double d) {
  const Quat back = attitude_at(motion.rotation, s).conjugate();
  const auto turned = [&](double t) {
    const Quat q = attitude_at(motion.rotation, t) * back;
    return Vec3(2 * std::atan2(q.vec().norm(), q.w()) * q.vec().stableNormalized());
  };
  return rate_by_differences(turned, s, d);
}

void expect_same(const MotionEnd& expected, const RigidMotion& motion, double s) {
  const Pose X = pose_at(motion, s);
  const Twist V = support::twist_at(motion, s);
  EXPECT_EQ(X.p, expected.X.p);
  EXPECT_EQ(X.q.coeffs(), expected.X.q.coeffs());
  EXPECT_EQ(V.v, expected.V.v);
  EXPECT_EQ(V.w, expected.V.w);
  EXPECT_EQ(acceleration_at(motion, s), expected.A.v);
  EXPECT_EQ(rotation_at(motion.rotation, s).w_rate, expected.A.w);
}

TEST(HermiteMotion, HasItsEndsToTheLastBit) {
  Randomly make{base::Random(1)};
  for (int trial = 0; trial < 100; ++trial) {
    const MotionEnd start = make.end({make.vector(1), quat_exp(make.vector(3))}, 1);
    const MotionEnd end = make.end({make.vector(1), quat_exp(make.vector(3))}, 1);
    const RigidMotion motion = make_hermite_motion(start, end, 0.3);
    expect_same(start, motion, 0);
    expect_same(end, motion, 0.3);
  }
}

// Rounding in φ''(h), once and again differentiated, is some 1e-13; that of a step of 1e-9 is not.
TEST(HermiteMotion, ComesToItsEndsContinuously) {
  Randomly make{base::Random(2)};
  const double h = 0.3, d = 1e-9;
  for (int trial = 0; trial < 100; ++trial) {
    const RigidMotion motion = make.motion(h, 1.5);
    const RotationState near = rotation_at(motion.rotation, h - d),
                        end = rotation_at(motion.rotation, h);
    const SpinBounds spin = spin_bounds(motion.rotation, h);
    EXPECT_LT(angle_between(near.q, end.q), 2 * spin.speed * d + 1e-14);
    EXPECT_LT((near.w - end.w).norm(), spin.acceleration * d + 1e-12);
    EXPECT_LT((near.w_rate - end.w_rate).norm(), spin.jerk * d + 1e-11);
    EXPECT_LT((position_at(motion, h - d) - motion.end.x).norm(),
              speed_bound(motion, h) * d + 1e-14);
    EXPECT_LT((acceleration_at(motion, h - d) - motion.end.a).norm(),
              jerk_bound(motion, h) * d + 1e-11);
  }
}

TEST(HermiteMotion, HasTheDerivativesOfItsPose) {
  Randomly make{base::Random(3)};
  const double h = 0.5, d = 2e-3;
  for (int trial = 0; trial < 100; ++trial) {
    const RigidMotion motion = make.motion(h, 1.5);
    for (const double s : {0.01, 0.13, 0.26, 0.44}) {
      const RotationState at = rotation_at(motion.rotation, s);
      const auto x = [&](double t) { return position_at(motion, t); };
      const auto v = [&](double t) { return velocity_at(motion, t); };
      const auto w = [&](double t) { return angular_velocity_at(motion.rotation, t); };
      EXPECT_LT((rate_by_differences(x, s, d) - v(s)).norm(), 1e-11);
      EXPECT_LT((rate_by_differences(v, s, d) - acceleration_at(motion, s)).norm(), 1e-10);
      EXPECT_LT((spin_by_differences(motion, s, d) - at.w).norm(), 1e-8 * (1 + at.w.norm()));
      EXPECT_LT((rate_by_differences(w, s, d) - at.w_rate).norm(), 1e-7 * (1 + at.w_rate.norm()));
    }
  }
}

// On both sides of where the series of dexp end, and for turns too small to see.
TEST(HermiteMotion, TurnsAtAConstantRateWhenItsEndsDo) {
  for (const double turn : {0.0, 1e-300, 1e-12, 1e-6, 0.1, 0.999, 1.001, 2.0, 3.1}) {
    const Vec3 w = turn * Vec3(0.6, 0, 0.8);
    const Quat q0 = quat_exp(Vec3(1, 2, 3));
    const RigidMotion motion =
        make_hermite_motion({{Vec3::Zero(), q0}, {Vec3::Zero(), w}, {}},
                            {{Vec3::Zero(), quat_exp(w) * q0}, {Vec3::Zero(), w}, {}}, 1);
    for (const double s : {0.2, 0.5, 0.9}) {
      const RotationState at = rotation_at(motion.rotation, s);
      EXPECT_LT(angle_between(at.q, quat_exp(s * w) * q0), 3e-15);
      EXPECT_LT((at.w - w).norm(), 1e-14);
      EXPECT_LT(at.w_rate.norm(), 1e-13);
    }
    const SpinBounds bounds = spin_bounds(motion.rotation, 1);
    EXPECT_NEAR(bounds.speed, turn, 1e-14);
    EXPECT_LT(bounds.acceleration, 1e-13);
  }
}

TEST(HermiteMotion, IsTheParabolaWhoseEndsItHas) {
  const RigidMotion fall{Vec3(1, 2, 3), Vec3(4, -1, 2), Vec3(0, 0.5, -9.8), SteadySpin{}};
  const auto end = [&](double s) {
    return MotionEnd{pose_at(fall, s), support::twist_at(fall, s), {fall.a, Vec3::Zero()}};
  };
  const RigidMotion motion = make_hermite_motion(end(0), end(0.7), 0.7);
  for (double s = 0; s < 0.7; s += 0.05) {
    EXPECT_LT((position_at(motion, s) - position_at(fall, s)).norm(), 3e-15);
    EXPECT_LT((velocity_at(motion, s) - velocity_at(fall, s)).norm(), 3e-14);
    EXPECT_LT((acceleration_at(motion, s) - fall.a).norm(), 3e-13);
  }
}

// A free top followed by one polynomial: the error in the middle falls with the sixth power.
TEST(HermiteMotion, FollowsATopToTheSixthOrder) {
  const FreeTop top(kTop, quat_exp(Vec3(0.2, 0.1, 0)), Vec3(1, 2, -1));
  const auto error = [&](double h) {
    const HermiteTurn turn(top.at(0), top.at(h), h);
    return angle_between(turn.at(h / 2).q, top.at(h / 2).q);
  };
  EXPECT_NEAR(std::log2(error(0.2) / error(0.1)), 6, 0.2);
}

TEST(HermiteMotion, BoundsHoldAlongTheMotion) {
  Randomly make{base::Random(4)};
  for (int trial = 0; trial < 200; ++trial) {
    const double h = trial % 2 == 0 ? 0.5 : 0.01;
    const RigidMotion motion = make.motion(h, trial % 3 == 0 ? 1.5 : 0.01);
    const double until = trial % 5 == 0 ? 0.6 * h : h;
    const SpinBounds spin = spin_bounds(motion.rotation, until);
    const double speed = speed_bound(motion, until), jerk = jerk_bound(motion, until);
    const double d = 1e-3 * h, slack = 1 + 1e-6;
    for (double s = 3 * d; s < until - 3 * d; s += 0.01 * h) {
      const RotationState at = rotation_at(motion.rotation, s);
      const auto w_rate = [&](double t) { return rotation_at(motion.rotation, t).w_rate; };
      const auto a = [&](double t) { return acceleration_at(motion, t); };
      ASSERT_LE(at.w.norm(), spin.speed * slack);
      ASSERT_LE(at.w_rate.norm(), spin.acceleration * slack);
      ASSERT_LE(rate_by_differences(w_rate, s, d).norm(), spin.jerk * slack);
      ASSERT_LE(velocity_at(motion, s).norm(), speed * slack);
      ASSERT_LE(rate_by_differences(a, s, d).norm(), jerk * slack);
    }
  }
}

// Twice what is reached, at most: for one step of a tumbling body, which is what they are for.
TEST(HermiteMotion, BoundsAreCloseForAShortStep) {
  const FreeTop top(kTop, Quat::Identity(), Vec3(1, 2, -1));
  const double h = 0.02;
  const HermiteTurn turn(top.at(0), top.at(h), h);
  const SpinBounds bounds = turn.bounds(h), exact = top.bounds();
  double speed = 0, acceleration = 0, jerk = 0;
  for (double s = 0.001; s < h - 0.001; s += 0.001) {
    const auto w_rate = [&](double t) { return turn.at(t).w_rate; };
    speed = std::max(speed, turn.at(s).w.norm());
    acceleration = std::max(acceleration, turn.at(s).w_rate.norm());
    jerk = std::max(jerk, rate_by_differences(w_rate, s, 1e-4).norm());
  }
  EXPECT_LT(bounds.speed, 1.01 * speed);
  EXPECT_LT(bounds.acceleration, 1.05 * acceleration);
  EXPECT_LT(bounds.jerk, 2 * jerk);
  EXPECT_LT(bounds.jerk, exact.jerk);
}

}  // namespace
}  // namespace carom::math
