// Gaps against plain geometry, rates and accelerations against differences of gaps, bounds against
// samples of what they bound.
#include "carom/geometry/distance/feature_pair.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "carom/geometry/times/gap_bounds.h"

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
  // Between two states of no common motion, so that all derivatives are large.
  RigidMotion hermite(double duration, double turn) {
    const auto end = [&](const Quat& q) {
      return math::MotionEnd{
          {vector(1), q}, {vector(2), vector(turn)}, {vector(5), vector(2 * turn)}};
    };
    const Quat q0 = attitude();
    const math::MotionEnd start = end(q0);
    return math::make_hermite_motion(start, end(math::quat_exp(vector(turn)) * q0), duration);
  }
  PointPlane point_plane() { return {vector(0.5), 0.1, vector(1).normalized(), number(1)}; }
  BallBall ball_ball() { return {vector(0.3), vector(0.3), 0.2, 0.1}; }
  BallEdge ball_edge() { return {vector(0.3), 0.2, vector(0.5), vector(1).normalized(), 0.1}; }
  EdgeEdge edge_edge() {
    return {vector(0.5), vector(1).normalized(), vector(0.5), vector(1).normalized(), 1, 0.2, 0.1};
  }
  RimPlane rim_plane() {
    return {vector(0.5), vector(1).normalized(), 0.2, vector(1).normalized(), number(1)};
  }
  EllipsoidPlane ellipsoid_plane() {
    return {{vector(0.3), attitude()}, {0.3, 0.1, 0.2}, vector(1).normalized(), number(1)};
  }
  Tether tether() { return {vector(0.3), vector(0.3), 2}; }
  std::vector<FeaturePair> every_kind() {
    return {point_plane(), ball_ball(),       ball_edge(), edge_edge(),
            rim_plane(),   ellipsoid_plane(), tether()};
  }
};

// Gaps are not smooth where balls go through each other, edges are parallel or a rim lies flat.
bool is_smooth(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b, double s) {
  const Quat q_a = math::attitude_at(a.rotation, s), q_b = math::attitude_at(b.rotation, s);
  if (const auto* balls = std::get_if<BallBall>(&pair)) {
    return (pose_at(a, s) * balls->p_A - pose_at(b, s) * balls->p_B).norm() > 0.3;
  }
  if (const auto* edge = std::get_if<BallEdge>(&pair)) {
    const Vec3 d = pose_at(a, s) * edge->p_A - pose_at(b, s) * edge->p_B;
    return d.cross(q_b * edge->e_B).norm() > 0.3;
  }
  if (const auto* edges = std::get_if<EdgeEdge>(&pair)) {
    return (q_a * edges->e_A).cross(q_b * edges->e_B).norm() > 0.3;
  }
  if (const auto* rim = std::get_if<RimPlane>(&pair)) {
    return (q_a * rim->e_A).cross(q_b * rim->n_B).norm() > 0.3;
  }
  return true;
}

double gap_at(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b, double s) {
  return compute_gap(pair, kinematics_at(pair, a, b, s)).value;
}

