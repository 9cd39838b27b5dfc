// Equations 3 to 10 against vectors computed from the paper's formulas with 30 digits.
#include "carom/methods/elastic/force_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reference/restitution.h"

namespace carom::methods {
namespace {

constexpr double kMin = 0.01;

Regularisation paper() {
  Regularisation how;
  how.damping = Damping::Flores;
  return how;
}

void expect_near(double value, double expected, double relative) {
  EXPECT_NEAR(value, expected, relative * std::abs(expected));
}

TEST(ForceLaw, RegularisesAnAbsoluteValue) {
  const std::array<double, 15> v = {{0.0, 0.0001, 0.001, 0.002, 0.0025, 0.005, 0.0075, 0.009,
                                     0.0099, 0.01, 0.0101, 0.02, 0.1, 1.0, -0.004}};
  const std::array<double, 15> reg = {
      {0.0033333333333333335, 0.00333433, 0.00343, 0.0037066666666666667, 0.00390625,
       0.005416666666666667, 0.007552083333333333, 0.009003333333333334, 0.009900003333333334, 0.01,
       0.0101, 0.02, 0.1, 1.0, 0.00472}};
  const std::array<double, 15> unit = {{0.0, 0.029991032681228314, 0.2915451895043732,
                                        0.539568345323741, 0.64, 0.9230769230769231,
                                        0.993103448275862, 0.9996297667530544, 0.9999996632997766,
                                        1.0, 1.0, 1.0, 1.0, 1.0, 0.847457627118644}};
  for (std::size_t i = 0; i < v.size(); ++i) {
    expect_near(regularise(v[i], kMin), reg[i], 1e-14);
    EXPECT_NEAR(regularised_direction({v[i], 0, 0}, kMin).norm(), unit[i], 1e-14);
  }
  expect_near(regularised_slope(kMin * (1 - 1e-12), kMin), 1, 1e-12);
}

TEST(ForceLaw, TheSlopeOfARegularisedDirectionIsItsDerivative) {
  for (const double size : {1e-3, 8e-3, 2e-2}) {
    const Vec3 v = size * Vec3(0.6, -0.48, 0.64);
    const Mat3 slope = regularised_direction_slope(v, kMin);
    for (int k = 0; k < 3; ++k) {
      const double h = 1e-7;
      const Vec3 difference = (regularised_direction(v + h * Vec3::Unit(k), kMin) -
                               regularised_direction(v - h * Vec3::Unit(k), kMin)) /
                              (2 * h);
      EXPECT_LT((slope.col(k) - difference).norm(), 1e-6 / kMin);
    }
  }
}

constexpr std::array<double, 10> kCor = {{0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.98, 1.0}};
constexpr std::array<double, 11> kSpeed = {
    {0.0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 1.0, 5.0}};

TEST(ForceLaw, RestitutionFallsAtSmallSpeeds) {
  const std::array<std::array<double, 11>, 10> expected = {
      {{{0.001, 0.0007943282347242815, 0.0006309573444801932, 0.00039810717055349724, 0.0001, 1e-05,
         1e-07, 1e-13, 1e-23, 1e-203, 0.0}},
       {{0.001, 0.021361504762296132, 0.03753522289646087, 0.060587390115203775, 0.0901, 0.09901,
         0.0999901, 0.0999999999901, 0.1, 0.1, 0.1}},
       {{0.001, 0.04192868128986798, 0.07443948844844155, 0.12077667305985405, 0.1801, 0.19801,
         0.1999801, 0.1999999999801, 0.2, 0.2, 0.2}},
       {{0.001, 0.06249585781743983, 0.11134375400042222, 0.18096595600450432, 0.2701, 0.29701,
         0.2999701, 0.2999999999701, 0.3, 0.3, 0.3}},
       {{0.001, 0.10363021087258353, 0.18515228510438356, 0.3013445218938049, 0.4501, 0.49501,
         0.4999501, 0.4999999999501, 0.5, 0.5, 0.5}},
       {{0.001, 0.14476456392772724, 0.25896081620834493, 0.4217230877831054, 0.6301, 0.69301,
         0.6999301, 0.6999999999301, 0.7, 0.7, 0.7}},
       {{0.001, 0.16533174045529908, 0.2958650817603256, 0.4819123707277557, 0.7201, 0.79201,
         0.7999201, 0.7999999999201, 0.8, 0.8, 0.8}},
       {{0.001, 0.18589891698287092, 0.3327693473123063, 0.5421016536724059, 0.8101, 0.89101,
         0.8999101, 0.8999999999101, 0.9, 0.9, 0.9}},
       {{0.001, 0.2023526582049284, 0.3622927597538908, 0.5902530800281262, 0.8821, 0.97021,
         0.9799021, 0.9799999999021, 0.98, 0.98, 0.98}},
       {{0.001, 0.2064660935104428, 0.36967361286428696, 0.6022909366170562, 0.9001, 0.99001,
         0.9999001, 0.9999999999001, 1.0, 1.0, 1.0}}}};
  for (std::size_t i = 0; i < kCor.size(); ++i)
    for (std::size_t k = 0; k < kSpeed.size(); ++k)
      expect_near(regularise_restitution(kCor[i], kSpeed[k], paper()),
                  std::max(0.001, expected[i][k]), 1e-12);
}

// What rounding 1 - cor does to d δ'.
constexpr double kRounded = 1e-15;

TEST(ForceLaw, DampingOfThePaper) {
  const std::array<std::array<double, 11>, 10> expected = {
      // cor = 0 stays at cor_min = 0.001, which (7) as printed does not: 1598.4/5 at 5 m/s.
      {{{1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 319.68}},
       {{1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 720.0792078415764, 288.00000003168, 144.0,
         14.4, 2.88}},
       {{1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 648.0399979799, 320.03980396049405,
         128.00000001592, 64.0, 6.4, 1.28}},
       {{1000.0, 1000.0, 1000.0, 1000.0, 798.2274371315467, 378.70240059257264, 186.693247093627,
         74.66666667729778, 37.333333333333336, 3.7333333333333334, 0.7466666666666667}},
       {{1000.0, 1000.0, 1000.0, 1000.0, 360.8798044878916, 163.2257934183148, 80.01596959376546,
         32.0000000063872, 16.0, 1.6, 0.32}},
       {{1000.0, 1000.0, 1000.0, 591.8953468808246, 173.40544235957663, 70.87689932324209,
         34.29712767032022, 13.714285718850613, 6.857142857142857, 0.6857142857142857,
         0.13714285714285715}},
       {{1000.0, 1000.0, 1000.0, 464.057288152988, 114.81482272761262, 42.01765129228166,
         20.0099884976012, 8.000000003995, 4.0, 0.4, 0.08}},
       {{1000.0, 1000.0, 935.3163740692477, 364.60682439277116, 69.24273356565666,
         19.571497514057082, 8.897768788237848, 3.5555555591071606, 1.7777777777777777,
         0.17777777777777778, 0.035555555555555556}},
       {{1000.0, 1000.0, 821.0839359071285, 299.6497266564888, 39.48061008258265, 4.91275084775461,
         1.640808811410854, 0.6530612277517701, 0.32653061224489793, 0.0326530612244898,
         0.006530612244897959}},
       {{1000.0, 1000.0, 795.3767630347054, 285.0333062690325, 32.784049635510584,
         1.6145291461702407, 0.007992798480568209, 3.1968000003193603e-09, 1.5984e-19, 0.0, 0.0}}}};
  for (std::size_t i = 0; i < kCor.size(); ++i)
    for (std::size_t k = 0; k < kSpeed.size(); ++k)
      EXPECT_NEAR(damping_coefficient(kCor[i], kSpeed[k], paper()), expected[i][k],
                  1e-12 * expected[i][k] + kRounded / regularise(kSpeed[k], kMin));
}

TEST(ForceLaw, StiffnessOfTwoMaterialsAndShapes) {
  expect_near(resultant_stiffness(5.4e9, 0.34, 2.1e11, 0.3), 5948446794.448116, 1e-14);
  expect_near(resultant_stiffness(5.4e9, 0.34, 5.4e9, 0.34), 3052917232.0217094, 1e-14);
  expect_near(hertz_factors(0.01875).factor, 0.18257418583505536, 1e-14);
  expect_near(hertz_factors(0.03).factor, 0.2309401076758503, 1e-14);
  EXPECT_EQ(plain_factors(1).factor, 1);
  EXPECT_EQ(plain_factors(1).exponent, 1);
}

TEST(ForceLaw, NormalForce) {
  // depth, rate, cor, force
  const std::array<std::array<double, 4>, 45> rows = {{{{1e-06, -1.0, 0.3, 0.0}},
                                                       {{1e-06, -1.0, 0.7, 0.0}},
                                                       {{1e-06, -1.0, 1.0, 1.3737349432139145}},
                                                       {{1e-06, -0.1, 0.3, 0.3480128522808584}},
                                                       {{1e-06, -0.1, 0.7, 1.1853370081445778}},
                                                       {{1e-06, -0.1, 1.0, 1.3737349432139145}},
                                                       {{1e-06, 0.0, 0.3, 1.3737349432139145}},
                                                       {{1e-06, 0.0, 0.7, 1.3737349432139145}},
                                                       {{1e-06, 0.0, 1.0, 1.3737349432139145}},
                                                       {{1e-06, 0.1, 0.3, 2.399457034146971}},
                                                       {{1e-06, 0.1, 0.7, 1.5621328782832515}},
                                                       {{1e-06, 0.1, 1.0, 1.3737349432139145}},
                                                       {{1e-06, 1.0, 0.3, 11.630955852544476}},
                                                       {{1e-06, 1.0, 0.7, 3.257714293907283}},
                                                       {{1e-06, 1.0, 1.0, 1.3737349432139145}},
                                                       {{1e-05, -1.0, 0.3, 0.0}},
                                                       {{1e-05, -1.0, 0.7, 0.0}},
                                                       {{1e-05, -1.0, 1.0, 43.441313219180394}},
                                                       {{1e-05, -0.1, 0.3, 11.005132682192366}},
                                                       {{1e-05, -0.1, 0.7, 37.483647406264225}},
                                                       {{1e-05, -0.1, 1.0, 43.441313219180394}},
                                                       {{1e-05, 0.0, 0.3, 43.441313219180394}},
                                                       {{1e-05, 0.0, 0.7, 43.441313219180394}},
                                                       {{1e-05, 0.0, 1.0, 43.441313219180394}},
                                                       {{1e-05, 0.1, 0.3, 75.87749375616842}},
                                                       {{1e-05, 0.1, 0.7, 49.39897903209656}},
                                                       {{1e-05, 0.1, 1.0, 43.441313219180394}},
                                                       {{1e-05, 1.0, 0.3, 367.80311858906066}},
                                                       {{1e-05, 1.0, 0.7, 103.01797134834207}},
                                                       {{1e-05, 1.0, 1.0, 43.441313219180394}},
                                                       {{0.0001, -1.0, 0.3, 0.0}},
                                                       {{0.0001, -1.0, 0.7, 0.0}},
                                                       {{0.0001, -1.0, 1.0, 1373.7349432139147}},
                                                       {{0.0001, -0.1, 0.3, 348.01285228085834}},
                                                       {{0.0001, -0.1, 0.7, 1185.3370081445778}},
                                                       {{0.0001, -0.1, 1.0, 1373.7349432139147}},
                                                       {{0.0001, 0.0, 0.3, 1373.7349432139147}},
                                                       {{0.0001, 0.0, 0.7, 1373.7349432139147}},
                                                       {{0.0001, 0.0, 1.0, 1373.7349432139147}},
                                                       {{0.0001, 0.1, 0.3, 2399.4570341469707}},
                                                       {{0.0001, 0.1, 0.7, 1562.1328782832513}},
                                                       {{0.0001, 0.1, 1.0, 1373.7349432139147}},
                                                       {{0.0001, 1.0, 0.3, 11630.955852544477}},
                                                       {{0.0001, 1.0, 0.7, 3257.7142939072833}},
                                                       {{0.0001, 1.0, 1.0, 1373.7349432139147}}}};
  for (const auto& [depth, rate, cor, force] : rows) {
    PairLaw law;
    law.stiffness = 1373734943.2139146;
    law.damping = damping_coefficient(cor, 0.5, paper());
    const Damped damped{1 + law.damping * rate, law.damping};
    const NormalForce at = normal_force(law, depth, damped);
    expect_near(at.value, force, 1e-12);
    const double h = 1e-6 * depth;
    expect_near(
        at.by_depth,
        (normal_force(law, depth + h, damped).value - normal_force(law, depth - h, damped).value) /
            (2 * h),
        1e-8);
  }
}

// e = (1 - y)/D, y = -W₀(-(1 + D) exp(-(1 + D))): closed form.
TEST(ForceLaw, RestitutionAchieved) {
  const std::array<double, 10> cor = {{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}};
  const std::array<double, 10> achieved = {
      {0.0694442251515404, 0.15554002025734123, 0.25620790667982424, 0.36287231850832524,
       0.4704447793267395, 0.5772760188829587, 0.6831841997306839, 0.7885391259070651,
       0.8939206926633781, 1.0}};
  for (std::size_t i = 0; i < cor.size(); ++i)
    expect_near(reference::restitution_for(8 * (1 - cor[i]) / (5 * cor[i])), achieved[i], 1e-12);
}

TEST(ForceLaw, RestitutionAchievedOverSpeeds) {
  const std::array<double, 11> cor = {{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}};
  const std::array<double, 9> speed = {{0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0}};
  const std::array<std::array<double, 9>, 11> achieved = {
      {{{0.5936242600400401, 0.19698024528051888, 0.09998162475294389, 0.04999999920383114, 0.02,
         0.01, 0.002, 0.001, 1 / 1598.4}},  // cor_min again, and e = 1/D where D is large
       {{0.5936242600400401, 0.19698024528051888, 0.09998162475294389, 0.06943658669536261,
         0.06944422514390186, 0.0694442251515404, 0.0694442251515404, 0.0694442251515404,
         0.0694442251515404}},
       {{0.5936242600400401, 0.19698024528051888, 0.15365762990689194, 0.15552116627404328,
         0.15554002023848695, 0.15554002025734123, 0.15554002025734123, 0.15554002025734123,
         0.15554002025734123}},
       {{0.5936242600400401, 0.24174990142173425, 0.2530731043417326, 0.25617653386787353,
         0.25620790664845117, 0.25620790667982424, 0.25620790667982424, 0.25620790667982424,
         0.25620790667982424}},
       {{0.5936242600400401, 0.34001956724539756, 0.3585798056496456, 0.3628293881326065,
         0.3628723184653948, 0.36287231850832524, 0.36287231850832524, 0.36287231850832524,
         0.36287231850832524}},
       {{0.5936242600400401, 0.4381955630314972, 0.46508901494710536, 0.47039123203490424,
         0.47044477927319234, 0.4704447793267395, 0.4704447793267395, 0.4704447793267395,
         0.4704447793267395}},
       {{0.5936242600400401, 0.5345640419752566, 0.570904712713383, 0.5772123230083163,
         0.5772760188192629, 0.5772760188829587, 0.5772760188829587, 0.5772760188829587,
         0.5772760188829587}},
       {{0.5936242600400401, 0.628798253997073, 0.6758051013639884, 0.6831104227945359,
         0.6831841996569071, 0.6831841997306839, 0.6831841997306839, 0.6831841997306839,
         0.6831841997306839}},
       {{0.5936242600400401, 0.7210906907892458, 0.7801287010333732, 0.7884550215733489,
         0.7885391258229608, 0.7885391259070651, 0.7885391259070651, 0.7885391259070651,
         0.7885391259070651}},
       {{0.6102854714973541, 0.811813271428362, 0.8844287618873813, 0.8938257464711381,
         0.8939206925684318, 0.8939206926633781, 0.8939206926633781, 0.8939206926633781,
         0.8939206926633781}},
       {{0.6493282350130809, 0.9013898515081543, 0.9893509714138506, 0.9998934407095639,
         0.99999999989344, 1.0, 1.0, 1.0, 1.0}}}};
  for (std::size_t i = 0; i < cor.size(); ++i)
    for (std::size_t k = 0; k < speed.size(); ++k)
      expect_near(
          reference::restitution_for(speed[k] * damping_coefficient(cor[i], speed[k], paper())),
          achieved[i][k], 1e-8);
}

TEST(ForceLaw, ExactDampingGivesTheRestitutionAskedFor) {
  for (int i = 1; i <= 1000; ++i)
    expect_near(reference::restitution_for(damping_for(1e-3 * i)), 1e-3 * i, 1e-12);
  for (const double e : {1e-3, 0.999999, 1 - 1e-9})
    expect_near(reference::restitution_for(damping_for(e)), e, 1e-12);
  EXPECT_EQ(damping_for(1), 0);
  // The first integral itself: D - ln(1 + D) = -e D - ln(1 - e D).
  for (const double e : {0.2, 0.5, 0.9}) {
    const double D = damping_for(e);
    EXPECT_NEAR(D - std::log1p(D), -e * D - std::log1p(-e * D), 1e-13);
  }
}

struct Impact {
  double depth, rate;
};

// Classical Runge–Kutta steps of the law with k = m = 1.
Impact follow(Impact at, double h, const PairLaw& law) {
  const auto slope = [&](const Impact& y) -> Impact {
    const double spring = law.stiffness * std::pow(std::max(0.0, y.depth), law.exponent);
    return {y.rate, -spring * (1 + law.damping * y.rate)};
  };
  const auto moved = [&](const Impact& by, double s) -> Impact {
    return {at.depth + s * by.depth, at.rate + s * by.rate};
  };
  const Impact k1 = slope(at), k2 = slope(moved(k1, h / 2)), k3 = slope(moved(k2, h / 2)),
               k4 = slope(moved(k3, h));
  return {at.depth + h / 6 * (k1.depth + 2 * k2.depth + 2 * k3.depth + k4.depth),
          at.rate + h / 6 * (k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate)};
}

// At the end of an impact that begins at unit speed; the last step is as long as is left.
double bounce(const PairLaw& law) {
  constexpr double kStep = 1e-4;
  Impact at{0, 1};
  for (int i = 0; i < 1000000; ++i) {
    const Impact next = follow(at, kStep, law);
    if (next.depth < 0) return -follow(at, -at.depth / at.rate, law).rate;
    at = next;
  }
  ADD_FAILURE() << "no end";
  return 0;
}

TEST(ForceLaw, IntegratedItGivesBackTheRestitutionAskedFor) {
  for (const double n : {1.0, 1.5}) {
    for (const double e : {0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0})
      EXPECT_NEAR(bounce({.stiffness = 1, .exponent = n, .damping = damping_for(e)}), e, 1e-8)
          << "n = " << n;
    const double flores = 8 * (1 - 0.5) / (5 * 0.5);
    EXPECT_NEAR(bounce({.stiffness = 1, .exponent = n, .damping = flores}), 0.4704447793267395,
                1e-8);
  }
}

}  // namespace
}  // namespace carom::methods
