// The gap between two solids over an interval, from where they are at four instants of it. Seen
// from the body of one, every point of the other follows the cubic through these instants but for
// h⁴/1944 of its fourth derivative, which is bounded: `stray`. So a pair that rests, slides or
// rolls, whose gap hardly changes while its points turn fast, is proven apart by four evaluations
// of its motion where bounds on second derivatives would need hundreds.
//
// Along a direction that stands still in that body's axes, the gap to a solid with a core is the
// least of cubics, one for every point of the core. For other solids, and along a direction that
// follows a cubic itself, it is followed by chords and curvatures of these polynomials, up to a cap
// of evaluations of some ten nanoseconds each.
#pragma once

#include <array>

#include "carom/audit/side.h"

namespace carom::audit {

// A lower bound of a gap over an interval, where in it the gap seems to be least, and how large it
// seems to be there.
struct GapBound {
  double least, s, seen;
};

// The least of the chord from g0 to g1 less K s (h - s) / 2 over 0 <= s <= h.
double find_least_under_chord(double g0, double g1, double K, double h);

// Through values at 0, 1/3, 2/3 and 1.
template <typename T>
struct Cubic {
  T c0, c1, c2, c3;

  explicit Cubic(const std::array<T, 4>& f)
      : c0(f[0]),
        c1(0.5 * (-11 * f[0] + 18 * f[1] - 9 * f[2] + 2 * f[3])),
        c2(4.5 * (2 * f[0] - 5 * f[1] + 4 * f[2] - f[3])),
        c3(4.5 * (f[3] - f[0] + 3 * (f[1] - f[2]))) {}
  T at(double u) const { return c0 + u * (c1 + u * (c2 + u * c3)); }
};

using Directions = std::array<Vec3, 4>;

class GapPath {
 public:
  // stray: m; as above, of all points of the other solid.
  GapPath(const Side& own, const Side& other, Interval interval, double stray);

  // Directions are from the own solid towards the other, in the axes of the own body. Neither looks
  // further once the bound is `enough`, or cannot be any more.
  GapBound bound_along(const Vec3& d, double enough) const;
  GapBound bound_along(const Directions& d, double enough) const;  // at the four instants

  double stray() const { return stray_; }
  double instant(std::size_t i) const;  // of the four
  const Quat& own_attitude(std::size_t i) const { return own_[i].q; }

 private:
  double time_at(double u) const;  // of 0 to 1
  GapBound bound_core(const Vec3& d, double height) const;
  template <typename Gap>
  GapBound follow(const Gap& gap, double enough) const;

  const Solid &own_solid_, &other_solid_;
  Interval interval_;
  double stray_;
  std::array<Pose, 4> own_;      // of the body
  std::array<Vec3, 4> centers_;  // of the other solid, seen from it
  std::array<Quat, 4> turns_;    // likewise
};

}  // namespace carom::audit
