#include "carom/audit/ledger.h"

#include <algorithm>
#include <cmath>

#include "carom/base/check.h"

namespace carom::audit {

namespace {

using model::Motion;

struct Holdings {
  double energy = 0;
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();
};

Holdings count_holdings(const Scene& scene, const State& state) {
  Holdings sum;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (!body.is_dynamic()) continue;
    const BodyState& s = state.bodies[i];
    const Vec3 spin = s.q * (body.inertia * (s.q.conjugate() * s.w));
    const double kinetic = 0.5 * (body.mass * s.v.squaredNorm() + s.w.dot(spin));
    sum.energy += kinetic - body.mass * scene.gravity.dot(s.x);
    sum.momentum += body.mass * s.v;
    sum.angular_momentum += body.mass * s.x.cross(s.v) + spin;
  }
  return sum;
}

// ∫ω dt by Gauss–Legendre on three points.
Vec3 integrate_spin(const RigidMotion& motion, double h) {
  const double offset = 0.5 * h * std::sqrt(0.6);
  const auto w = [&](double s) { return math::angular_velocity_at(motion.rotation, s); };
  return h / 18 * (5 * w(h / 2 - offset) + 8 * w(h / 2) + 5 * w(h / 2 + offset));
}

// ∫x dt by Simpson's rule, exact on a parabola, or Boole's, exact on a polynomial of degree five.
Vec3 integrate_position(const RigidMotion& motion, const Vec3& x0, const Vec3& x1, double h) {
  const auto x = [&](double s) { return math::position_at(motion, s); };
  if (motion.is_parabola()) return h / 6 * (x0 + 4 * x(h / 2) + x1);
  return h / 90 * (7 * (x0 + x1) + 32 * (x(h / 4) + x(3 * h / 4)) + 12 * x(h / 2));
}

}  // namespace

void Ledger::begin(const Scene& scene, const State& initial) {
  scene_ = &scene;
  paths_.resize(scene.bodies.size());
  const Holdings held = count_holdings(scene, initial);
  totals.energy_initial = totals.energy = totals.least_energy = held.energy;
  totals.momentum = held.momentum;
  totals.angular_momentum = held.angular_momentum;
}

void Ledger::enter(const record::ResolvedImpact& impact) {
  balance(impact.before);
  for (const record::ContactEvent& c : impact.contacts) {
    add_impulse({c.a, c.b, c.point, c.impulse, Vec3::Zero()}, impact.before, impact.after);
  }
  for (const record::CarriedForce& j : impact.joints) add_impulse(j, impact.before, impact.after);
  balance(impact.after);
}

void Ledger::enter(const record::Stretch& stretch, const StretchStates& at) {
  const double h = stretch.flight.duration;
  balance(at.start);
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const RigidMotion& motion = stretch.flight.motions[i];
    const Vec3 &x0 = at.start.bodies[i].x, &x1 = at.end.bodies[i].x;
    const Vec3 area = integrate_position(motion, x0, x1, h);
    paths_[i] = {&motion, x1 - x0, area, std::nullopt};
    const Body& body = scene_->bodies[i];
    if (!body.is_dynamic()) continue;
    totals.momentum += body.mass * h * scene_->gravity;
    totals.angular_momentum += body.mass * area.cross(scene_->gravity);
  }
  if (stretch.forces.vary()) {
    add_varying(stretch, at);
  } else {
    for (const record::CarriedForce& force : stretch.forces.start) add_force(force, at.start, h);
  }
  balance(at.end);
}

void Ledger::balance(const State& state) {
  const Holdings held = count_holdings(*scene_, state);
  totals.energy = held.energy;
  const double own = held.energy - totals.driven_work;
  totals.least_energy = std::min(totals.least_energy, own);
  totals.max_gain = std::max(totals.max_gain, own - totals.least_energy);
  const double error = std::abs(own - (totals.energy_initial - totals.dissipated));
  totals.max_energy_error = std::max(totals.max_energy_error, error);
  totals.max_momentum_error =
      std::max(totals.max_momentum_error, (held.momentum - totals.momentum).norm());
  totals.max_angular_momentum_error = std::max(
      totals.max_angular_momentum_error, (held.angular_momentum - totals.angular_momentum).norm());
}

