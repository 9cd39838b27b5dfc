#include "carom/impact/impulse_space/ray_approach.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace carom::impact {

namespace {

// Where small steps of the power series in s, the slow twin, have passed a normal impulse.
SlidingPoint march(const SlidingContact& contact, SlidingStart start, double normal_impulse) {
  SlidingPoint at{start.direction, start.speed, Vec3::Zero()};
  for (int step = 0; step < 1000; ++step) {
    const SlidingSeries series(contact, {at.direction, at.speed, std::nullopt});
    double low = 0, high = series.length();
    const auto passed = [&](double s) { return at.impulse.x() + series.at(s).impulse.x(); };
    const bool last = passed(high) >= normal_impulse;
    for (int i = 0; last && i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (passed(middle) < normal_impulse ? low : high) = middle;
    }
    const SlidingPoint next = series.at(high);
    at = {next.direction, next.speed, at.impulse + next.impulse};
    if (last) break;
  }
  return at;
}

Mat3 random_matrix(std::mt19937& random) {
  std::uniform_real_distribution<double> entry(-1, 1);
  Mat3 A;
  for (auto& number : A.reshaped()) number = entry(random);
  return A * A.transpose() + 0.2 * Mat3::Identity();
}

}  // namespace

TEST(RayApproach, PassesThePointsThatSmallStepsPass) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-M_PI, M_PI), friction(0.05, 1.5);
  int found = 0;
  for (int k = 0; k < 2000; ++k) {
    const SlidingContact contact(random_matrix(random), friction(random));
    const double phi = angle(random);
    const SlidingStart start{{std::cos(phi), std::sin(phi)}, 0.7, std::nullopt};
    const auto approach = RayApproach::find(contact, start);
    if (!approach) continue;
    ++found;
    for (const double part : {0.01, 0.1, 0.4}) {
      const SlidingPoint point = approach->at(part * approach->length());
      const SlidingPoint twin = march(contact, start, point.impulse.x());
      const Vec3 slip(point.speed * point.direction.x - twin.speed * twin.direction.x,
                      point.speed * point.direction.y - twin.speed * twin.direction.y, 0);
      EXPECT_NEAR((point.impulse - twin.impulse).norm(), 0, 1e-12 * (1 + twin.impulse.norm()));
      EXPECT_NEAR(slip.norm(), 0, 1e-12 * (1 + twin.speed));
    }
  }
  EXPECT_GT(found, 300);
}

}  // namespace carom::impact
