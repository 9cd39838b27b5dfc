// What is tampered with in a motion that was right is found, and what is right passes, whatever the
// scene's size.
#include "carom/audit/limits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/audit/small_scenes.h"

namespace carom::audit {
namespace {

using geometry::Sphere;
using record::Judged;

constexpr double kG = 9.81, kRadius = 0.5, kMass = 2;

// Two balls in free fall, far apart, `size` times as large as usual: lengths by it, times by its
// root.
struct Fall {
  explicit Fall(double size_in) : size(size_in), pace(std::sqrt(size_in)) {
    scene = make_scene({0, 0, -kG});
    add(scene, make_ground(), {});
    for (const double x : {0.0, 5.0})
      add(scene, make_dynamic(Sphere{kRadius * size}, kMass),
          {.x = size * Vec3(x, 0, 20), .v = pace * Vec3(1, 0, 2), .w = Vec3(0, 3, 0) / pace});
    motions.push_back(make_motion(Vec3::Zero()));
    for (int i = 1; i <= 2; ++i)
      motions.push_back(
          make_motion(scene.initial[i].x, scene.initial[i].v, scene.gravity, scene.initial[i].w));
  }
  record::AuditResult judge(double duration = 0.1) {
    return audit_stretch(scene, duration * pace, motions);
  }

