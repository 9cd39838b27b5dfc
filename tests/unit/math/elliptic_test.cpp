#include "carom/math/elliptic.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace carom::math {
namespace {

constexpr std::array kComplements{1.0, 0.7, 2.0 / 3, 0.1, 1e-3, 1e-8, 1e-15, 1e-100};
constexpr std::array kArguments{-7.3, -1.0, -1e-3, 1e-12, 1e-4, 0.3, 1.2, 2.9, 11.0, 250.0};

TEST(Jacobi, IsTrigonometricWithoutModulus) {
  for (const double u : kArguments) {
    const Jacobi j = jacobi(u, 1);
    EXPECT_NEAR(j.sn, std::sin(u), 2e-14);
    EXPECT_NEAR(j.cn, std::cos(u), 2e-14);
    EXPECT_EQ(j.dn, 1);
  }
}

TEST(Jacobi, IsHyperbolicOnTheSeparatrix) {
  for (const double u : kArguments) {
    const Jacobi exact = jacobi(u, 0), close = jacobi(u, 1e-300);
    EXPECT_DOUBLE_EQ(exact.sn, std::tanh(u));
    EXPECT_DOUBLE_EQ(exact.cn, 1 / std::cosh(u));
    EXPECT_DOUBLE_EQ(exact.dn, exact.cn);
    EXPECT_NEAR(close.sn, exact.sn, 4e-16);
    EXPECT_NEAR(close.cn, exact.cn, 4e-15 * exact.cn * (1 + std::abs(u)));
  }
}

TEST(Jacobi, KeepsItsQuadraticIdentities) {
  for (const double m1 : kComplements) {
    for (const double u : kArguments) {
      const Jacobi j = jacobi(u, m1);
      EXPECT_NEAR(j.sn * j.sn + j.cn * j.cn, 1, 1e-15);
      EXPECT_NEAR(j.dn * j.dn + (1 - m1) * j.sn * j.sn, 1, 2e-15);
      // dn² = m₁ + m cn² holds relatively, where dn is small too.
      EXPECT_NEAR(j.dn * j.dn / (m1 + (1 - m1) * j.cn * j.cn), 1, 1e-14);
    }
  }
}

TEST(Jacobi, HasItsKnownValuesAtHalfAQuarterPeriod) {
  for (const double m1 : kComplements) {
    const double K = jacobi(0, m1).quarter_period, kc = std::sqrt(m1);  // DLMF 22.5(ii)
    const Jacobi half = jacobi(K / 2, m1);
    EXPECT_NEAR(half.sn, 1 / std::sqrt(1 + kc), 1e-15);
    EXPECT_NEAR(half.cn / std::sqrt(kc / (1 + kc)), 1, 3e-14);
    EXPECT_NEAR(half.dn / std::sqrt(kc), 1, 3e-14);
  }
}

TEST(Jacobi, ReturnsAfterFourQuarterPeriods) {
  for (const double m1 : {0.9, 0.5, 1e-3, 1e-8}) {
    const double K = jacobi(0, m1).quarter_period;
    const Jacobi here = jacobi(0.4, m1), later = jacobi(0.4 + 4 * K, m1);
    EXPECT_NEAR(later.sn, here.sn, 1e-14);
    EXPECT_NEAR(later.cn, here.cn, 1e-14);
    EXPECT_EQ(later.half_periods, 2);
    EXPECT_EQ(jacobi(0.4 - 2 * K, m1).half_periods, -1);
  }
}

TEST(Jacobi, ObeysTheAdditionTheorem) {
  for (const double m1 : kComplements) {
    const double u = 0.7, v = 0.45, m = 1 - m1;  // DLMF 22.8.1
    const Jacobi a = jacobi(u, m1), b = jacobi(v, m1), sum = jacobi(u + v, m1);
    const double d = 1 - m * a.sn * a.sn * b.sn * b.sn;
    EXPECT_NEAR(sum.sn, (a.sn * b.cn * b.dn + b.sn * a.cn * a.dn) / d, 1e-15);
    EXPECT_NEAR(sum.cn, (a.cn * b.cn - a.sn * b.sn * a.dn * b.dn) / d, 1e-15);
    EXPECT_NEAR(sum.dn, (a.dn * b.dn - m * a.sn * b.sn * a.cn * b.cn) / d, 1e-15);
  }
}

TEST(Jacobi, KnowsThePeriodsOfTheReferenceTops) {
  // 4 K(m) / p of the tumbling and of the flipping top, computed in 30 digits.
  EXPECT_NEAR(4 * jacobi(0, 2.0 / 3).quarter_period, 6.93566754103174, 1e-14);
  const double p = 0.5774368652357877, m = 0.9998000599820054;
  EXPECT_NEAR(4 * jacobi(0, 1 - m).quarter_period / p, 39.105734197268724, 1e-10);
}

TEST(Jacobi, GivesTheLemniscateConstant) {
  const double gamma = std::tgamma(0.25);
  EXPECT_NEAR(jacobi(0, 0.5).quarter_period, gamma * gamma / (4 * std::sqrt(std::numbers::pi)),
              1e-14);
}

// Carlson, Numerical computation of real or complex elliptic integrals, §3.
TEST(Carlson, ReproducesItsPublishedValues) {
  EXPECT_NEAR(carlson_rf(1, 2, 0), 1.3110287771461, 1e-13);
  EXPECT_NEAR(carlson_rf(0.5, 1, 0), 1.8540746773014, 1e-13);
  EXPECT_NEAR(carlson_rf(2, 3, 4), 0.58408284167715, 1e-14);
  EXPECT_NEAR(carlson_rc(0, 0.25), std::numbers::pi, 1e-14);
  EXPECT_NEAR(carlson_rc(2.25, 2), std::numbers::ln2, 1e-15);
  EXPECT_NEAR(carlson_rj(0, 1, 2, 3), 0.77688623778582, 1e-14);
  EXPECT_NEAR(carlson_rj(2, 3, 4, 5), 0.14297579667157, 1e-14);
}

TEST(Carlson, ReducesToElementaryFunctionsForEqualArguments) {
  for (const double x : {1e-6, 0.3, 1.0, 40.0}) {
    EXPECT_NEAR(carlson_rf(x, x, x) * std::sqrt(x), 1, 1e-15);         // DLMF 19.20.1
    EXPECT_NEAR(carlson_rj(x, x, x, x) * std::pow(x, 1.5), 1, 2e-15);  // DLMF 19.20.6
    EXPECT_NEAR(carlson_rf(x, 2, 2) / carlson_rc(x, 2), 1, 2e-15);
    const double d = std::abs(x - 2), root = std::sqrt(d);
    const double elementary =
        x < 2 ? std::acos(std::sqrt(x / 2)) / root : std::acosh(std::sqrt(x / 2)) / root;
    EXPECT_NEAR(carlson_rc(x, 2) / elementary, 1, 2e-15);
  }
}

TEST(Carlson, InvertsJacobi) {  // F(am u) = u, DLMF 19.25.5
  for (const double m1 : kComplements) {
    const double u = 1.1;
    const Jacobi j = jacobi(u, m1);
    EXPECT_NEAR(j.sn * carlson_rf(j.cn * j.cn, j.dn * j.dn, 1), u, 1e-14);
    EXPECT_NEAR(carlson_rf(0, m1, 1) / j.quarter_period, 1, 1e-14);
  }
}

TEST(Carlson, IntegratesTheThirdKindLikeTheStandardLibrary) {
  for (const double n : {0.01, 0.3, 1.0, 2.5}) {
    const double phi = 1.3, k = 0.8, s = std::sin(phi), c = std::cos(phi);
    const double d2 = 1 - k * k * s * s;
    const double ours =
        s * carlson_rf(c * c, d2, 1) - n / 3 * s * s * s * carlson_rj(c * c, d2, 1, 1 + n * s * s);
    EXPECT_NEAR(ours, std::ellint_3(k, -n, phi), 1e-14);
  }
}

}  // namespace
}  // namespace carom::math