// Fourth-order differences: error h⁴ of the fifth and sixth derivatives.
double rate_by_differences(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b) {
  const double h = 2e-4;
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

// Two bodies on one axle that itself turns: their spins are Ω plus what each turns about it.
struct Axle {
  Quat frame;
  math::SteadySpin a, b;
  HingeStop stop;
};
Axle make_axle(Randomly& make, double rate_a, double rate_b) {
  const Quat frame = make.attitude();
  const Vec3 z = frame * Vec3::UnitZ();
  Axle axle{frame, {make.attitude(), rate_a * z}, {make.attitude(), rate_b * z}, {}};
  axle.stop = {{make.vector(0.3), axle.a.q0.conjugate() * frame},
               {make.vector(0.3), axle.b.q0.conjugate() * frame},
               0.5,
               1.25,
               -1,
               0.4};
  return axle;
}

TEST(HingeStop, MeasuresTheArcThatIsLeft) {
  Randomly make{base::Random(7)};
  const Axle axle = make_axle(make, 3, 1);
  const RigidMotion a{make.vector(1), Vec3::Zero(), Vec3::Zero(), axle.a};
  const RigidMotion b{make.vector(1), Vec3::Zero(), Vec3::Zero(), axle.b};
  for (const double s : {0.0, 0.3, 0.6}) {  // the angle is 2 s, of at most 1.25
    const PairKinematics at = kinematics_at(axle.stop, a, b, s);
    const math::Sample gap = compute_gap(axle.stop, at);
    EXPECT_NEAR(gap.value, 0.4 * (1.25 - 2 * s), 1e-14);
    EXPECT_NEAR(gap.rate, -0.8, 1e-14);
    EXPECT_NEAR(gap.acceleration, 0, 1e-14);
    const ContactPoint contact = contact_point(axle.stop, at.X_WA, at.X_WB);
    EXPECT_NEAR(contact.gap, gap.value, 1e-14);
    const Vec3 from_axis = contact.point - at.X_WA * axle.stop.X_AJ.p;
    EXPECT_NEAR(from_axis.norm(), 0.4, 1e-14);
    EXPECT_NEAR(contact.normal.dot((at.V_A.w - at.V_B.w).cross(from_axis)), -0.8, 1e-14);
  }
}

TEST(HingeStop, TellsAnglesWithinHalfATurnOfTheMiddle) {
  HingeStop stop{{}, {}, 3, 6, -1, 1};
  const Quat turned = math::quat_exp(5.5 * Vec3::UnitZ());
  EXPECT_NEAR(hinge_angle(stop, turned, Quat::Identity()), 5.5, 1e-14);
  stop.middle = 0;
  EXPECT_NEAR(hinge_angle(stop, turned, Quat::Identity()), 5.5 - 2 * M_PI, 1e-14);
}

// A top of which the axis is the hinge's, against the ground: θ̈ and its rate are those of spins.
TEST(HingeStop, BoundsHoldAllAlongTheFlight) {
  Randomly make{base::Random(8)};
  for (int trial = 0; trial < 50; ++trial) {
    const RigidMotion a = trial % 2 == 0 ? make.motion(4) : make.tumbling(), b = make.motion(3);
    const HingeStop stop{
        {make.vector(0.3), make.attitude()}, {make.vector(0.3), make.attitude()}, 0, 1, 1, 0.4};
    const GapBounds bounds = bound_gap(stop, a, b, {0, 0.5});
    for (double s = 0.01; s < 0.49; s += 0.02) {
      const auto rate = [&](double t) { return compute_gap(stop, kinematics_at(a, b, t)).rate; };
      const double h = 1e-4, found = compute_gap(stop, kinematics_at(a, b, s)).acceleration;
      ASSERT_NEAR(found, (rate(s + h) - rate(s - h)) / (2 * h), 1e-4 * (1 + std::abs(found)));
      ASSERT_LE(std::abs(found), bounds.curvature + 1e-9);
      ASSERT_LE(std::abs(jerk_by_differences(stop, a, b, s)), bounds.jerk + 1e-4);
    }
  }
}

TEST(Tether, PullsTogether) {
  const FeaturePair pair = Tether{Vec3::Zero(), Vec3::Zero(), 2};
  const ContactPoint contact = contact_point(pair, {Vec3(0, 0, 2), Quat::Identity()}, {});
  EXPECT_NEAR(contact.gap, 0, 1e-15);
  EXPECT_EQ(contact.normal, -Vec3::UnitZ());
  PairKinematics at;
  at.X_WA.p = Vec3(0, 0, 2);
  at.V_A.v = Vec3(3, 0, -1);  // d̈ = v²/d across
  EXPECT_NEAR(compute_gap(pair, at).rate, 1, 1e-15);
}

TEST(FeaturePair, RatesAreTheDerivativesOfGaps) {
  Randomly make{base::Random(3)};
  for (int trial = 0; trial < 100; ++trial) {
    const RigidMotion a = make.motion(4), b = make.motion(4);
    for (const FeaturePair& pair : make.every_kind()) {
      if (!is_smooth(pair, a, b, 0)) continue;
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
    for (const FeaturePair& pair : make.every_kind()) {
      if (!is_smooth(pair, a, b, 0)) continue;
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
    for (const FeaturePair& pair : make.every_kind()) {
      const GapBounds bounds = bound_gap(pair, a, b, {0, duration});
      for (double s = 0.01; s < duration - 0.01; s += 0.01) {
        if (!is_smooth(pair, a, b, s)) continue;
        const double curvature = std::abs(acceleration_by_differences(pair, a, b, s));
        ASSERT_LE(curvature, bounds.curvature * (1 + 1e-6) + 1e-6) << trial << " at " << s;
        ASSERT_LE(std::abs(jerk_by_differences(pair, a, b, s)), bounds.jerk * (1 + 1e-6) + 1e-6)
            << trial << " at " << s;
      }
    }
  }
}

// Not only with the loose bounds of fast spins: a short flight from slow ones, plane turning.
TEST(FeaturePair, BoundsOfShortFlightsHold) {
  Randomly make{base::Random(6)};
  const double duration = 0.02;
  for (int trial = 0; trial < 300; ++trial) {
    const RigidMotion a = make.motion(0.5), b = make.motion(0.5);
    for (const FeaturePair& pair : make.every_kind()) {
      const GapBounds bounds = bound_gap(pair, a, b, {0, duration});
      for (double s = 0.002; s < 0.019; s += 0.004) {
        if (!is_smooth(pair, a, b, s)) continue;
        const math::Sample gap = compute_gap(pair, kinematics_at(pair, a, b, s));
        ASSERT_LE(std::abs(gap.acceleration), bounds.curvature + 1e-9) << trial;
        ASSERT_LE(std::abs(jerk_by_differences(pair, a, b, s)), bounds.jerk + 1e-6) << trial;
      }
    }
  }
}

TEST(FeaturePair, FollowsAccelerationsBetweenTwoStates) {
  Randomly make{base::Random(7)};
  for (int trial = 0; trial < 100; ++trial) {
    const RigidMotion a = make.hermite(0.5, 1), b = make.hermite(0.5, 0.5);
    for (const FeaturePair& pair : make.every_kind()) {
      if (!is_smooth(pair, a, b, 0.2)) continue;
      const double found = compute_gap(pair, kinematics_at(pair, a, b, 0.2)).acceleration;
      EXPECT_NEAR(found, acceleration_by_differences(pair, a, b, 0.2), 1e-5 * (1 + std::abs(found)))
          << trial;
    }
  }
}

TEST(FeaturePair, BoundsHoldBetweenTwoStates) {
  Randomly make{base::Random(8)};
  for (int trial = 0; trial < 200; ++trial) {
    const double duration = trial % 2 == 0 ? 0.5 : 0.05, start = 0.2 * (trial % 3) * duration;
    const RigidMotion a = make.hermite(duration, trial % 4 == 0 ? 1 : 0.01);
    const RigidMotion b =
        trial % 3 == 0 ? RigidMotion{make.vector(1)} : make.hermite(duration, 0.2);
    for (const FeaturePair& pair : make.every_kind()) {
      const GapBounds bounds = bound_gap(pair, a, b, {start, duration});
      for (double s = start + 1e-3; s < duration - 1e-3; s += 0.01 * duration) {
        if (!is_smooth(pair, a, b, s)) continue;
        const math::Sample gap = compute_gap(pair, kinematics_at(pair, a, b, s));
        ASSERT_LE(std::abs(gap.acceleration), bounds.curvature * (1 + 1e-9)) << trial;
        ASSERT_LE(std::abs(jerk_by_differences(pair, a, b, s)), bounds.jerk * (1 + 1e-6)) << trial;
      }
    }
  }
}

TEST(EdgeEdge, MeasuresTheDistanceOfCrossingLines) {
  const FeaturePair pair = EdgeEdge{Vec3(3, 0, 0), Vec3::UnitX(), Vec3(0, -2, 0), Vec3::UnitY(), 1};
  const ContactPoint contact = contact_point(pair, {Vec3(0, 1, 0.25), Quat::Identity()}, {});
  EXPECT_NEAR(contact.gap, 0.25, 1e-15);
  EXPECT_LT((contact.normal - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((contact.point - Vec3(0, 1, 0.125)).norm(), 1e-15);
}

TEST(EdgeEdge, CountsTheRadiiAboutTheLines) {
  const FeaturePair pair =
      EdgeEdge{Vec3(3, 0, 0), Vec3::UnitX(), Vec3(0, -2, 0), Vec3::UnitY(), 1, 0.5, 0.25};
  const ContactPoint contact = contact_point(pair, {Vec3(0, 1, 1), Quat::Identity()}, {});
  EXPECT_NEAR(contact.gap, 0.25, 1e-15);
  EXPECT_LT((contact.point - Vec3(0, 1, 0.375)).norm(), 1e-15);  // midway between 0.25 and 0.5
}

// The centre is at (3, 4) across the line: 5 from it, whatever it is along.
TEST(BallEdge, MeasuresTheDistanceFromALine) {
  const FeaturePair pair = BallEdge{Vec3::Zero(), 1, Vec3(0, 7, 0), Vec3::UnitY(), 0.5};
  const ContactPoint contact = contact_point(pair, {Vec3(3, 2, 4), Quat::Identity()}, {});
  EXPECT_NEAR(contact.gap, 3.5, 1e-15);
  EXPECT_LT((contact.normal - Vec3(0.6, 0, 0.8)).norm(), 1e-15);
  EXPECT_LT((contact.point - Vec3(0, 2, 0) - 2.25 * contact.normal).norm(), 1e-14);
}

// Along the line nothing changes; across it v²/r, the line that stays.
TEST(BallEdge, CountsTheCurvatureOfPassingBy) {
  const FeaturePair pair = BallEdge{Vec3::Zero(), 0.5, Vec3::Zero(), Vec3::UnitY(), 0};
  PairKinematics at;
  at.X_WA.p = Vec3(0, 1, 2);
  at.V_A.v = Vec3(3, 5, 0);
  EXPECT_NEAR(compute_gap(pair, at).rate, 0, 1e-15);
  EXPECT_NEAR(compute_gap(pair, at).acceleration, 9.0 / 2, 1e-14);
}

TEST(BallEdge, SlidesAlongAnEdgeAtNoCost) {
  const FeaturePair pair = BallEdge{Vec3::Zero(), 0.5, Vec3::Zero(), Vec3::UnitY(), 0};
  const RigidMotion ball{Vec3(0, 0, 0.5), Vec3(0, 3, 0), Vec3::Zero(),
                         math::SteadySpin{Quat::Identity(), Vec3(1, 20, 3)}};
  EXPECT_EQ(bound_gap(pair, ball, RigidMotion{}, {0, 1}).curvature, 0);
  EXPECT_EQ(bound_gap(pair, ball, RigidMotion{}, {0, 1}).jerk, 0);
}

// A coin of radius 0.5 whose axis is tilted by 0.3 from the normal: lowest point r sin 0.3 down.
TEST(RimPlane, MeasuresTheLowestPointOfATiltedCircle) {
  const FeaturePair pair = RimPlane{Vec3::Zero(), Vec3::UnitZ(), 0.5, Vec3::UnitZ(), 0};
  const Quat tilt(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
  const ContactPoint contact = contact_point(pair, {Vec3(0, 0, 1), tilt}, {});
  EXPECT_NEAR(contact.gap, 1 - 0.5 * std::sin(0.3), 1e-15);
  EXPECT_NEAR(contact.point.x(), 0.5 * std::cos(0.3), 1e-15);
  EXPECT_NEAR(contact.point.y(), 0, 1e-15);
}

// The height of an ellipse's centre over a tangent at angle θ: sqrt(a² sin² θ + c² cos² θ).
TEST(EllipsoidPlane, MeasuresTheLowestPointOfATiltedEllipsoid) {
  const FeaturePair pair = EllipsoidPlane{{}, Vec3(3, 2, 1), Vec3::UnitZ(), 0};
  const Quat tilt(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
  const ContactPoint contact = contact_point(pair, {Vec3(0, 0, 5), tilt}, {});
  const double height = std::hypot(3 * std::sin(0.3), std::cos(0.3));
  EXPECT_NEAR(contact.gap, 5 - height, 1e-14);
  EXPECT_NEAR(std::abs(contact.point.x()), 8 * std::sin(0.3) * std::cos(0.3) / height, 1e-14);
}

TEST(FeaturePair, SpinAboutTheNormalCostsNothing) {
  const FeaturePair corner = PointPlane{Vec3(0.5, 0.5, -0.5), 0, Vec3::UnitZ(), 0};
  const RigidMotion top{Vec3(0, 0, 0.5), Vec3::Zero(), Vec3::Zero(),
                        math::SteadySpin{Quat::Identity(), Vec3(0, 0, 50)}};
  EXPECT_EQ(bound_gap(corner, top, RigidMotion{}, {0, 1}).curvature, 0);
  const RigidMotion below{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(),
                          math::SteadySpin{Quat::Identity(), Vec3(0, 0, -20)}};
  EXPECT_EQ(bound_gap(corner, top, below, {0, 1}).curvature, 0);
  EXPECT_EQ(bound_gap(corner, top, below, {0, 1}).jerk, 0);
}

}  // namespace
}  // namespace carom::geometry