  double size, pace;
  Scene scene;
  std::vector<RigidMotion> motions;
};

constexpr double kSizes[] = {1e-3, 1, 1e3};

TEST(Verdict, OfAFreeFallIsThatItPasses) {
  for (const double size : kSizes) EXPECT_TRUE(Fall(size).judge().passed()) << size;
}

// A part in a hundred million of the speed.
TEST(Verdict, FindsEnergyAndMomentumOutOfNothing) {
  for (const double size : kSizes) {
    Fall fall(size);
    fall.motions[1].v0 *= 1 + 1e-8;
    const auto result = fall.judge();
    EXPECT_TRUE(result.exceeds(Judged::EnergyGain)) << size;
    EXPECT_TRUE(result.exceeds(Judged::EnergyLedger)) << size;
    EXPECT_TRUE(result.exceeds(Judged::Momentum)) << size;
    EXPECT_FALSE(result.exceeds(Judged::Penetration)) << size;
    EXPECT_FALSE(result.passed()) << size;
  }
}

TEST(Verdict, FindsASpinThatNothingTurned) {
  for (const double size : kSizes) {
    Fall fall(size);
    fall.motions[2].rotation = math::SteadySpin{Quat::Identity(), Vec3(3, 0, 0) / fall.pace};
    const auto result = fall.judge();
    EXPECT_TRUE(result.exceeds(Judged::AngularMomentum)) << size;
    EXPECT_FALSE(result.exceeds(Judged::EnergyGain)) << size;
    EXPECT_FALSE(result.exceeds(Judged::Momentum)) << size;
  }
}

TEST(Verdict, FindsAnOverlapOfAMillionthOfABody) {
  for (const double size : kSizes) {
    Fall fall(size);
    fall.motions[1].x0.z() = fall.motions[2].x0.z();
    fall.motions[2].x0.x() = fall.motions[1].x0.x() + 2 * kRadius * size * (1 - 1e-6);
    EXPECT_TRUE(fall.judge().exceeds(Judged::Penetration)) << size;
  }
}

TEST(Verdict, FindsAnOpenJoint) {
  for (const double size : kSizes) {
    Fall fall(size);
    model::Joint joint;
    joint.type = model::JointType::Ball;
    joint.a = BodyId{1};
    joint.b = BodyId{2};
    joint.X_AJ.p = size * Vec3(2.5, 0, 0);
    joint.X_BJ.p = size * Vec3(-2.5, 0, 0);
    fall.scene.joints.push_back(joint);
    fall.motions[1].rotation = fall.motions[2].rotation = math::SteadySpin{};
    fall.scene.initial[1].w = fall.scene.initial[2].w = Vec3::Zero();
    EXPECT_TRUE(fall.judge().passed()) << size;
    fall.motions[2].x0.y() += 1e-3 * size;
    EXPECT_TRUE(fall.judge().exceeds(Judged::JointGap)) << size;
    fall.motions[2].x0.y() -= 1e-3 * size;
    fall.scene.joints[0].type = model::JointType::Fixed;
    fall.motions[2].rotation = math::SteadySpin{math::quat_exp(Vec3(1e-3, 0, 0)), Vec3::Zero()};
    EXPECT_TRUE(fall.judge().exceeds(Judged::JointTurn)) << size;
  }
}

// Two driven bodies squeeze a ball that has half a millijoule with 10⁹/3 N: they put in 3·10⁵ J a
// second each, all of which the contacts take. An error of a double's last digit in 7·10⁴ J is
// 10⁻¹¹ J.
TEST(Verdict, PassesRoundOffOfWorkThatGoesAsItComes) {
  Scene scene = make_scene();
  add(scene, make_dynamic(Sphere{0.1}, 1), {.v = {0, 0.0314, 0}});
  for (const double side : {-1.0, 1.0})
    add(scene, make_driven(Sphere{0.1}), {.x = {side, 0, 0}, .v = {-1e-3 * side, 0, 0}});
  std::vector<RigidMotion> motions;
  for (const model::InitialMotion& at : scene.initial) motions.push_back(make_motion(at.x, at.v));
  const Vec3 force(1e9 / 3, 0, 0), point(0, 1.57e-3, 0);
  const auto squeeze = [&](const Vec3& more) {
    return audit_stretch(scene, 0.1, motions,
                         {{BodyId{0}, BodyId{1}, point, force + more, Vec3::Zero()},
                          {BodyId{0}, BodyId{2}, point, -force, Vec3::Zero()}});
  };
  EXPECT_TRUE(squeeze(Vec3::Zero()).passed());
  EXPECT_TRUE(squeeze(Vec3(0, 1, 0)).exceeds(Judged::EnergyLedger));
}

TEST(Verdict, FailsWhatIsNotANumber) {
  Fall fall(1);
  fall.motions[1].v0.x() = std::nan("");
  EXPECT_FALSE(fall.judge().passed());
}

TEST(Verdict, TakesLimitsThatAreTolerated) {
  Fall fall(1);
  fall.motions[1].x0.z() -= 20;  // as deep as its radius
  Audit audit;
  audit.begin(fall.scene);
  const Flight flight{0, 1e-3, fall.motions};
  audit.segment({flight, {}});
  record::JudgedNumbers tolerated = record::kAsPromised;
  tolerated[Judged::Penetration] = 0.6;
  EXPECT_TRUE(audit.result().exceeds(Judged::Penetration));
  EXPECT_FALSE(audit.result(tolerated).exceeds(Judged::Penetration));
  tolerated[Judged::Penetration] = 0.4;
  EXPECT_TRUE(audit.result(tolerated).exceeds(Judged::Penetration));
  tolerated.fill(record::kNoLimit);
  EXPECT_TRUE(audit.result(tolerated).passed());
}

// h² ω² r of time-stepping, which moves corners along lines.
TEST(Limits, LetTimeSteppingCutTheArcsOfCorners) {
  Fall fall(1);
  const double strict = fall.judge().limits[Judged::Penetration];
  fall.scene.method.name = "time-stepping";
  EXPECT_NEAR(fall.judge(0.1).limits[Judged::Penetration] - strict, 0.01 * 9 * kRadius, 1e-9);
}

TEST(Limits, OfMicrocollisionAllowTenHopsOfEveryBody) {
  Fall fall(1);
  for (Body& body : fall.scene.bodies) body.radius = kRadius;
  const double strict = fall.judge().limits[Judged::EnergyGain];
  fall.scene.method.name = "microcollision";
  fall.scene.method.options["epsilon"] = 1e-3;
  const double hop = 2 * kMass * kG * 1e-3 * 2 * kRadius;
  EXPECT_NEAR(fall.judge().limits[Judged::EnergyGain] - strict, 10 * hop, 1e-12);
}

TEST(Limits, FollowTheToleranceOfMethodsThatControlTheirError) {
  Fall fall(1);
  fall.scene.method.name = "analytic";
  fall.scene.method.options["tolerance"] = 1e-6;
  const double loose = fall.judge().limits[Judged::Momentum];
  fall.scene.method.options["tolerance"] = 1e-9;
  EXPECT_NEAR(loose / fall.judge().limits[Judged::Momentum], 1000, 1e-6);
}

// A ball at rest without weight has no energy of its own to be measured by: what is driven gives it
// one, and a plane that turns, however large it is, no more than its speed.
TEST(Limits, GoByWhatIsDrivenWhereNothingElseMoves) {
  for (const double spin : {0.0, 2.0}) {
    Scene scene = make_scene(Vec3::Zero());
    Body plane = make_ground();
    plane.motion = model::Motion::Driven;
    plane.radius = HUGE_VAL;
    add(scene, plane, {.v = Vec3(0, 0, 0.1), .w = Vec3(0, 0, spin)});
    add(scene, make_dynamic(Sphere{kRadius}, kMass), {.x = Vec3(0, 0, 1)});
    ScaleWatch watch;
    watch.begin(scene, std::vector<double>{0, kRadius});
    watch.see(dynamics::make_initial_state(scene));
    EXPECT_DOUBLE_EQ(watch.scales.energy, kMass * 0.1 * 0.1);
    EXPECT_DOUBLE_EQ(watch.scales.momentum, kMass * 0.1);
  }
}

}  // namespace
}  // namespace carom::audit
