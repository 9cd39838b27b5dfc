// Gaps against plain geometry, rates and accelerations against differences of gaps, bounds against
// samples of what they bound.
#include "carom/geometry/feature_pair.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"

namespace carom::geometry {
namespace {

struct Randomly {
  base::Random random;
  double number(double size) { return random.uniform(-size, size); }
  Vec3 vector(double size) { return {number(size), number(size), number(size)}; }
  Quat attitude() { return math::quat_exp(vector(3)); }
  RigidMotion motion(double spin) {
    return {vector(1), vector(2), vector(5), math::SteadySpin{attitude(), vector(spin)}};
  }
  RigidMotion tumbling() {
    const math::PrincipalInertia inertia{{0.4, 0.7, 1}, attitude()};
    return {vector(1), vector(2), vector(5), math::FreeTop(inertia, attitude(), vector(8))};
  }
  PointPlane point_plane() { return {vector(0.5), 0.1, vector(1).normalized(), number(1)}; }
  BallBall ball_ball() { return {vector(0.3), vector(0.3), 0.2, 0.1}; }
};

double gap_at(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b, double s) {
  return compute_gap(pair, kinematics_at(pair, a, b, s)).value;
}

// Fourth-order differences: error h⁴ of the fifth and sixth derivatives.
double rate_by_differences(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b) {
  const double h = 1e-3;
  const auto g = [&](double s) { return gap_at(pair, a, b, s); };
  return (8 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12 * h);
}

double acceleration_by_differences(const FeaturePair& pair, const RigidMotion& a,
                                   const RigidMotion& b, double s) {
  const double h = 1e-3;
  const auto g = [&](double t) { return gap_at(pair, a, b, s + t); };
  return (16 * (g(h) + g(-h)) - (g(2 * h) + g(-2 * h)) - 30 * g(0)) / (12 * h * h);
}

// Central differences of the acceleration, which a test below holds to those of the gap.
double jerk_by_differences(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b,
                           double s) {
  const double h = 1e-4;
  const auto acceleration = [&](double t) {
    return compute_gap(pair, kinematics_at(pair, a, b, t)).acceleration;
  };
  return (acceleration(s + h) - acceleration(s - h)) / (2 * h);
}

TEST(PointPlane, MeasuresTheHeightOfABallOverAPlane) {
  const FeaturePair pair = PointPlane{Vec3::Zero(), 0.5, Vec3::UnitZ(), 1};
  const ContactPoint contact = contact_point(pair, {Vec3(3, 4, 2), Quat::Identity()}, {});
  EXPECT_NEAR(contact.gap, 0.5, 1e-15);
  EXPECT_EQ(contact.normal, Vec3::UnitZ());
  EXPECT_LT((contact.point - Vec3(3, 4, 1.25)).norm(), 1e-15);
}

TEST(PointPlane, TurnsWithThePlane) {
  const FeaturePair pair = PointPlane{Vec3::Zero(), 0, Vec3::UnitX(), 0};
  const Quat quarter(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()));
  const ContactPoint contact =
      contact_point(pair, {Vec3(9, 2, 0), Quat::Identity()}, {Vec3::Zero(), quarter});
  EXPECT_NEAR(contact.gap, 2, 1e-14);
  EXPECT_LT((contact.normal - Vec3::UnitY()).norm(), 1e-15);
}

// Baraff, eq. (34): a bead that slides at 3 m/s on a plane turning at 2 rad/s; χ̈ = -2 Ω v.
TEST(PointPlane, FeelsTheCoriolisTermOfATurningPlane) {
  const FeaturePair pair = PointPlane{Vec3::Zero(), 0, Vec3::UnitY(), 0};
  PairKinematics at;
  at.X_WA.p = Vec3(0.5, 0, 0);
  at.V_A.v = Vec3(3, 1, 0);
  at.V_B.w = Vec3(0, 0, 2);
  EXPECT_NEAR(compute_gap(pair, at).rate, 0, 1e-15);
  EXPECT_NEAR(compute_gap(pair, at).acceleration, -12, 12e-12);
}

TEST(BallBall, MeasuresTheDistanceBetweenSurfaces) {
  const FeaturePair pair = BallBall{Vec3::Zero(), Vec3::Zero(), 0.5, 0.25};
  const ContactPoint contact = contact_point(pair, {Vec3(0, 0, 1), Quat::Identity()}, {});
  EXPECT_NEAR(contact.gap, 0.25, 1e-15);
  EXPECT_EQ(contact.normal, Vec3::UnitZ());
  EXPECT_NEAR(contact.point.z(), 0.375, 1e-15);  // midway between 0.25 and 0.5
}

// Circling at radius r with speed v: the distance stays, so its acceleration is 0 = -v²/r + v²/r.
TEST(BallBall, CountsTheCurvatureOfPassingBy) {
  const FeaturePair pair = BallBall{Vec3::Zero(), Vec3::Zero(), 0.5, 0.5};
  PairKinematics at;
  at.X_WA.p = Vec3(2, 0, 0);
  at.V_A.v = Vec3(0, 3, 0);
  EXPECT_NEAR(compute_gap(pair, at).acceleration, 9.0 / 2, 1e-14);
}

TEST(FeaturePair, RatesAreTheDerivativesOfGaps) {
  Randomly make{base::Random(3)};
  for (int trial = 0; trial < 100; ++trial) {
    const RigidMotion a = make.motion(4), b = make.motion(4);
    for (const FeaturePair& pair :
         {FeaturePair(make.point_plane()), FeaturePair(make.ball_ball())}) {
      if (gap_at(pair, a, b, 0) < 0) continue;  // balls through each other: not smooth
      const double rate = compute_gap(pair, kinematics_at(pair, a, b, 0)).rate;
      EXPECT_NEAR(rate, rate_by_differences(pair, a, b), 1e-7 * (1 + std::abs(rate))) << trial;
    }
  }
}

TEST(FeaturePair, AccelerationsAreTheSecondDerivativesOfGaps) {
  Randomly make{base::Random(4)};
  for (int trial = 0; trial < 200; ++trial) {
    const RigidMotion a = trial % 2 == 0 ? make.motion(4) : make.tumbling();
    const RigidMotion b = make.motion(4);
    for (const FeaturePair& pair :
         {FeaturePair(make.point_plane()), FeaturePair(make.ball_ball())}) {
      if (gap_at(pair, a, b, 0) < 0.1) continue;
      const double found = compute_gap(pair, kinematics_at(pair, a, b, 0)).acceleration;
      EXPECT_NEAR(found, acceleration_by_differences(pair, a, b, 0), 1e-5 * (1 + std::abs(found)))
          << trial;
    }
  }
}

TEST(FeaturePair, BoundsHoldAllAlongTheFlight) {
  Randomly make{base::Random(5)};
  const double duration = 0.7;
  for (int trial = 0; trial < 100; ++trial) {
    const RigidMotion a = trial % 2 == 0 ? make.motion(8) : make.tumbling();
    const RigidMotion b = trial % 3 == 0 ? RigidMotion{make.vector(1)} : make.motion(3);
    for (const FeaturePair& pair :
         {FeaturePair(make.point_plane()), FeaturePair(make.ball_ball())}) {
      const GapBounds bounds = bound_gap(pair, a, b, duration);
      for (double s = 0.01; s < duration - 0.01; s += 0.01) {
        if (gap_at(pair, a, b, s) < 0 && std::holds_alternative<BallBall>(pair)) continue;
        const double curvature = std::abs(acceleration_by_differences(pair, a, b, s));
        ASSERT_LE(curvature, bounds.curvature * (1 + 1e-6) + 1e-6) << trial << " at " << s;
        ASSERT_LE(std::abs(jerk_by_differences(pair, a, b, s)), bounds.jerk * (1 + 1e-6) + 1e-6)
            << trial << " at " << s;
      }
    }
  }
}

TEST(FeaturePair, SpinAboutTheNormalCostsNothing) {
  const FeaturePair corner = PointPlane{Vec3(0.5, 0.5, -0.5), 0, Vec3::UnitZ(), 0};
  const RigidMotion top{Vec3(0, 0, 0.5), Vec3::Zero(), Vec3::Zero(),
                        math::SteadySpin{Quat::Identity(), Vec3(0, 0, 50)}};
  EXPECT_EQ(bound_gap(corner, top, RigidMotion{}, 1).curvature, 0);
}

TEST(PairTable, ServesBallsAndWhatStandsOnPoints) {
  const Shape ball = Sphere{1}, box = Box{Vec3::Ones()}, plane = Plane{Vec3::UnitZ(), 0};
  EXPECT_EQ(pair_method(ball, ball).routine, PairRoutine::BallOnBall);
  for (const Shape& shape : {ball, box, Shape(Capsule{1, 1})}) {
    EXPECT_EQ(pair_method(shape, plane).routine, PairRoutine::PointsOnPlane);
    EXPECT_FALSE(pair_method(shape, plane).swapped);
    EXPECT_EQ(pair_method(plane, shape).routine, PairRoutine::PointsOnPlane);
    EXPECT_TRUE(pair_method(plane, shape).swapped);
  }
  EXPECT_EQ(pair_method(plane, plane).routine, PairRoutine::Ignored);
  EXPECT_EQ(pair_method(Cone{1, 1}, plane).routine, PairRoutine::Unsupported);
}

TEST(PairTable, PutsThePointsWhereTheShapeSitsOnItsBody) {
  const Shape box = Box{Vec3(1, 2, 3)}, plane = Plane{Vec3::UnitZ(), 0.5};
  const Pose on_a{Vec3(0, 0, 10), Quat::Identity()}, on_b{Vec3(0, 0, 2), Quat::Identity()};
  std::vector<FeaturePair> pairs;
  append_feature_pairs(PairRoutine::PointsOnPlane, {box, on_a}, {plane, on_b}, pairs);
  ASSERT_EQ(pairs.size(), 8U);
  double lowest = HUGE_VAL, highest = -HUGE_VAL;
  for (const FeaturePair& pair : pairs) {
    lowest = std::min(lowest, contact_point(pair, {}, {}).gap);
    highest = std::max(highest, contact_point(pair, {}, {}).gap);
  }
  EXPECT_NEAR(lowest, 10 - 3 - 2.5, 1e-14);
  EXPECT_NEAR(highest, 10 + 3 - 2.5, 1e-14);
}

}  // namespace
}  // namespace carom::geometry
