#include "carom/audit/gap_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::audit {

namespace {

// The second derivative is linear in time and the first within its control points.
template <typename T>
double bound_bend(const Cubic<T>& c) {
  return std::max((2 * c.c2).norm(), (2 * c.c2 + 6 * c.c3).norm());
}
template <typename T>
double bound_rate(const Cubic<T>& c) {
  return std::max({c.c1.norm(), (c.c1 + c.c2).norm(), (c.c1 + 2 * c.c2 + 3 * c.c3).norm()});
}

// How far the own solid reaches along d; d and the result are those of the body.
double reach_along(const Solid& solid, const Vec3& d) {
  if (const auto* plane = std::get_if<geometry::Plane>(&solid.shape))
    return plane->offset + d.dot(solid.X_BS.p);
  const Vec3 d_S = solid.X_BS.q.conjugate() * d;
  return d.dot(solid.X_BS.p) + d_S.dot(support_point(solid, d_S));
}

// What is left of a solid without its rounding, along a vector that need not be of unit length.
double core_reach(const Solid& solid, const Vec3& v) {
  if (solid.core.empty()) return v.dot(support_point(solid, v));
  double reach = -std::numeric_limits<double>::infinity();
  for (const Vec3& point : solid.core) reach = std::max(reach, v.dot(point));
  return reach;
}

double core_radius(const Solid& solid) { return solid.radius - solid.rounding; }

// Where the cubic through four values is least.
struct Lowest {
  double value, u;
};
Lowest find_least(const std::array<double, 4>& f) {
  const Cubic<double> cubic(f);
  Lowest least = f[0] <= f[3] ? Lowest{f[0], 0} : Lowest{f[3], 1};
  const auto consider = [&](double u) {
    if (!(u > 0 && u < 1)) return;
    const double value = cubic.at(u);
    if (value < least.value) least = {value, u};
  };
  const double a = 3 * cubic.c3, b = cubic.c2, c = cubic.c1;  // a u² + 2 b u + c = 0
  const double square = b * b - a * c;
  if (!(square >= 0)) return least;
  const double q = -(b + std::copysign(std::sqrt(square), b));
  consider(q / a);
  consider(c / q);
  return least;
}

// The gap along a direction on a cubic, between polynomials; see follow().
struct TurningGap {
  const Solid &own, &other;
  Cubic<Vec3> d, center;
  Cubic<Vec3> axis;  // of the other solid, if it is round
  Cubic<Mat3> turn;  // of the other solid, else

  // How far |d| may be from 1. The gap times |d| is followed, and the lesser of what that may mean.
  static constexpr double kOff = 1e-3;

  double at(double u) const {
    const Vec3 along = d.at(u);
    const double length = along.norm();
    if (!(std::abs(length - 1) <= kOff)) return -std::numeric_limits<double>::infinity();
    const Vec3 d_own = own.X_BS.q.conjugate() * along;
    const double height = along.dot(own.X_BS.p) + core_reach(own, d_own) + own.rounding * length;
    const double other_height = core_reach(other, facing(u, along)) + other.rounding * length;
    const double gap = along.dot(center.at(u)) - height - other_height;
    return gap / (gap > 0 ? 1 + kOff : 1 - kOff);
  }
  Vec3 facing(double u, const Vec3& along) const {
    if (!other.is_round()) return turn.at(u).transpose() * -along;
    const Vec3 e = axis.at(u);
    return {e.cross(along).norm(), 0, -e.dot(along)};
  }
  double curvature() const {
    constexpr double kRoom = 1.01;  // for |d| and for cubics of unit vectors
    const double d1 = bound_rate(d), d2 = bound_bend(d), e1 = bound_rate(axis),
                 e2 = bound_bend(axis), m1 = bound_rate(turn), m2 = bound_bend(turn);
    const double turning = other.is_round() ? 2 * (e2 + 2 * e1 * d1 + d2) : m2 + 2 * m1 * d1 + d2;
    const double far = center.c0.norm() + bound_rate(center);
    const double own_reach = own.X_BS.p.norm() + core_radius(own);
    return kRoom * (d2 * far + 2 * d1 * bound_rate(center) + bound_bend(center) + own_reach * d2 +
                    core_radius(other) * turning + (own.rounding + other.rounding) * d2);
  }
};

// The same along one that stands still.
struct StandingGap {
  const Solid& other;
  Cubic<double> center;
  Cubic<Vec3> facing;  // seen from the other solid; of a round one its axis, see at()
  Vec3 d;

