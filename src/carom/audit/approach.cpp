#include "carom/audit/approach.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/audit/parabola.h"

namespace carom::audit {

namespace {

const Vec3& unit_normal(const Solid& plane) {
  return std::get<geometry::Plane>(plane.shape).normal;
}

}  // namespace

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

GapBound Approach::find_bound(const Witness& witness, Interval interval, double enough) const {
  if (b.solid.is_plane()) return bound_turning_with(b, witness, interval, enough);
  if (a.solid.is_plane()) return bound_turning_with(a, witness, interval, enough);
  GapBound best = bound_turning_with(a, witness, interval, enough);
  const auto take = [&best](const GapBound& other) {
    if (other.least > best.least) best = other;
  };
  if (best.least < enough) take(bound_turning_with(b, witness, interval, enough));
  if (best.least < enough) take({bound_standing(witness, interval), best.s, best.seen});
  return best;
}

std::optional<double> Approach::find_nearest_time() const {
  if (!a.solid.is_ball() || !b.solid.is_ball()) return std::nullopt;
  if (!a.segment.motion.is_parabola() || !b.segment.motion.is_parabola()) return std::nullopt;
  const Parabola path{
      b.pose(0).p - a.pose(0).p,
      math::velocity_at(b.segment.motion, b.since) - math::velocity_at(a.segment.motion, a.since),
      b.acceleration() - a.acceleration()};
  return path.find_nearest_time(duration);
}

// Between the ends a velocity departs from its chord by an eighth of jerk · duration² at most.
double Approach::relative_speed() const {
  const double first = (a.velocity(0) - b.velocity(0)).norm();
  return std::max(first, (a.velocity(duration) - b.velocity(duration)).norm()) +
         jerk() * duration * duration / 8;
}

// How far the other solid's points are from one's own centre of mass, at most.
double Approach::reach_from(const Side& own, const Side& other) const {
  const double apart = (math::position_at(own.segment.motion, own.since) -
                        math::position_at(other.segment.motion, other.since))
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
      opening_acceleration(d) + bound_turning(a.surface(), a.solid.lever, d, a.segment.duration) +
      bound_turning(b.surface(), b.solid.lever, d, b.segment.duration) + jerk() * duration;
  const auto gap = [&](double s) { return gap_along(s, d); };
  return find_least_under_chord(gap(interval.from), gap(interval.to), K,
                                interval.to - interval.from);
}

// Of the cubic through four instants: |f - P| <= |f''''| / 4! · the product of the distances.
GapPath Approach::make_path(const Side& own, const Side& other, Interval interval) const {
  constexpr double kCubicError = 1.0 / 1944;
  const double h = interval.to - interval.from;
  const double stray = kCubicError * bound_fourth_derivative(own, other) * h * h * h * h;
  return {own, other, interval, stray};
}

// Of the other solid's points r, seen from the own body: Leibniz' rule for Rᵀ r.
double Approach::bound_fourth_derivative(const Side& own, const Side& other) const {
  const TurnRates d = own.solid.is_ball() ? TurnRates{} : compute_turn_rates(own.bounds),
                  p = other.solid.is_ball() ? TurnRates{} : compute_turn_rates(other.bounds);
  const bool are_parabolas = own.segment.motion.is_parabola() && other.segment.motion.is_parabola();
  if (!are_parabolas) return std::numeric_limits<double>::infinity();
  const double lever = other.solid.lever,
               a_rel = (other.acceleration() - own.acceleration()).norm();
  const double r1 = relative_speed() + lever * p.first, r2 = a_rel + lever * p.second;
  const double turning = d.first == 0 ? 0
                                      : d.fourth * reach_from(own, other) + 4 * d.third * r1 +
                                            6 * d.second * r2 + 4 * d.first * lever * p.third;
  return turning + lever * p.fourth;
}

GapBound Approach::bound_turning_with(const Side& own, const Witness& witness, Interval interval,
                                      double enough) const {
  const Side& other = &own == &a ? b : a;
  const auto attitude = [&](double s) { return own.pose(s).q; };
  const Vec3 d_B = attitude(witness.s).conjugate() * witness.d;
  const GapPath path = make_path(own, other, interval);
  constexpr double kUnknown = -std::numeric_limits<double>::infinity();
  GapBound bound{kUnknown, (interval.from + interval.to) / 2, kUnknown};
  if (std::isfinite(path.stray())) bound = path.bound_along(outward(own, d_B), enough);
  if (bound.least >= enough) return bound;
  const auto gap = [&](double s) { return gap_along(s, attitude(s) * d_B); };
  const double K = compute_turning_curvature(own, other, witness.d);
  const double by_chord =
      find_least_under_chord(gap(interval.from), gap(interval.to), K, interval.to - interval.from);
  return {std::max(bound.least, by_chord), bound.s, bound.seen};
}

Vec3 Approach::outward(const Side& own, const Vec3& d_own) const {
  if (own.solid.is_plane()) return own.solid.X_BS.q * unit_normal(own.solid);
  return &own == &a ? d_own : Vec3(-d_own);
}

// Only where the cubics stray too far from the motion do shorter ones tell more.
bool Approach::stays_above(double floor, const Side& own, const Vec3& d_own) const {
  constexpr int kHalvings = 3;
  const Side& other = &own == &a ? b : a;
  const Vec3 d = outward(own, d_own);
  const auto holds = [&](const auto& self, Interval part, int halvings) -> bool {
    const GapPath path = make_path(own, other, part);
    if (!std::isfinite(path.stray())) return stays_above_chords(floor, own, d_own);
    const GapBound bound = path.bound_along(d, floor);
    if (bound.least >= floor) return true;
    if (halvings == kHalvings || bound.seen < floor) return false;
    const double middle = part.from + (part.to - part.from) / 2;
    return self(self, {part.from, middle}, halvings + 1) &&
           self(self, {middle, part.to}, halvings + 1);
  };
  return holds(holds, {0, duration}, 0);
}

bool Approach::stays_above_chords(double floor, const Side& own, const Vec3& d_own) const {
  constexpr int kHalvings = 6;
  const Side& other = &own == &a ? b : a;
  const double K = compute_turning_curvature(own, other, own.pose(0).q * d_own);
  const auto gap = [&](double s) { return gap_along(s, own.pose(s).q * d_own); };
  const auto holds = [&](const auto& self, Interval part, double g0, double g1,
                         int halvings) -> bool {
    if (find_least_under_chord(g0, g1, K, part.to - part.from) >= floor) return true;
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
  const Vec3 apart = math::position_at(other.segment.motion, other.since) -
                     math::position_at(own.segment.motion, own.since);
  const Vec3 v_rel = other.velocity(0) - own.velocity(0) - o.w0.cross(apart);
  const double a_change = jerk() * duration;
  const double v_gain =
      a_rel.norm() + a_change + o.spin_acceleration * reach + o.spin * relative_speed();
  const double w_o_change = o.spin_acceleration * own.segment.duration,
               w_p_change = p.spin_acceleration * other.segment.duration;
  const double w_rel = (p.w0 - o.w0).norm() + w_o_change + w_p_change;
  const double drift = v_rel.norm() + o.spin_acceleration * own.since * apart.norm() +
                       v_gain * duration + w_rel * lever;
  const double d_turn = o.spin * duration;  // how far the direction turns away from d
  return opening_acceleration(d) + d_turn * a_rel.norm() + a_change + 2 * o.spin * drift +
         bound_turning(p, lever, d, other.segment.duration) + lever * p.spin * p.spin * d_turn +
         bound_turning(o, reach, d, own.segment.duration) + reach * o.spin * o.spin * d_turn;
}

}  // namespace carom::audit
