#include "carom/audit/ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/audit/motion_integrals.h"
#include "carom/audit/promises.h"

namespace carom::audit {

namespace {

using model::Motion;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Once it is not a number it stays so.
double worse(double error, double than) {
  return std::isnan(error) || than <= error ? error : than;
}

// The same of a vector: a root only where it is worse, which is rare.
void note_size(const Vec3& error, double& worst) {
  if (!(error.squaredNorm() <= worst * worst)) worst = worse(error.norm(), worst);
}

}  // namespace

Ledger::Holdings Ledger::holdings(BodyId id, const BodyState& s) const {
  const auto [mass, moment, motion] = holders_[index(id)];
  const Vec3 spin = std::isnan(moment)
                        ? Vec3(s.q * (scene_->body(id).inertia * (s.q.conjugate() * s.w)))
                        : Vec3(moment * s.w);
  const double kinetic = 0.5 * (mass * s.v.squaredNorm() + s.w.dot(spin));
  return {kinetic - mass * scene_->gravity.dot(s.x), mass * s.v, mass * s.x.cross(s.v) + spin};
}

Ledger::Holdings Ledger::count(const State& state) const {
  Holdings sum;
  for (std::size_t i = 0; i < scene_->bodies.size(); ++i) {
    if (holders_[i].motion != Motion::Dynamic) continue;
    const Holdings each = holdings(id_of<BodyId>(i), state.bodies[i]);
    sum.energy += each.energy;
    sum.momentum += each.momentum;
    sum.angular_momentum += each.angular_momentum;
  }
  return sum;
}

void Ledger::begin(const Scene& scene, const State& initial, const EnergyRange& stored) {
  scene_ = &scene;
  paths_.resize(scene.bodies.size());
  for (const Body& body : scene.bodies) {
    const bool is_alike = body.inertia.isApprox(body.inertia(0, 0) * Mat3::Identity(), 0);
    holders_.push_back({body.mass, is_alike ? body.inertia(0, 0) : kNone, body.motion});
  }
  const Holdings held = count(initial);
  totals.energy_initial = totals.energy = held.energy;
  forces_.begin(scene);
  totals.stored_initial = totals.stored = forces_.stored(initial);
  totals.most_stored = std::abs(totals.stored);
  totals.least_energy = held.energy + stored.most + totals.stored;
  totals.momentum = held.momentum;
  totals.angular_momentum = held.angular_momentum;
  totals.off.assign(deforms(scene) ? scene.bodies.size() : 0, {});
}

void Ledger::enter(const record::ResolvedImpact& impact) {
  balance(count(impact.before));
  judge_gain({}, &impact.before);
  for (const record::ContactEvent& c : impact.contacts) {
    add_impulse({c.a, c.b, c.point, c.impulse, Vec3::Zero()}, impact.before, impact.after);
  }
  for (const record::CarriedForce& j : impact.joints) add_impulse(j, impact.before, impact.after);
  balance(count(impact.after));
  judge_gain({}, &impact.after);
}

void Ledger::enter(const record::Segment& segment, const SegmentStates& at) {
  const double h = segment.flight.duration;
  balance(count(at.start));
  judge_gain({}, &at.start);
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const RigidMotion& motion = segment.flight.motions[i];
    const Vec3 &x0 = at.start.bodies[i].x, &x1 = at.end.bodies[i].x;
    const Vec3 area = integrate_position(motion, x0, x1, h);
    paths_[i] = {&motion, x1 - x0, area, std::nullopt};
    if (scene_->bodies[i].is_dynamic()) add_weight(id_of<BodyId>(i), h, area);
  }
  if (!segment.forces.effects.empty()) {
    book_effects(segment.forces, at.start, h / 2);
  } else if (segment.forces.vary()) {
    add_varying(segment, at);
  } else {
    const Steady steady{at.start, h, segment.forces.levers_at};
    for (const record::CarriedForce& force : segment.forces.start) add_force(force, steady);
  }
  enter_forces(segment, at);
  balance(count(at.end));
  judge_gain({}, &at.end);
}

void Ledger::balance(const Holdings& held) {
  totals.energy = held.energy;
  const double own = held.energy - totals.driven_work;
  const double error = std::abs(own - (totals.energy_initial - totals.dissipated));
  totals.max_energy_error = worse(totals.max_energy_error, error);
  note_size(held.momentum - totals.momentum, totals.max_momentum_error);
  note_size(held.angular_momentum - totals.angular_momentum, totals.max_angular_momentum_error);
}

// Without a state what forces hold is what it was: between times at which all bodies are counted.
void Ledger::judge_gain(const EnergyRange& stored, const State* now) {
  if (now != nullptr) {
    totals.stored = forces_.stored(*now);
    totals.most_stored = std::max(totals.most_stored, std::abs(totals.stored));
  }
  const double own = totals.energy + totals.stored - totals.driven_work;
  totals.least_energy = std::min(totals.least_energy, own + stored.most);
  totals.max_gain = worse(totals.max_gain, own + stored.least - totals.least_energy);
}

void Ledger::enter_outside(const Held& before, const Held& after) {
  const Holdings from = count(before.state), to = count(after.state);
  const double more = forces_.stored(after.state) - forces_.stored(before.state);
  totals.driven_work += to.energy + after.stored.most - from.energy - before.stored.least;
  totals.driven_work += more;
  totals.dissipated += more;  // what `energy` lacks of it
  totals.stored += more;
  totals.most_driven_work = std::max(totals.most_driven_work, std::abs(totals.driven_work));
  totals.energy = to.energy;
  totals.momentum += to.momentum - from.momentum;
  totals.angular_momentum += to.angular_momentum - from.angular_momentum;
}

