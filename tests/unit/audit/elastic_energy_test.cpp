#include "carom/audit/elastic_energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/audit/audited_frame.h"

namespace carom::audit {
namespace {

using geometry::Box;
using geometry::Ellipsoid;
using geometry::Sphere;

constexpr double kYoung = 2e9, kPoisson = 0.25;
constexpr double kStiffness = kYoung / (1 - kPoisson * kPoisson) / 2;  // (8), (9)

Scene make_elastic_scene() {
  Scene scene = make_scene();
  scene.method.name = "elastic";
  scene.materials = {{.youngs_modulus = kYoung, .poissons_ratio = kPoisson}};
  scene.pairs = model::PairTable(1);
  return scene;
}

EnergyRange find(const Scene& scene) {
  PenetrationWatch watch;
  watch.begin(scene);
  ElasticEnergy springs;
  springs.begin(scene, watch);
  return springs.find(initial_state(scene), watch);
}

double hertz(double radius, double depth) {
  return 8.0 / 15 * kStiffness * std::sqrt(radius) * std::pow(depth, 2.5);
}

TEST(ElasticEnergy, OfBallsIsThatOfHertz) {
  Scene scene = make_elastic_scene();
  add(scene, make_dynamic(Sphere{0.1}), {});
  add(scene, make_dynamic(Sphere{0.3}), {.x = Vec3(0.4 - 1e-4, 0, 0)});
  add(scene, make_fixed(Box{Vec3(0.05, 1, 1)}), {.x = Vec3(0, 0, -1.1 + 1e-5)});
  const double expected = hertz(0.075, 1e-4) + hertz(0.1, 1e-5);
  EXPECT_NEAR(find(scene).least, expected, 1e-6 * expected);
  EXPECT_EQ(find(scene).most, find(scene).least);
}

TEST(ElasticEnergy, OfABoxOverAPlaneIsThatOfItsCorners) {
  Scene scene = make_elastic_scene();
  const Box box{Vec3(0.1, 0.2, 0.3)};
  const double tilt = 1e-4;
  add(scene, make_ground(), {});
  add(scene, make_dynamic(box),
      {.x = Vec3(0, 0, 0.3 - 5e-5), .q = math::quat_exp(Vec3(0, tilt, 0))});
  double expected = 0;
  for (const double x : {-0.1, 0.1}) {
    const double depth = 5e-5 - 0.3 + 0.3 * std::cos(tilt) + x * std::sin(tilt);
    if (depth > 0) expected += 2 * 0.5 * kStiffness * box.half.norm() * depth * depth;
  }
  EXPECT_NEAR(find(scene).least, expected, 1e-9 * expected);
  EXPECT_EQ(find(scene).most, find(scene).least);
}

// A ball of a millimetre around the box has sunk in by half of that while the box is above.
TEST(ElasticEnergy, OfASmoothedBoxIsHeldWhileItIsStillApart) {
  Scene scene = make_elastic_scene();
  const Box box{Vec3(0.1, 0.2, 0.3)};
  add(scene, make_ground(), {});
  add(scene, make_dynamic(box), {.x = Vec3(0, 0, 0.3 + 5e-4)});
  EXPECT_EQ(find(scene).most, 0);
  scene.method.options = {{"distance", std::string("mpr")}, {"smoothing", 1e-3}};
  const double expected = 4 * 0.5 * kStiffness * box.half.norm() * 25e-8;
  EXPECT_NEAR(find(scene).least, expected, 1e-9 * expected);
  EXPECT_EQ(find(scene).most, find(scene).least);
  add(scene, make_dynamic(box), {.x = Vec3(0, 0, 0.9 + 2e-3)});  // on it, by as much
  EXPECT_NEAR(find(scene).least, expected, 1e-9 * expected);
  EXPECT_GT(find(scene).most, expected + expected / 4);
}

TEST(ElasticEnergy, OfOtherShapesIsBetweenNothingAndALine) {
  Scene scene = make_elastic_scene();
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Ellipsoid{Vec3(0.1, 0.1, 0.1)}), {.x = Vec3(0, 0, 0.1 - 1e-5)});
  EXPECT_EQ(find(scene).least, 0);
  EXPECT_GT(find(scene).most, hertz(0.1, 1e-5));
  EXPECT_LT(find(scene).most, kStiffness * 0.1 * 1e-10);
}

TEST(ElasticEnergy, IsMoreByABristleWhereFrictionSticks) {
  Scene scene = make_elastic_scene();
  scene.pairs.set(MaterialId{}, MaterialId{}, {.friction = 0.5});
  scene.gravity = Vec3(0, 0, -9.81);
  add(scene, make_ground(), {});
  const double weight = 9.81, stiffness = 4.0 / 3 * kStiffness * std::sqrt(0.1);
  const double depth = std::pow(weight / stiffness, 1 / 1.5);
  add(scene, make_dynamic(Sphere{0.1}), {.x = Vec3(0, 0, 0.1 - depth), .v = Vec3(3, 0, 0)});
  const EnergyRange held = find(scene);
  EXPECT_NEAR(held.most - held.least, 0.5 * 0.5 * weight * 0.8 * 0.5 * depth,
              1e-9 * weight * depth);
  scene.method.options["friction"] = std::string("regularised");
  EXPECT_EQ(find(scene).most, find(scene).least);
}

// A ball that a constant force stops at a depth, and the modulus with which it holds at that depth
// what the force took.
struct Stop {
  explicit Stop(double harder) {
    scene = make_elastic_scene();
    const double work = kForce * kDepth;
    const double k = harder * work / (hertz(kRadius, kDepth) / kStiffness);
    scene.materials[0].youngs_modulus = 2 * k * (1 - kPoisson * kPoisson);
    add(scene, make_ground(), {});
    add(scene, make_dynamic(Sphere{kRadius}, kMass),
        {.x = Vec3(0, 0, kRadius), .v = Vec3(0, 0, -std::sqrt(2 * work / kMass))});
  }
  record::AuditResult judge() {
    Audited run(scene);
    const double duration = 2 * kDepth / -scene.initial[1].v.z();
    run.frame.press(0, duration, BodyId{1}, BodyId{0}, {Vec3(0, 0, kForce)});
    return run.finish(duration);
  }
  static constexpr double kForce = 50, kDepth = 1e-3, kRadius = 0.1, kMass = 2;
  Scene scene;
};

TEST(ElasticEnergy, IsGivenBackWithoutAGain) {
  const auto result = Stop(1).judge();
  EXPECT_NEAR(result.max_penetration, Stop::kDepth, 1e-12);
  EXPECT_LE(result.energy_max_gain, 1e-9);
  EXPECT_FALSE(result.exceeds(record::Judged::EnergyGain));
  EXPECT_TRUE(result.exceeds(record::Judged::Momentum));  // a constant force is not the law's
}

TEST(ElasticEnergy, IsAGainWhereASpringHoldsMoreThanWasPutIn) {
  const auto result = Stop(1.01).judge();
  EXPECT_NEAR(result.energy_max_gain, 0.01 * Stop::kForce * Stop::kDepth, 1e-9);
  EXPECT_TRUE(result.exceeds(record::Judged::EnergyGain));
}

TEST(ElasticEnergy, LimitsHowDeepAnythingCanBe) {
  EXPECT_TRUE(Stop(1e4).judge().exceeds(record::Judged::Penetration));
  EXPECT_FALSE(Stop(1).judge().exceeds(record::Judged::Penetration));
}

}  // namespace
}  // namespace carom::audit
