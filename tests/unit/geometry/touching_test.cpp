// Distances of boxes that almost touch, face on face with any tilt, against all separating axes in
// long double.
#include "carom/geometry/distance/touching.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "carom/math/rotation.h"

namespace carom::geometry {
namespace {

using Long3 = Eigen::Matrix<long double, 3, 1>;

struct Axes {
  std::array<Long3, 3> axis;
  explicit Axes(const Quat& q) {
    for (int i = 0; i < 3; ++i) axis[i] = (q * Vec3::Unit(i)).cast<long double>();
  }
  long double height(const Long3& n) const {  // of a unit cube
    long double sum = 0;
    for (const Long3& x : axis) sum += 0.5L * std::abs(n.dot(x));
    return sum;
  }
};

long double separation_of_cubes(const Pose& A, const Pose& B) {
  const Axes a(A.q), b(B.q);
  const Long3 d = (A.p - B.p).cast<long double>();
  std::vector<Long3> directions(a.axis.begin(), a.axis.end());
  directions.insert(directions.end(), b.axis.begin(), b.axis.end());
  for (const Long3& x : a.axis) {
    for (const Long3& y : b.axis) {
      if (x.cross(y).norm() > 1e-7L) directions.push_back(x.cross(y).normalized());
    }
  }
  long double best = -1;
  for (const Long3& n : directions) {
    best = std::max(best, std::abs(n.dot(d)) - a.height(n) - b.height(n));
  }
  return best;
}

TEST(Touching, DistancesAreExactToTheLastDigitsWhateverTheTilt) {
  base::Random random(5);
  const auto number = [&](double size) { return random.uniform(-size, size); };
  const Convex cube = make_convex(Box{Vec3::Constant(0.5)});
  int tried = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const double tilt = trial % 4 == 0 ? 0 : std::pow(10, -random.uniform(1, 14));
    const Quat lean = math::quat_exp(tilt * Vec3(number(1), number(1), number(1)));
    Pose A{Vec3(number(0.6), number(0.6), 1.5), math::quat_exp(Vec3(0, 0, number(1))) * lean};
    const Pose B{Vec3(0, 0, 0.5), math::quat_exp(Vec3(0, 0, number(1)))};
    const double depth = (trial % 3 == 0 ? 1e-11 : 1e-13) * random.uniform(0, 1);
    for (int i = 0; i < 4; ++i) A.p.z() -= static_cast<double>(separation_of_cubes(A, B)) + depth;
    const auto exact = static_cast<double>(separation_of_cubes(A, B));
    if (std::abs(exact + depth) > 1e-14) continue;
    ++tried;
    DistanceHint none;
    DistanceHint garbage{{FeatureKind::Vertex, trial % 8}, {FeatureKind::Edge, trial % 12}};
    EXPECT_NEAR(compute_distance({cube, A}, {cube, B}, none).value, exact, 1e-15) << trial;
    EXPECT_NEAR(compute_distance({cube, A}, {cube, B}, garbage).value, exact, 1e-15) << trial;
  }
  EXPECT_GT(tried, 4000);
}

}  // namespace
}  // namespace carom::geometry
