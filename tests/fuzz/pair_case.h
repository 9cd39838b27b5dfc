// A pair of shapes in motion out of arbitrary bytes. Numbers come from short lists of telling
// values as often as from a continuum, so that shapes line up, coincide and touch; running out of
// bytes reads as zeros.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "carom/geometry/distance/distance.h"
#include "carom/geometry/shapes/convex_hull.h"
#include "carom/math/rigid_motion.h"

namespace carom::fuzz {

class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> data) : data_(data) {}

  std::uint8_t next() { return at_ < data_.size() ? data_[at_++] : std::uint8_t{0}; }
  unsigned below(unsigned count) { return next() % count; }
  double unit() { return (next() * 256 + next()) / 65535.0; }
  double symmetric() { return 2 * unit() - 1; }

 private:
  std::span<const std::uint8_t> data_;
  std::size_t at_ = 0;
};

struct PairCase {
  geometry::Convex a, b;
  Pose X_WA, X_WB;
  RigidMotion motion_a, motion_b;
  geometry::DistanceHint garbage;
  double gap = 0;  // at which the pair is set to touch, of the smaller size
};

inline double read_length(Bytes& bytes) {
  constexpr std::array lengths{1.0, 0.5, 2.0, 1e-3, 1e-2, 10.0, 1e3, 0.7};
  const unsigned choice = bytes.below(16);
  return choice < lengths.size() ? lengths[choice] : std::pow(10, 3 * bytes.symmetric());
}

inline double read_small(Bytes& bytes) {
  constexpr std::array sizes{0.0, 0.0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-6, 1e-3};
  return sizes[bytes.below(sizes.size())];
}

inline Vec3 read_vector(Bytes& bytes) {
  const auto component = [&] {
    return bytes.below(2) == 0 ? bytes.below(9) / 4.0 - 1 : bytes.symmetric();
  };
  const double x = component(), y = component();
  return {x, y, component()};
}

inline Quat read_attitude(Bytes& bytes) {
  const unsigned kind = bytes.below(4);
  if (kind == 0) return Quat::Identity();
  const Vec3 axis = kind == 3 ? read_vector(bytes) : Vec3(Vec3::Unit(bytes.below(3)));
  const double angle = kind == 3 ? 1 : M_PI / 4 * bytes.below(8);
  const Vec3 lean = read_small(bytes) * read_vector(bytes);
  return (math::quat_exp(lean) * math::quat_exp(angle * axis)).normalized();
}

// An aspect ratio of at most a thousand.
inline double read_side(Bytes& bytes, double size) {
  return bytes.below(2) == 0 ? size : size * std::pow(10, -3 * bytes.unit());
}

inline geometry::Shape read_hull(Bytes& bytes, double size) {
  std::vector<Vec3> points;
  const unsigned count = 4 + bytes.below(12);
  for (unsigned i = 0; i < count; ++i) points.push_back(size * read_vector(bytes));
  const geometry::HullResult hull = geometry::make_convex_hull(points);
  if (hull.polyhedron) return geometry::Hull{hull.polyhedron};
  return geometry::Box{Vec3::Constant(size)};
}

inline geometry::Shape read_shape(Bytes& bytes, bool may_be_plane) {
  const double size = read_length(bytes);
  const unsigned kind = bytes.below(may_be_plane ? 8 : 7);
  const double x = read_side(bytes, size), y = read_side(bytes, size), z = read_side(bytes, size);
  switch (kind) {
    case 0:
      return geometry::Box{{x, y, z}};
    case 1:
      return geometry::Sphere{x};
    case 2:
      return geometry::Capsule{x, y};
    case 3:
      return geometry::Cylinder{x, y};
    case 4:
      return geometry::Cone{x, y};
    case 5:
      return geometry::Ellipsoid{{x, y, z}};
    case 6:
      return read_hull(bytes, size);
    default:
      return geometry::Plane{read_attitude(bytes) * Vec3::UnitZ(), size * bytes.symmetric()};
  }
}

// A plane counts as large as it is far from its origin, which is what its positions are rounded to.
inline double finite_size(const geometry::Convex& convex, const geometry::Convex& other) {
  const auto* plane = std::get_if<geometry::Plane>(&convex.shape);
  return plane ? std::max(std::abs(plane->offset), other.radius) : convex.radius;
}

inline geometry::DistanceHint read_garbage(Bytes& bytes) {
  const auto feature = [&] {
    return geometry::Feature{static_cast<geometry::FeatureKind>(bytes.below(4)),
                             static_cast<std::int32_t>(bytes.below(100)) - 10};
  };
  const geometry::Feature a = feature(), b = feature();
  return {a, b, read_vector(bytes)};
}

inline math::Rotation read_rotation(Bytes& bytes, const Quat& q0) {
  constexpr std::array speeds{0.0, 1.0, 10.0, 40.0};
  const Vec3 w = speeds[bytes.below(speeds.size())] * read_vector(bytes);
  if (bytes.below(2) == 0) return math::SteadySpin{q0, w};
  const double thin = 0.1 + 0.9 * bytes.unit(), flat = 0.1 + 0.9 * bytes.unit();
  return math::FreeTop({{thin, thin + flat * thin, thin + thin}, Quat::Identity()}, q0, w);
}

inline RigidMotion read_motion(Bytes& bytes, const Pose& X, double size) {
  const Vec3 v = 4 * size * read_vector(bytes), a = 10 * size * read_vector(bytes);
  return {X.p, v, a, read_rotation(bytes, X.q)};
}

inline PairCase read_pair(std::span<const std::uint8_t> data) {
  Bytes bytes(data);
  PairCase c;
  c.a = geometry::make_convex(read_shape(bytes, true));
  const bool plane = std::holds_alternative<geometry::Plane>(c.a.shape);
  c.b = geometry::make_convex(read_shape(bytes, !plane));
  const double size = finite_size(c.a, c.b) + finite_size(c.b, c.a);
  c.X_WA = {Vec3::Zero(), read_attitude(bytes)};
  c.X_WB.q = bytes.below(2) == 0 ? Quat((c.X_WA.q * read_attitude(bytes)).normalized())
                                 : read_attitude(bytes);
  c.X_WB.p = size * (bytes.below(2) == 0 ? read_vector(bytes) : Vec3(0.1 * read_vector(bytes)));
  c.gap = read_small(bytes) * 1e-3;
  c.garbage = read_garbage(bytes);
  c.motion_a = read_motion(bytes, c.X_WA, size);
  c.motion_b = read_motion(bytes, c.X_WB, size);
  return c;
}

}  // namespace carom::fuzz