// An impulse works with the mean of the velocities before and after: J · (u⁻ + u⁺) / 2.
void Ledger::add_impulse(const record::CarriedForce& impulse, const State& before,
                         const State& after) {
  const auto work = [&](BodyId id) {
    const Vec3 lever = impulse.point - before[id].x;
    const Vec3 along = before[id].twist().at(lever) + after[id].twist().at(lever);
    return 0.5 * (impulse.force.dot(along) + impulse.torque.dot(before[id].w + after[id].w));
  };
  book(impulse.a, impulse.b,
       {work(impulse.a), work(impulse.b), impulse.force,
        impulse.point.cross(impulse.force) + impulse.torque});
}

double Ledger::force_work(const record::CarriedForce& force, BodyId on, const State& start,
                          double duration) {
  Path& path = paths_[index(on)];
  if (!path.turn) path.turn = integrate_spin(*path.motion, duration);
  const Vec3 torque = (force.point - start[on].x).cross(force.force) + force.torque;
  return force.force.dot(path.displacement) + torque.dot(*path.turn);
}

void Ledger::add_force(const record::CarriedForce& force, const State& start, double duration) {
  const double work_a = force_work(force, force.a, start, duration);
  const double work_b = force_work(force, force.b, start, duration);
  const BodyId moving = scene_->body(force.a).is_dynamic() ? force.a : force.b;
  const Vec3 lever = force.point - start[moving].x;
  const Vec3 area = paths_[index(moving)].area + duration * lever;
  book(force.a, force.b,
       {work_a, work_b, duration * force.force, area.cross(force.force) + duration * force.torque});
}

Ledger::Effect Ledger::effect_rate(const record::CarriedForce& force, const State& at) {
  const auto power = [&](BodyId id) {
    return force.force.dot(at[id].twist().at(force.point - at[id].x)) + force.torque.dot(at[id].w);
  };
  return {power(force.a), power(force.b), force.force,
          force.point.cross(force.force) + force.torque};
}

void Ledger::add_varying(const record::Stretch& stretch, const StretchStates& at) {
  const double h = stretch.flight.duration;
  const auto& [first, middle, last] = stretch.forces;
  base::check(middle.size() == first.size() && last.size() == first.size(),
              "forces that vary are the same at start, middle and end");
  for (std::size_t i = 0; i < first.size(); ++i) {
    const Effect f0 = effect_rate(first[i], at.start), f1 = effect_rate(middle[i], at.middle),
                 f2 = effect_rate(last[i], at.end);
    const auto simpson = [&]<typename Part>(Part Effect::* part) -> Part {
      return h / 6 * (f0.*part + 4 * f1.*part + f2.*part);
    };
    book(first[i].a, first[i].b,
         {simpson(&Effect::work_a), simpson(&Effect::work_b), simpson(&Effect::impulse),
          simpson(&Effect::moment)});
  }
}

void Ledger::book(BodyId a, BodyId b, const Effect& effect) {
  totals.dissipated -= effect.work_a - effect.work_b;
  totals.driven_work += driven_share(a, b, effect.work_a, effect.work_b);
  add_momentum(b, a, effect.impulse, effect.moment);
}

// Whatever a dynamic body gets from one that does not give way comes in from outside.
void Ledger::add_momentum(BodyId from, BodyId to, const Vec3& impulse, const Vec3& moment) {
  const bool from_dynamic = scene_->body(from).is_dynamic(),
             to_dynamic = scene_->body(to).is_dynamic();
  if (from_dynamic == to_dynamic) return;
  const double sign = to_dynamic ? 1 : -1;
  totals.momentum += sign * impulse;
  totals.angular_momentum += sign * moment;
}

// The force on a works along a's path, its reaction against b's: what a driven body spends.
double Ledger::driven_share(BodyId a, BodyId b, double work_a, double work_b) const {
  double share = 0;
  if (scene_->body(a).motion == Motion::Driven) share -= work_a;
  if (scene_->body(b).motion == Motion::Driven) share += work_b;
  return share;
}

}  // namespace carom::audit
