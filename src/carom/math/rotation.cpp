#include "carom/math/rotation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::math {
namespace {

bool is_diagonal(const Mat3& m) { return m(0, 1) == 0 && m(0, 2) == 0 && m(1, 2) == 0; }

}  // namespace

Quat quat_exp(const Vec3& rotation_vector) {
  const double half = 0.5 * rotation_vector.norm();
  // sin(x)/x rounds to 1 below this.
  const double scale = half < 1e-8 ? 0.5 : 0.5 * std::sin(half) / half;
  Quat q;
  q.w() = std::cos(half);
  q.vec() = scale * rotation_vector;
  return q;
}

Vec3 quat_log(const Quat& q) {
  const Vec3 axis = q.w() < 0 ? Vec3(-q.vec()) : Vec3(q.vec());
  const double sine = axis.norm();
  if (sine < 1e-8) return 2 * axis;
  return 2 * std::atan2(sine, std::abs(q.w())) / sine * axis;
}

Quat turn_between(const Vec3& from, const Vec3& to) {
  constexpr double kOpposite = 1e-12;  // of a cosine
  const Vec3 a = from.normalized(), b = to.normalized();
  const double cosine = a.dot(b);
  if (cosine < kOpposite - 1) {
    const Vec3 across = make_tangents(a).first;
    return turn_between(-a, b) * Quat(0, across.x(), across.y(), across.z());
  }
  Quat q;
  const double twice = std::sqrt((1 + cosine) * 2);  // the cosine of half the angle
  q.w() = twice * 0.5;
  q.vec() = a.cross(b) * (1 / twice);
  return q;
}

Vec3 rotate(const Quat& q, const Vec3& v) {
  const double square = v.squaredNorm();
  if (square == 0) return v;
  const Vec3 side = q.vec().cross(v);
  const Vec3 turned = v + 2 / q.squaredNorm() * (q.w() * side + q.vec().cross(side));
  return turned + (0.5 * (square - turned.squaredNorm()) / square) * turned;
}

PrincipalInertia make_principal_inertia(const Mat3& inertia) {
  const Vec3 diagonal = inertia.diagonal();
  if (is_diagonal(inertia) && std::is_sorted(diagonal.begin(), diagonal.end())) return {diagonal};
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  Mat3 axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  return {solver.eigenvalues(), Quat(axes).normalized()};
}

bool PrincipalInertia::is_spherical() const {
  const double least = moments.x(), largest = moments.z();
  return largest - least <= 8 * std::numeric_limits<double>::epsilon() * largest;
}

}  // namespace carom::math
