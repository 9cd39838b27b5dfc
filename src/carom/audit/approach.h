// Two solids during one stretch, or during what their two stretches have in common: how far they
// can move, and how low the gap between them can fall.
//
// Along one direction d the gap is the least over pairs of points of d · (x_b - x_a). When each of
// these has a second derivative of at most K, it stays above the chord between its values at the
// two ends of an interval less K s (h - s) / 2, and so does their minimum above the chord of the
// gaps. The part that the centres have in K is known with its sign: two bodies that fall towards
// each other have a gap above its chord. The direction may stand still or turn with either body:
// contact between faces that turn together is proven by the latter.
#pragma once

#include <limits>

#include "carom/audit/motion_bounds.h"
#include "carom/audit/overlap.h"

namespace carom::audit {

struct Interval {
  double from, to;
};

// Where a body is as an approach begins and ends, for whoever knows.
struct Ends {
  double duration;
  Pose first, last;
};

struct Side {
  const Solid& solid;
  const BodyStretch& stretch;
  MotionBounds bounds;
  double since = 0;  // s; of the body's stretch that had passed when the approach began
  const MotionBounds* of_surface = nullptr;  // where what the solid fills turns less than the body
  const Ends* ends = nullptr;

  const MotionBounds& surface() const { return of_surface != nullptr ? *of_surface : bounds; }
  Pose pose(double s) const;  // of the body, s after that
  Vec3 velocity(double s) const;
  Vec3 acceleration() const { return math::acceleration_at(stretch.motion, since); }  // at first
  PlacedSolid at(double s) const { return {solid, pose(s) * solid.X_BS}; }
};

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

  // A lower bound of the gap over the whole interval, from the overlaps at its ends. Looks no
  // further once it is `enough`.
  double bound_gap(const Witness& witness, Interval interval,
                   double enough = std::numeric_limits<double>::infinity()) const;

  // Whether the gap along a direction that turns with one of the two, given in its body's axes,
  // provably stays above `floor` all the time; parts of it are halved up to a cap. A plane's own
  // normal is the only direction that tells, so with one the direction must turn with it.
  bool stays_above(double floor, const Side& own, const Vec3& d_own) const;

 private:
  double jerk() const { return a.bounds.jerk + b.bounds.jerk; }  // of the centres, relative
  double relative_speed() const;
  double reach_from(const Side& own, const Side& other) const;
  double bound_standing(const Witness& witness, Interval interval) const;
  double bound_turning_with(const Side& own, const Side& other, const Witness& witness,
                            Interval interval) const;
  double compute_turning_curvature(const Side& own, const Side& other, const Vec3& d) const;
  double opening_acceleration(const Vec3& d) const;
  double gap_along(double s, const Vec3& d) const {
    return -compute_overlap_along(a.at(s), b.at(s), d);
  }
};

}  // namespace carom::audit
