#include "carom/audit/approach.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::audit {

namespace {

// The least of the chord from g0 to g1 less K s (h - s) / 2 over 0 <= s <= h.
double least_gap(double g0, double g1, double K, double h) {
  const double slope = (g1 - g0) / h;
  const double s = K > 0 ? std::clamp(h / 2 - slope / K, 0.0, h) : 0;
  return std::min({g0, g1, g0 + slope * s - K * s * (h - s) / 2});
}

}  // namespace

Pose Side::pose(double s) const {
  if (ends != nullptr && s == 0) return ends->first;
  if (ends != nullptr && s == ends->duration) return ends->last;
  const double at = since + s;
  return at == stretch.duration ? stretch.end.pose() : math::pose_at(stretch.motion, at);
}

Vec3 Side::velocity(double s) const {
  const double at = since + s;
  return at == stretch.duration ? stretch.end.v : math::velocity_at(stretch.motion, at);
}

bool Approach::is_closed_form() const {
  const bool spheres = a.solid.is_sphere() && b.solid.is_sphere();
  return spheres || a.solid.is_plane() || b.solid.is_plane();
}

// A plane's own points go on for ever: what counts is how it sweeps over the other solid.
double Approach::farthest_move() const {
  const double lever_a = a.solid.is_plane() ? reach_from(a, b) : a.solid.lever;
  const double lever_b = b.solid.is_plane() ? reach_from(b, a) : b.solid.lever;
  return (relative_speed() + a.surface().spin * lever_a + b.surface().spin * lever_b) * duration;
}

double Approach::bound_gap(const Witness& witness, Interval interval, double enough) const {
  if (b.solid.is_plane()) return bound_turning_with(b, a, witness, interval);
  if (a.solid.is_plane()) return bound_turning_with(a, b, witness, interval);
  double bound = bound_standing(witness, interval);
  if (bound < enough) bound = std::max(bound, bound_turning_with(a, b, witness, interval));
  if (bound < enough) bound = std::max(bound, bound_turning_with(b, a, witness, interval));
  return bound;
}

// Between the ends a velocity departs from its chord by an eighth of jerk · duration² at most.
double Approach::relative_speed() const {
  const double first = (a.velocity(0) - b.velocity(0)).norm();
  return std::max(first, (a.velocity(duration) - b.velocity(duration)).norm()) +
         jerk() * duration * duration / 8;
}

// How far the other solid's points are from one's own centre of mass, at most.
double Approach::reach_from(const Side& own, const Side& other) const {
  const double apart = (math::position_at(own.stretch.motion, own.since) -
                        math::position_at(other.stretch.motion, other.since))
                           .norm();
  return apart + relative_speed() * duration + other.solid.lever;
}

// Of the centres, as the approach begins.
double Approach::opening_acceleration(const Vec3& d) const {
  return d.dot(b.acceleration() - a.acceleration());
}

double Approach::bound_standing(const Witness& witness, Interval interval) const {
  const Vec3& d = witness.d;
  const double K =
      opening_acceleration(d) + bound_turning(a.surface(), a.solid.lever, d, a.stretch.duration) +
      bound_turning(b.surface(), b.solid.lever, d, b.stretch.duration) + jerk() * duration;
  const auto gap = [&](double s) { return gap_along(s, d); };
  return least_gap(gap(interval.from), gap(interval.to), K, interval.to - interval.from);
}

double Approach::bound_turning_with(const Side& own, const Side& other, const Witness& witness,
                                    Interval interval) const {
  const auto attitude = [&](double s) { return own.pose(s).q; };
  const Vec3 d_B = attitude(witness.s).conjugate() * witness.d;
  const auto gap = [&](double s) { return gap_along(s, attitude(s) * d_B); };
  const double K = compute_turning_curvature(own, other, witness.d);
  return least_gap(gap(interval.from), gap(interval.to), K, interval.to - interval.from);
}

bool Approach::stays_above(double floor, const Side& own, const Vec3& d_own) const {
  constexpr int kHalvings = 6;
  const Side& other = &own == &a ? b : a;
  const double K = compute_turning_curvature(own, other, own.pose(0).q * d_own);
  const auto gap = [&](double s) { return gap_along(s, own.pose(s).q * d_own); };
  const auto holds = [&](const auto& self, Interval part, double g0, double g1,
                         int halvings) -> bool {
    if (least_gap(g0, g1, K, part.to - part.from) >= floor) return true;
    if (halvings == kHalvings || std::min(g0, g1) < floor) return false;
    const double middle = part.from + (part.to - part.from) / 2, g = gap(middle);
    return self(self, {part.from, middle}, g0, g, halvings + 1) &&
           self(self, {middle, part.to}, g, g1, halvings + 1);
  };
  return holds(holds, {0, duration}, gap(0), gap(duration), 0);
}

// In the frame of one body, ω and α its own, the other's points at r accelerate by
// a − α × r − 2 ω × r' − ω × (ω × r), where r' is their velocity in that frame.
double Approach::compute_turning_curvature(const Side& own, const Side& other,
                                           const Vec3& d) const {
  const MotionBounds &o = own.bounds, &p = other.surface();
  const double lever = other.solid.lever, reach = reach_from(own, other);
  const Vec3 a_rel = other.acceleration() - own.acceleration();
  const Vec3 apart = math::position_at(other.stretch.motion, other.since) -
                     math::position_at(own.stretch.motion, own.since);
  const Vec3 v_rel = other.velocity(0) - own.velocity(0) - o.w0.cross(apart);
  const double a_change = jerk() * duration;
  const double v_gain =
      a_rel.norm() + a_change + o.spin_acceleration * reach + o.spin * relative_speed();
  const double w_o_change = o.spin_acceleration * own.stretch.duration,
               w_p_change = p.spin_acceleration * other.stretch.duration;
  const double w_rel = (p.w0 - o.w0).norm() + w_o_change + w_p_change;
  const double drift = v_rel.norm() + o.spin_acceleration * own.since * apart.norm() +
                       v_gain * duration + w_rel * lever;
  const double d_turn = o.spin * duration;  // how far the direction turns away from d
  return opening_acceleration(d) + d_turn * a_rel.norm() + a_change + 2 * o.spin * drift +
         bound_turning(p, lever, d, other.stretch.duration) + lever * p.spin * p.spin * d_turn +
         bound_turning(o, reach, d, own.stretch.duration) + reach * o.spin * o.spin * d_turn;
}

}  // namespace carom::audit