  double at(double u) const {
    const Vec3 v = facing.at(u);
    if (!other.is_round()) return center.at(u) - core_reach(other, -v);
    const Vec3 from_axis(v.cross(d).norm(), 0, -v.dot(d));
    return center.at(u) - core_reach(other, from_axis);
  }
  double curvature() const {
    const double bend = std::max(2 * center.c2, 2 * center.c2 + 6 * center.c3);
    const double parts = other.is_round() ? 2 : 1;  // across and along the axis
    return bend + parts * core_radius(other) * bound_bend(facing);
  }
};

}  // namespace

double find_least_under_chord(double g0, double g1, double K, double h) {
  const double slope = (g1 - g0) / h;
  const double s = K > 0 ? std::clamp(h / 2 - slope / K, 0.0, h) : 0;
  return std::min({g0, g1, g0 + slope * s - K * s * (h - s) / 2});
}

GapPath::GapPath(const Side& own, const Side& other, Interval interval, double stray)
    : own_solid_(own.solid), other_solid_(other.solid), interval_(interval), stray_(stray) {
  for (std::size_t i = 0; i < 4; ++i) {
    own_[i] = own.pose(instant(i));
    const PlacedSolid placed = other.at(instant(i));
    const Quat seen = own_[i].q.conjugate();
    centers_[i] = seen * (placed.X_WS.p - own_[i].p);
    turns_[i] = seen * placed.X_WS.q;
  }
}

double GapPath::time_at(double u) const {
  return interval_.from + u * (interval_.to - interval_.from);
}

double GapPath::instant(std::size_t i) const {
  if (i == 3) return interval_.to;
  return time_at(static_cast<double>(i) / 3);
}

GapBound GapPath::bound_along(const Vec3& d, double enough) const {
  const double height = reach_along(own_solid_, d);
  if (!other_solid_.core.empty()) return bound_core(d, height);
  std::array<double, 4> center{};
  std::array<Vec3, 4> facing;
  for (std::size_t i = 0; i < 4; ++i) {
    center[i] = d.dot(centers_[i]) - height;
    facing[i] =
        other_solid_.is_round() ? turns_[i] * Vec3::UnitZ() : Vec3(turns_[i].conjugate() * d);
  }
  return follow(StandingGap{other_solid_, Cubic(center), Cubic(facing), d}, enough);
}

GapBound GapPath::bound_core(const Vec3& d, double height) const {
  std::array<Vec3, 4> facing;
  std::array<double, 4> center{}, f{};
  for (std::size_t i = 0; i < 4; ++i) {
    facing[i] = turns_[i].conjugate() * d;
    center[i] = d.dot(centers_[i]) - height - other_solid_.rounding;
  }
  Lowest least{std::numeric_limits<double>::infinity(), 0};
  for (const Vec3& point : other_solid_.core) {
    for (std::size_t i = 0; i < 4; ++i) f[i] = center[i] + facing[i].dot(point);
    const auto [low, high] = std::ranges::minmax(f);
    if (low - (high - low) > least.value) continue;  // a cubic leaves its values by less
    const Lowest found = find_least(f);
    if (found.value < least.value) least = found;
  }
  return {least.value - stray_, time_at(least.u), least.value};
}

GapBound GapPath::bound_along(const Directions& d, double enough) const {
  std::array<Vec3, 4> axes;
  std::array<Mat3, 4> turns;
  for (std::size_t i = 0; i < 4; ++i) {
    turns[i] = turns_[i].toRotationMatrix();
    axes[i] = turns[i].col(2);
  }
  return follow(
      TurningGap{own_solid_, other_solid_, Cubic(d), Cubic(centers_), Cubic(axes), Cubic(turns)},
      enough);
}

// From chord to chord, each as long as the gaps at its ends allow.
template <typename Gap>
GapBound GapPath::follow(const Gap& gap, double enough) const {
  constexpr int kMostEvaluations = 400;
  const double K = gap.curvature(), floor = enough + stray_;
  double u = 0, g = gap.at(0);
  const double last = gap.at(1), least = find_least_under_chord(g, last, K, 1);
  Lowest lowest = g <= last ? Lowest{g, 0} : Lowest{last, 1};
  double length = least >= floor ? 1 : std::sqrt(8 * std::max(lowest.value - floor, 0.0) / K);
  for (int i = 0; i < kMostEvaluations && u < 1 && lowest.value >= floor; ++i) {
    length = std::min(length, 1 - u);
    const double next = gap.at(u + length);
    if (next < lowest.value) lowest = {next, u + length};
    const bool holds = find_least_under_chord(g, next, K * length * length, 1) >= floor;
    if (holds) {
      u += length;
      g = next;
    }
    length *= holds ? 1.5 : 0.5;
  }
  const double proven = u >= 1 ? std::max(enough, least - stray_) : least - stray_;
  return {proven, time_at(lowest.u), lowest.value};
}

}  // namespace carom::audit
