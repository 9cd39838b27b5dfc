#include "carom/geometry/shapes/mass_properties.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "carom/base/random.h"
#include "carom/geometry/shapes/convex_hull.h"
#include "support/meshes.h"

namespace carom::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

void expect_equal(const MassProperties& a, const MassProperties& b, double relative) {
  const double size = std::sqrt(b.inertia.norm() / b.mass);
  EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
  EXPECT_LE((a.center - b.center).norm(), relative * (size + b.center.norm()));
  EXPECT_LE((a.inertia - b.inertia).norm(), relative * b.inertia.norm());
}

Hull make_hull(const std::vector<Vec3>& points) {
  const HullResult result = make_convex_hull(points);
  EXPECT_TRUE(result.polyhedron) << result.problem;
  return {result.polyhedron};
}

Hull make_box_hull(const Vec3& half) {
  RoundedPoints corners;
  EXPECT_TRUE(find_rounded_points(Box{half}, corners));
  return make_hull(corners.points);
}

// Gauss–Legendre, five points: exact for polynomials up to degree nine.
double integrate(const std::function<double(double)>& f, double a, double b) {
  constexpr double x[] = {0, 0.5384693101056831, 0.9061798459386640};
  constexpr double w[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const double middle = (a + b) / 2, half = (b - a) / 2;
  double sum = w[0] * f(middle);
  for (int i = 1; i < 3; ++i) sum += w[i] * (f(middle - half * x[i]) + f(middle + half * x[i]));
  return half * sum;
}

// A solid of revolution from the squared radius of its cross sections, polynomial on each piece: a
// disc of area A = πρ² adds A dz to the mass, and Aρ²/4 + Az² to the second moment across.
MassProperties revolve(const std::function<double(double)>& rho2, const std::vector<double>& cuts) {
  double mass = 0, first = 0, across = 0, along = 0;
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    const auto add = [&](auto&& f) { return integrate(f, cuts[i - 1], cuts[i]); };
    mass += add([&](double z) { return kPi * rho2(z); });
    first += add([&](double z) { return kPi * rho2(z) * z; });
    along += add([&](double z) { return kPi * rho2(z) * rho2(z) / 2; });
    across += add([&](double z) { return kPi * rho2(z) * (rho2(z) / 4 + z * z); });
  }
  const double center = first / mass;
  across -= mass * center * center;
  return {mass, Vec3(0, 0, center), Vec3(across, across, along).asDiagonal()};
}

TEST(MassProperties, OfASphereAreTwoFifths) {
  const MassProperties p = compute_mass_properties(Sphere{2}, 3);
  EXPECT_DOUBLE_EQ(p.mass, 3 * 4.0 / 3 * kPi * 8);
  EXPECT_TRUE(p.inertia.isApprox(0.4 * p.mass * 4 * Mat3::Identity(), 1e-15));
}

TEST(MassProperties, OfABoxAreATwelfthOfTheSquaredEdges) {
  const MassProperties p = compute_mass_properties(Box{Vec3(1, 2, 3)}, 0.5);
  EXPECT_DOUBLE_EQ(p.mass, 0.5 * 2 * 4 * 6);
  const Vec3 expected = p.mass / 12 * Vec3(16 + 36, 4 + 36, 4 + 16);
  EXPECT_TRUE(p.inertia.isApprox(Mat3(expected.asDiagonal()), 1e-15));
}

TEST(MassProperties, OfAnEllipsoidAreAFifthOfTheSquaredRadii) {
  const MassProperties p = compute_mass_properties(Ellipsoid{Vec3(1, 2, 3)}, 1);
  EXPECT_DOUBLE_EQ(p.mass, 4.0 / 3 * kPi * 6);
  const Vec3 expected = p.mass / 5 * Vec3(13, 10, 5);
  EXPECT_TRUE(p.inertia.isApprox(Mat3(expected.asDiagonal()), 1e-15));
}

TEST(MassProperties, OfAPlaneAreNothing) {
  EXPECT_EQ(compute_mass_properties(Plane{Vec3::UnitZ(), 1}, 1000).mass, 0);
}

