// Two solids during one segment, or during what their two segments have in common: how far they
// can move, and how low the gap between them can fall.
//
// Along one direction d the gap is the least over pairs of points of d · (x_b - x_a). When each of
// these has a second derivative of at most K, it stays above the chord between its values at the
// two ends of an interval less K s (h - s) / 2, and so does their minimum above the chord of the
// gaps. The part that the centres have in K is known with its sign: two bodies that fall towards
// each other have a gap above its chord. The direction may stand still or turn with either body:
// contact between faces that turn together is proven by the latter. Where fourth derivatives are
// bounded too, gap_path.h proves the same from far fewer instants.
#pragma once

#include <limits>
#include <optional>

#include "carom/audit/gap_path.h"

namespace carom::audit {

// A direction found at time s, in world axes.
struct Witness {
  Vec3 d;
  double s;
};

struct Approach {
  Side a, b;
  double duration;

  bool is_closed_form() const;   // a cheap pair
  double farthest_move() const;  // m; of any point relative to the other solid

  // A lower bound of the gap over the whole interval, along a direction found in it. Looks no
  // further once it is `enough`.
  GapBound find_bound(const Witness& witness, Interval interval, double enough) const;
  double bound_gap(const Witness& witness, Interval interval,
                   double enough = std::numeric_limits<double>::infinity()) const {
    return find_bound(witness, interval, enough).least;
  }

  // Seen from a; its stray is infinite where fourth derivatives are not bounded.
  GapPath path_of_b(Interval interval) const { return make_path(a, b, interval); }

  // Two balls on parabolas are nearest then; else nothing.
  std::optional<double> find_nearest_time() const;

  // Whether the gap along a direction that turns with one of the two, given in its body's axes,
  // provably stays above `floor` all the time; parts of it are halved up to a cap. A plane's own
  // normal is the only direction that tells, so with one the direction must turn with it.
  bool stays_above(double floor, const Side& own, const Vec3& d_own) const;

 private:
  double jerk() const { return a.bounds.jerk + b.bounds.jerk; }  // of the centres, relative
  double relative_speed() const;
  double reach_from(const Side& own, const Side& other) const;
  GapPath make_path(const Side& own, const Side& other, Interval interval) const;
  double bound_fourth_derivative(const Side& own, const Side& other) const;
  double bound_standing(const Witness& witness, Interval interval) const;
  GapBound bound_turning_with(const Side& own, const Witness& witness, Interval interval,
                              double enough) const;
  bool stays_above_chords(double floor, const Side& own, const Vec3& d_own) const;
  Vec3 outward(const Side& own, const Vec3& d_own) const;  // in its body's axes, from a to b
  double compute_turning_curvature(const Side& own, const Side& other, const Vec3& d) const;
  double opening_acceleration(const Vec3& d) const;
  double gap_along(double s, const Vec3& d) const {
    return -compute_overlap_along(a.at(s), b.at(s), d);
  }
};

}  // namespace carom::audit
