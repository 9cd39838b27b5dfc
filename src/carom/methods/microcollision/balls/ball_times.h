// When balls that fly freely meet one another, planes and the faces of cells, in closed form: balls
// fall alike, so that two of them move past each other in a straight line, and each passes planes
// on a parabola.
//
// Round-off cannot make balls sink into one another: what overlaps, be it by 1e-16 m, and
// approaches meets at once. Costs 5 to 20 ns each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "carom/math/linear_algebra.h"

namespace carom::methods {

constexpr double kNever = std::numeric_limits<double>::infinity();

// As much of a ball as neighbours look at; one cache line. It is seen from a frame that falls with
// the balls from the frame's beginning on, in which they fly straight.
struct alignas(64) Ball {
  Vec3 x, v;           // at its clock
  double clock = 0;    // s since the frame began: its last collision
  std::int32_t kind;   // radius, mass, material
  std::uint32_t hits;  // how often it has collided in this frame

  Vec3 position_at(double s) const { return x + (s - clock) * v; }
};
static_assert(sizeof(Ball) == 64);

// How a ball passes another from now on: squares and product of their distance and velocity.
struct Passage {
  double dx2 = 0, dv2 = 0, dxdv = 0;

  // Whether they meet, for centres that are `reach` apart when they do. Without branches: it is
  // hard to predict.
  bool meets(double reach) const {
    return (static_cast<int>(dxdv < 0) & static_cast<int>(discriminant(reach) >= 0)) != 0;
  }
  double time_to_meeting(double reach) const {  // if they do
    const double apart = dx2 - reach * reach;
    return apart <= 0 ? 0 : apart / (std::sqrt(discriminant(reach)) - dxdv);
  }
  double discriminant(double reach) const { return dxdv * dxdv - dv2 * (dx2 - reach * reach); }
};

// `x` and `v` are one ball's now.
inline Passage find_passage(const Vec3& x, const Vec3& v, const Ball& other, double now) {
  const double later = now - other.clock;
  Passage out;
  for (int i = 0; i < 3; ++i) {
    const double dx = x[i] - (other.x[i] + later * other.v[i]);
    const double dv = v[i] - other.v[i];
    out.dx2 += dx * dx;
    out.dv2 += dv * dv;
    out.dxdv += dx * dv;
  }
  return out;
}

// A point on a line: height h + v s + a s²/2 above 0, to which it comes down from above.
inline double time_of_descent(double h, double v, double a) {
  const double discriminant = v * v - 2 * a * h;
  if (a >= 0) {
    if (v >= 0 || discriminant < 0) return kNever;
    return h <= 0 ? 0 : 2 * h / (std::sqrt(discriminant) - v);
  }
  if (h <= 0 && v <= 0) return 0;
  if (discriminant <= 0) return v / -a;  // below by round-off, and it stays there: when it turns
  const double root = std::sqrt(discriminant);
  return v > 0 ? (v + root) / -a : 2 * h / (root - v);
}

// When a coordinate v s + a s²/2 leaves the interval [to_low, to_high] after `now`, and at which
// end. A parabola passes the face that it turns away from before its turning point and never after;
// both the order of the two passages and this rule hold exactly, so that a coordinate that grazes a
// face crosses it at most twice.
struct Exit {
  double s = kNever;
  bool upward = false;
};
inline Exit find_exit(double to_low, double to_high, double v, double a, double now) {
  if (a == 0) {
    if (v == 0) return {};
    return {std::max(now, (v > 0 ? to_high : -to_low) / std::abs(v)), v > 0};
  }
  if (a > 0) {
    const Exit mirrored = find_exit(-to_high, -to_low, -v, -a, now);
    return {mirrored.s, !mirrored.upward};
  }
  const double turn = -v / a;
  const double up = v * v + 2 * a * to_high;
  if (now < turn && up >= 0) return {std::max(now, 2 * to_high / (v + std::sqrt(up))), true};
  const double root = std::sqrt(std::max(0.0, v * v + 2 * a * to_low));
  const double down = v > 0 ? (v + root) / -a : (root > v ? -2 * to_low / (root - v) : 0);
  return {std::max({down, turn, now}), false};
}

}  // namespace carom::methods