TEST(MassProperties, OfRoundShapesAgreeWithTheirCrossSections) {
  const double r = 0.7, L = 2.3;
  const auto cylinder = [&](double) { return r * r; };
  expect_equal(compute_mass_properties(Cylinder{r, L}, 1), revolve(cylinder, {-L / 2, L / 2}),
               1e-14);
  const auto cone = [&](double z) { return std::pow(r * (0.5 - z / L), 2); };
  expect_equal(compute_mass_properties(Cone{r, L}, 1), revolve(cone, {-L / 2, L / 2}), 1e-14);
  const auto capsule = [&](double z) {
    return r * r - std::pow(std::max(0.0, std::abs(z) - L / 2), 2);
  };
  expect_equal(compute_mass_properties(Capsule{r, L}, 1),
               revolve(capsule, {-L / 2 - r, -L / 2, L / 2, L / 2 + r}), 1e-14);
  const auto sphere = [&](double z) { return r * r - z * z; };
  expect_equal(compute_mass_properties(Sphere{r}, 1), revolve(sphere, {-r, r}), 1e-14);
}

TEST(MassProperties, OfAConeLieAQuarterFromItsBase) {
  EXPECT_DOUBLE_EQ(compute_mass_properties(Cone{1, 8}, 1).center.z(), -2);
}

TEST(MassProperties, OfABoxHullAreThoseOfTheBox) {
  const Vec3 half(0.3, 1.1, 2.0);
  expect_equal(compute_mass_properties(make_box_hull(half), 2),
               compute_mass_properties(Box{half}, 2), 1e-14);
}

// Regular octahedron with vertices at distance a: V = 4a³/3, I = m a²/5.
// An L of two boxes, whose properties add up.
TEST(MassProperties, OfAMeshAreThoseOfWhatItEncloses) {
  const Mesh mesh{support::make_mesh(support::make_prism(support::make_l(), 3))};
  const auto box = [](const Vec3& half, const Vec3& center) {
    return transformed(compute_mass_properties(Box{half}, 2), {center, Quat::Identity()});
  };
  const MassProperties expected = combined(box(Vec3(1, 0.5, 1.5), Vec3(1, 0.5, 1.5)),
                                           box(Vec3(0.5, 0.5, 1.5), Vec3(0.5, 1.5, 1.5)));
  const MassProperties found = compute_mass_properties(mesh, 2);
  EXPECT_NEAR(found.mass, expected.mass, 1e-13);
  EXPECT_TRUE(found.center.isApprox(expected.center, 1e-14));
  EXPECT_TRUE(found.inertia.isApprox(expected.inertia, 1e-13));
}

TEST(MassProperties, OfAnOpenMeshAreNothing) {
  const Mesh sheet{support::make_mesh(support::make_sheet(2, [](int, int) { return 0; }))};
  EXPECT_EQ(compute_mass_properties(sheet, 1).mass, 0);
}

TEST(MassProperties, OfAnOctahedronAreTheClosedForm) {
  const double a = 1.7;
  const Hull hull = make_hull({Vec3(a, 0, 0), Vec3(-a, 0, 0), Vec3(0, a, 0), Vec3(0, -a, 0),
                               Vec3(0, 0, a), Vec3(0, 0, -a)});
  const double mass = 4.0 / 3 * a * a * a;
  expect_equal(compute_mass_properties(hull, 1),
               {mass, Vec3::Zero(), mass * a * a / 5 * Mat3::Identity()}, 1e-14);
}

// Regular tetrahedron of edge s: V = s³/(6√2), I = m s²/20 about any axis.
TEST(MassProperties, OfATetrahedronAreTheClosedForm) {
  const Hull hull = make_hull({Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)});
  const double s = 2 * std::sqrt(2.0), mass = s * s * s / (6 * std::sqrt(2.0));
  expect_equal(compute_mass_properties(hull, 1),
               {mass, Vec3::Zero(), mass * s * s / 20 * Mat3::Identity()}, 1e-14);
}

TEST(MassProperties, OfAHullFarFromTheOriginLoseNoDigitsOfInertia) {
  std::vector<Vec3> points;
  const Hull box = make_box_hull(Vec3(1, 2, 3));
  for (const Vec3& v : box.polyhedron->vertices) {
    points.push_back(v + Vec3(1024, -2048, 4096));  // exact in binary
  }
  const MassProperties far = compute_mass_properties(make_hull(points), 1);
  const MassProperties near = compute_mass_properties(Box{Vec3(1, 2, 3)}, 1);
  EXPECT_LE((far.inertia - near.inertia).norm(), 1e-13 * near.inertia.norm());
  EXPECT_LE((far.center - Vec3(1024, -2048, 4096)).norm(), 1e-12);
}

