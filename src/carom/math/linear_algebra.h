// The vocabulary of vectors and matrices. This folder is the only one that names Eigen; everything
// else says Vec3. Quaternions turn body coordinates into world coordinates.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace carom::math {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using VecX = Eigen::VectorXd;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat3 = Eigen::Matrix3d;
using Mat3x4 = Eigen::Matrix<double, 3, 4>;
using MatX = Eigen::MatrixXd;
using Quat = Eigen::Quaterniond;  // constructed w, x, y, z
using Index = Eigen::Index;

/// Eigen's index as one of a standard container.
constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// skew(a) * b = a × b
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// Two unit vectors that complete the unit vector n to a right-handed frame (t1, t2, n); the choice
// depends on n alone and is the same on every run.
struct Tangents {
  Vec3 first, second;
};
inline Tangents make_tangents(const Vec3& n) {
  const Vec3 axis = std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 first = n.cross(axis).normalized();
  return {first, n.cross(first)};
}

// A normal and its tangents as rows: from world axes to those of a contact.
inline Mat3 contact_axes(const Vec3& n) {
  const Tangents tangents = make_tangents(n);
  Mat3 axes;
  axes << n.transpose(), tangents.first.transpose(), tangents.second.transpose();
  return axes;
}

}  // namespace carom::math

namespace carom {
using math::Mat3;
using math::MatX;
using math::Quat;
using math::Vec3;
using math::VecX;
}  // namespace carom