void Ledger::begin_frame(const State& start, const EnergyRange& stored) {
  frame_start_ = &start;
  balance(held_ = count(start));
  judge_gain(stored, &start);
}

void Ledger::end_frame(const State& end, const EnergyRange& stored) {
  balance(held_ = count(end));
  judge_gain(stored, &end);
}

// An impulse works with the mean of the velocities before and after: J · (u⁻ + u⁺) / 2.
void Ledger::add_impulse(const record::CarriedForce& impulse, const BeforeAfter& a,
                         const BeforeAfter& b) {
  const auto work = [&](const BeforeAfter& body) {
    const Vec3 lever = impulse.point - body.before.x;
    const Vec3 along = body.before.twist().at(lever) + body.after.twist().at(lever);
    return 0.5 * (impulse.force.dot(along) + impulse.torque.dot(body.before.w + body.after.w));
  };
  book(impulse,
       {impulse.force, impulse.point.cross(impulse.force) + impulse.torque, work(a), work(b)});
}

void Ledger::add_impulse(const record::CarriedForce& impulse, const State& before,
                         const State& after) {
  add_impulse(impulse, {before[impulse.a], after[impulse.a]},
              {before[impulse.b], after[impulse.b]});
}

// What its weight does over a time, with the path's ∫x dt.
void Ledger::add_weight(BodyId id, double duration, const Vec3& area) {
  const double mass = holders_[index(id)].mass;
  totals.momentum += mass * duration * scene_->gravity;
  totals.angular_momentum += mass * area.cross(scene_->gravity);
}

// Nothing but its weight acts on it, so x is on a parabola, of which g × g = 0 leaves a line.
void Ledger::enter_flight(BodyId id, const BeforeAfter& body, double h) {
  hold(id, body);
  add_weight(id, h, h * (body.before.x + h / 2 * body.before.v));
}

void Ledger::enter_segment(const record::ClusterSegment& segment) {
  const double h = segment.duration();
  for (std::size_t i = 0; i < segment.bodies.size(); ++i) {
    const RigidMotion& motion = segment.motions[i];
    const BodyState start = dynamics::state_on(motion, 0);
    hold(segment.bodies[i], {start, segment.ends[i]});
    add_weight(segment.bodies[i], h, integrate_position(motion, start.x, segment.ends[i].x, h));
  }
  book_effects(segment.forces, *frame_start_, segment.t0 + h / 2 - frame_start_->t);
  enter_forces(segment);
  judge_bodies(segment);
  balance(held_);
}

// Each body by itself, since what two give each other cancels in the sum over all.
void Ledger::judge_bodies(const record::ClusterSegment& segment) {
  if (totals.off.empty() || !forces_.none() || !segment.forces.program.start.empty()) return;
  const double h = segment.duration();
  for (std::size_t i = 0; i < segment.bodies.size(); ++i) {
    const BodyId id = segment.bodies[i];
    const BodyState start = dynamics::state_on(segment.motions[i], 0);
    const Holdings was = holdings(id, start), is = holdings(id, segment.ends[i]);
    const Vec3 area = integrate_position(segment.motions[i], start.x, segment.ends[i].x, h);
    const Vec3 weight = holders_[index(id)].mass * scene_->gravity;
    add_off(id, is.momentum - was.momentum - h * weight,
            is.angular_momentum - was.angular_momentum - area.cross(weight));
  }
  for (std::size_t i = 0; i < segment.forces.effects.size(); ++i) {
    const Effect& effect = segment.forces.effects[i];
    add_off(segment.forces.start[i].a, -effect.impulse, -effect.moment);
    add_off(segment.forces.start[i].b, effect.impulse, effect.moment);
  }
  for (const BodyId id : segment.bodies) {
    const auto& [impulse, moment] = totals.off[index(id)];
    totals.max_momentum_error = worse(totals.max_momentum_error, impulse.norm());
    totals.max_angular_momentum_error = worse(totals.max_angular_momentum_error, moment.norm());
  }
}

void Ledger::add_off(BodyId id, const Vec3& impulse, const Vec3& moment) {
  totals.off[index(id)].impulse += impulse;
  totals.off[index(id)].moment += moment;
}

void Ledger::enter_collision(const record::Collision& collision, const BodyState& a_before,
                             const BodyState& b_before) {
  const record::ContactEvent& event = collision.event;
  const BeforeAfter a{a_before, collision.a}, b{b_before, collision.b};
  add_impulse({event.a, event.b, event.point, event.impulse, collision.couple}, a, b);
  for (const auto& [id, body] : {std::pair(event.a, &a), std::pair(event.b, &b)})
    if (holders_[index(id)].motion == Motion::Dynamic) hold(id, *body);
  balance(held_);
  judge_gain({}, nullptr);
}

void Ledger::hold(BodyId id, const BeforeAfter& body) {
  const Holdings was = holdings(id, body.before), is = holdings(id, body.after);
  held_.energy += is.energy - was.energy;
  held_.momentum += is.momentum - was.momentum;
  held_.angular_momentum += is.angular_momentum - was.angular_momentum;
}

}  // namespace carom::audit