TEST(MassProperties, CombineWithNothingUnchanged) {
  const MassProperties box = compute_mass_properties(Box{Vec3(1, 2, 3)}, 1);
  expect_equal(combined(box, {}), box, 0);
  expect_equal(combined({}, box), box, 0);
}

RC_GTEST_PROP(MassProperties, OfABoxAreTheSumOfItsTwoParts, (std::uint64_t seed)) {
  base::Random random(seed);
  const Vec3 half(random.uniform(0.1, 3), random.uniform(0.1, 3), random.uniform(0.1, 3));
  const double cut = random.uniform(-0.9, 0.9) * half.x();  // the plane x = cut
  const auto part = [&](double from, double to) {
    const Box box{Vec3((to - from) / 2, half.y(), half.z())};
    const Pose X{Vec3((from + to) / 2, 0, 0), Quat::Identity()};
    return transformed(compute_mass_properties(box, 2), X);
  };
  expect_equal(combined(part(-half.x(), cut), part(cut, half.x())),
               compute_mass_properties(Box{half}, 2), 1e-13);
  RC_ASSERT(!testing::Test::HasFailure());
}

Hull random_hull(base::Random& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < 20; ++i) {
    points.emplace_back(random.uniform(-1, 1), random.uniform(-2, 2), random.uniform(-1, 1));
  }
  return make_hull(points);
}

RC_GTEST_PROP(MassProperties, MoveRigidlyWithTheirHull, (std::uint64_t seed)) {
  base::Random random(seed);
  const Hull hull = random_hull(random);
  const auto draw = [&] { return random.uniform(-1, 1); };
  const Pose X{Vec3(draw(), draw(), draw()), Quat(draw(), draw(), draw(), draw()).normalized()};
  std::vector<Vec3> moved;
  for (const Vec3& v : hull.polyhedron->vertices) moved.push_back(X * v);
  expect_equal(compute_mass_properties(make_hull(moved), 3),
               transformed(compute_mass_properties(hull, 3), X), 1e-12);
  RC_ASSERT(!testing::Test::HasFailure());
}

RC_GTEST_PROP(MassProperties, ScaleWithTheThirdAndFifthPowerOfTheUnit, (std::uint64_t seed)) {
  base::Random random(seed);
  const Hull hull = random_hull(random);
  std::vector<Vec3> millimetres;
  for (const Vec3& v : hull.polyhedron->vertices) millimetres.push_back(1e3 * v);
  MassProperties expected = compute_mass_properties(hull, 1);
  expected.mass *= 1e9;
  expected.center *= 1e3;
  expected.inertia *= 1e15;
  expect_equal(compute_mass_properties(make_hull(millimetres), 1), expected, 1e-12);
  RC_ASSERT(!testing::Test::HasFailure());
}

TEST(PhysicalInertia, IsThatOfRealBodies) {
  EXPECT_TRUE(is_physical_inertia(Mat3::Identity()));
  EXPECT_TRUE(is_physical_inertia(Vec3(1, 2, 3).asDiagonal()));  // a plate: the limit itself
  EXPECT_TRUE(is_physical_inertia(compute_mass_properties(Cone{1, 30}, 1e-12).inertia));
  const Mat3 R = Quat(0.3, 0.5, -0.2, 0.7).normalized().toRotationMatrix();
  EXPECT_TRUE(is_physical_inertia(R * Mat3(Vec3(1, 2, 3).asDiagonal()) * R.transpose()));
}

TEST(PhysicalInertia, IsNotThatOfNoBody) {
  EXPECT_FALSE(is_physical_inertia(Mat3::Zero()));
  EXPECT_FALSE(is_physical_inertia(Vec3(1, 1, 2.001).asDiagonal()));
  EXPECT_FALSE(is_physical_inertia(Vec3(-1, 1, 1).asDiagonal()));
  EXPECT_FALSE(is_physical_inertia(Vec3(1, 1, NAN).asDiagonal()));
  Mat3 skewed = Mat3::Identity();
  skewed(0, 1) = 0.1;
  EXPECT_FALSE(is_physical_inertia(skewed));
}

}  // namespace
}  // namespace carom::geometry
