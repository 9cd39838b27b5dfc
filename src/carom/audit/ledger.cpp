#include "carom/audit/ledger.h"

#include <algorithm>
#include <cmath>

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

void Ledger::enter(const record::Stretch& stretch, const State& start, const State& end) {
  const double h = stretch.flight.duration;
  balance(start);
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const RigidMotion& motion = stretch.flight.motions[i];
    const Vec3 &x0 = start.bodies[i].x, &x1 = end.bodies[i].x;
    const Vec3 middle = math::position_at(motion, h / 2);
    const Vec3 area = h / 6 * (x0 + 4 * middle + x1);  // Simpson: exact on a parabola
    paths_[i] = {&motion, x1 - x0, area, std::nullopt};
    const Body& body = scene_->bodies[i];
    if (!body.is_dynamic()) continue;
    totals.momentum += body.mass * h * scene_->gravity;
    totals.angular_momentum += body.mass * area.cross(scene_->gravity);
  }
  for (const record::CarriedForce& force : stretch.forces.start) add_force(force, start, h);
  balance(end);
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
  const double work_a = work(impulse.a), work_b = work(impulse.b);
  totals.dissipated -= work_a - work_b;
  totals.driven_work += driven_share(impulse.a, impulse.b, work_a, work_b);
  add_momentum(impulse.b, impulse.a, impulse.force,
               impulse.point.cross(impulse.force) + impulse.torque);
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
  totals.dissipated -= work_a - work_b;
  totals.driven_work += driven_share(force.a, force.b, work_a, work_b);
  const BodyId moving = scene_->body(force.a).is_dynamic() ? force.a : force.b;
  const Vec3 lever = force.point - start[moving].x;
  const Vec3 area = paths_[index(moving)].area + duration * lever;
  add_momentum(force.b, force.a, duration * force.force,
               area.cross(force.force) + duration * force.torque);
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
