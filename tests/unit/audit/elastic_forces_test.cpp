// Forces of elastic contacts against the law written down by hand.
#include "carom/audit/elastic_forces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/audit/small_scenes.h"

namespace carom::audit {
namespace {

constexpr double kYoung = 2e9, kPoisson = 0.25, kRadius = 0.1, kFriction = 0.3;
constexpr double kStiffness = kYoung / (1 - kPoisson * kPoisson) / 2;  // (8), (9)

// The first integral itself, D - ln(1 + D) = -e D - ln(1 - e D), and its limit 3 (1 - e)/2 at 1.
TEST(DampingProduct, GivesBackTheRestitution) {
  for (const double e : {0.1, 0.5, 0.9, 0.999}) {
    const double D = damping_product(e);
    EXPECT_NEAR(D - std::log1p(D), -e * D - std::log1p(-e * D), 1e-12 * (1 + D)) << e;
    EXPECT_GT(D, 0);
  }
  EXPECT_NEAR(damping_product(0.999), 1.5 * 0.001, 1e-5);
  EXPECT_NEAR(damping_product(1e-3), 1e3, 1e-9);  // where 1 - e D vanishes
  EXPECT_EQ(damping_product(1), 0);
}

// A ball in a fixed one, at depth δ and approaching at δ'.
class TwoBalls : public testing::Test {
 protected:
  TwoBalls() {
    scene_.method.name = "elastic";
    scene_.materials = {{.youngs_modulus = kYoung, .poissons_ratio = kPoisson}};
    scene_.pairs = model::PairTable(1);
    scene_.pairs.set({}, {}, {.restitution = 0.5, .friction = kFriction});
    add(scene_, make_dynamic(geometry::Sphere{kRadius}), {});
    add(scene_, make_fixed(geometry::Sphere{kRadius}), {.x = Vec3(2 * kRadius, 0, 0)});
    watch_.begin(scene_);
    energy_.begin(scene_, watch_);
    forces_.begin(scene_, watch_, energy_);
  }

  PairState at(double depth, double rate) const {
    PairState state{};
    state.a.x = Vec3(depth, 0, 0);
    state.a.v = Vec3(rate, 0, 0);
    state.b.x = Vec3(2 * kRadius, 0, 0);
    return state;
  }
  PairState began() const { return at(1e-9, 1); }
  double excess(const PairState& start, const PairState& end, const Vec3& force, double t0 = 0) {
    return forces_.find_excess({{0, 1}, t0, t0 + 1, force, start, end});
  }
  // (3a) for a contact that began at a speed well above v_min.
  static double law(double depth, double rate, double began) {
    const double spring = 4.0 / 3 * std::sqrt(kRadius / 2) * kStiffness * std::pow(depth, 1.5);
    return spring * (1 + damping_product(0.5) / began * rate);
  }

  Scene scene_;
  PenetrationWatch watch_;
  ElasticEnergy energy_;
  ElasticForces forces_;
};

TEST_F(TwoBalls, PushByHertzAndTheirDamping) {
  const double f = law(1e-4, 0.5, 1);
  EXPECT_EQ(excess(began(), at(1e-4, 0.5), Vec3(-f, 0, 0)), 0);
  EXPECT_EQ(excess(at(1e-4, 0.5), at(1e-4, -0.5), Vec3(-law(1e-4, -0.5, 1), 0, 0), 1), 0);
}

TEST_F(TwoBalls, ThatPushTooMuchOrTooLittleAreFound) {
  const double f = law(1e-4, 0.5, 1), slack = 0.011 * law(1e-4, 0, 1);
  EXPECT_NEAR(excess(began(), at(1e-4, 0.5), Vec3(-1.1 * f, 0, 0)), 0.1 * f, slack);
  EXPECT_NEAR(excess(began(), at(1e-4, 0.5), Vec3(-0.9 * f, 0, 0)), 0.1 * f, slack);
  EXPECT_NEAR(excess(began(), at(1e-4, 0.5), Vec3(f, 0, 0)), 2 * f, slack);  // that pull
  EXPECT_NEAR(excess(began(), at(-1e-4, 0.5), Vec3(-f, 0, 0)), f, slack);    // that are apart
}

TEST_F(TwoBalls, ThatRubBeyondTheirFrictionAreFound) {
  const double f = law(1e-4, 0.5, 1);
  EXPECT_EQ(excess(began(), at(1e-4, 0.5), Vec3(-f, 0.99 * kFriction * f, 0)), 0);
  EXPECT_GT(excess(began(), at(1e-4, 0.5), Vec3(-f, 1.1 * kFriction * f, 0)), 0.05 * kFriction * f);
}

// The same depth and speed, but the contact began faster: it is damped less.
TEST_F(TwoBalls, RememberHowTheirContactBegan) {
  const Vec3 slow(-law(1e-4, 0.5, 0.5), 0, 0);
  EXPECT_GT(excess(began(), at(1e-4, 0.5), slow), 0.1 * slow.norm());
  EXPECT_EQ(excess(at(1e-4, 0.5), at(1e-4, 0.5), slow, 5), 0);  // it begins anew
  forces_.resume();
  EXPECT_EQ(excess(at(1e-4, 0.5), at(1e-4, 0.5), Vec3(-law(1e-4, 0.5, 1), 0, 0), 6), 0);
}

}  // namespace
}  // namespace carom::audit
