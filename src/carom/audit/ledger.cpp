#include "carom/audit/ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/audit/promises.h"
#include "carom/base/check.h"

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

// ∫ω dt by Gauss–Legendre on three points.
Vec3 integrate_spin(const RigidMotion& motion, double h) {
  const double offset = 0.5 * h * std::sqrt(0.6);
  const auto w = [&](double s) { return math::angular_velocity_at(motion.rotation, s); };
  return h / 18 * (5 * w(h / 2 - offset) + 8 * w(h / 2) + 5 * w(h / 2 + offset));
}

// Over a time from the start, of a parabola: ∫x dt / h = x₀ + h v₀/2 + h² a/6.
Vec3 mean_position(const BodyState& start, const RigidMotion& motion, double h) {
  if (h == 0) return start.x;
  const Vec3 fallen = math::position_at(motion, h) - (start.x + h * start.v);
  return start.x + 0.5 * h * start.v + fallen / 3;
}

// Constant forces have the levers of the mean of a time.
Vec3 lever_of(const record::CarriedForce& force, const BodyState& start, const RigidMotion& motion,
              const Steady& segment) {
  return force.point - mean_position(start, motion, 2 * segment.levers_at);
}

// ∫x dt by Simpson's rule, exact on a parabola, or Boole's, exact on a polynomial of degree five.
Vec3 integrate_position(const RigidMotion& motion, const Vec3& x0, const Vec3& x1, double h) {
  const auto x = [&](double s) { return math::position_at(motion, s); };
  if (motion.is_parabola()) return h / 6 * (x0 + 4 * x(h / 2) + x1);
  return h / 90 * (7 * (x0 + x1) + 32 * (x(h / 4) + x(3 * h / 4)) + 12 * x(h / 2));
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

double Ledger::force_work(const record::CarriedForce& force, BodyId on, const Steady& segment) {
  Path& path = paths_[index(on)];
  if (!path.turn) path.turn = integrate_spin(*path.motion, segment.duration);
  const Vec3 lever = lever_of(force, segment.start[on], *path.motion, segment);
  const Vec3 torque = lever.cross(force.force) + force.torque;
  return force.force.dot(path.displacement) + torque.dot(*path.turn);
}

void Ledger::add_force(const record::CarriedForce& force, const Steady& segment) {
  const double work_a = force_work(force, force.a, segment);
  const double work_b = force_work(force, force.b, segment);
  const BodyId moving = scene_->body(force.a).is_dynamic() ? force.a : force.b;
  const Path& path = paths_[index(moving)];
  const double h = segment.duration;
  const Vec3 lever = lever_of(force, segment.start[moving], *path.motion, segment);
  const Vec3 area = path.area + h * lever;
  book(force, {h * force.force, area.cross(force.force) + h * force.torque, work_a, work_b});
}

Ledger::Effect Ledger::effect_rate(const record::CarriedForce& force, const State& at) {
  const auto power = [&](BodyId id) {
    return force.force.dot(at[id].twist().at(force.point - at[id].x)) + force.torque.dot(at[id].w);
  };
  return {force.force, force.point.cross(force.force) + force.torque, power(force.a),
          power(force.b)};
}

void Ledger::add_varying(const record::Segment& segment, const SegmentStates& at) {
  const double h = segment.flight.duration;
  const auto first = segment.forces.start, middle = segment.forces.middle,
             last = segment.forces.end;
  base::check(middle.size() == first.size() && last.size() == first.size(),
              "forces that vary are the same at start, middle and end");
  for (std::size_t i = 0; i < first.size(); ++i) {
    const Effect f0 = effect_rate(first[i], at.start), f1 = effect_rate(middle[i], at.middle),
                 f2 = effect_rate(last[i], at.end);
    const auto simpson = [&]<typename Part>(Part Effect::* part) -> Part {
      return h / 6 * (f0.*part + 4 * f1.*part + f2.*part);
    };
    book(first[i], {simpson(&Effect::impulse), simpson(&Effect::moment), simpson(&Effect::work_a),
                    simpson(&Effect::work_b)});
  }
}

void Ledger::enter_forces(const ForceWork& work) {
  totals.driven_work += work.sum.given;
  totals.most_driven_work = std::max(totals.most_driven_work, std::abs(totals.driven_work));
  totals.dissipated += work.sum.given - work.sum.work;
  totals.momentum += work.sum.impulse;
  totals.angular_momentum += work.sum.moment;
  totals.forces_energy_off += work.energy_off;
  totals.forces_impulse_off += work.impulse_off;
  totals.forces_moment_off += work.moment_off;
}

void Ledger::enter_forces(const record::Segment& segment, const SegmentStates& at) {
  const double h = segment.flight.duration;
  const std::vector<RigidMotion>& motions = segment.flight.motions;
  const auto body_at = [&](BodyId id, double s) {
    return dynamics::state_on(motions[index(id)], s);
  };
  if (!forces_.none()) enter_forces(forces_.over(h, body_at));
  for (std::size_t i = 0; i < segment.forces.program.start.size(); ++i)
    enter_program(segment.forces.program, i, id_of<BodyId>(i),
                  {motions[i], at.start.bodies[i].x, at.end.bodies[i].x, h});
}

void Ledger::enter_forces(const record::ClusterSegment& segment) {
  const auto body_at = [&](BodyId id, double s) {
    const auto found = std::ranges::lower_bound(segment.bodies, id);
    if (found != segment.bodies.end() && *found == id)
      return dynamics::state_on(
          segment.motions[static_cast<std::size_t>(found - segment.bodies.begin())], s);
    const RigidMotion motion = dynamics::fly_freely(*scene_, scene_->body(id), (*frame_start_)[id]);
    return dynamics::state_on(motion, segment.t0 - frame_start_->t + s);
  };
  if (!forces_.none()) enter_forces(forces_.over(segment.duration(), segment.bodies, body_at));
  for (std::size_t i = 0; i < segment.forces.program.start.size(); ++i) {
    const Vec3 start = math::position_at(segment.motions[i], 0);
    enter_program(segment.forces.program, i, segment.bodies[i],
                  {segment.motions[i], start, segment.ends[i].x, segment.duration()});
  }
}

// A constant wrench works along the whole way; one that varies is known at three times.
void Ledger::enter_program(const record::ProgramWrenches& wrenches, std::size_t i, BodyId id,
                           const Span& span) {
  if (holders_[index(id)].motion != Motion::Dynamic) return;
  const double h = span.duration;
  const dynamics::Wrench& first = wrenches.start[i];
  ForceSum sum;
  if (wrenches.middle.empty()) {
    const Vec3 area = integrate_position(span.motion, span.x0, span.x1, h);
    const double work =
        first.force.dot(span.x1 - span.x0) + first.torque.dot(integrate_spin(span.motion, h));
    sum = {h * first.force, area.cross(first.force) + h * first.torque, work, work};
  } else {
    const auto rate = [&](const dynamics::Wrench& wrench, double s) -> ForceSum {
      const BodyState at = dynamics::state_on(span.motion, s);
      const double power = wrench.force.dot(at.v) + wrench.torque.dot(at.w);
      return {wrench.force, at.x.cross(wrench.force) + wrench.torque, power, power};
    };
    sum.add(h / 6, rate(first, 0));
    sum.add(4 * h / 6, rate(wrenches.middle[i], h / 2));
    sum.add(h / 6, rate(wrenches.end[i], h));
  }
  enter_forces(ForceWork{.sum = sum, .energy_off = 0, .impulse_off = 0, .moment_off = 0});
}

// The work of a force against a driven body follows from its impulse and moment.
void Ledger::book_effects(const record::Forces& forces, const State& start, double middle) {
  base::check(forces.effects.size() == forces.start.size(), "every force has its effect");
  for (std::size_t i = 0; i < forces.effects.size(); ++i) {
    const BodyId a = forces.start[i].a, b = forces.start[i].b;
    Effect effect = forces.effects[i];
    book_internal(forces.start[i], effect.work_a - effect.work_b);
    effect.work_a = work_along(start[a], effect, middle);
    effect.work_b = work_along(start[b], effect, middle);
    pass_on(a, b, effect);
  }
}

// Along a motion of constant velocities, of a force about the middle of a time: with p where it
// acts, f·(v + ω × (p - x)) = f·v + ω·(p × f - x × f).
double Ledger::work_along(const BodyState& body, const Effect& effect, double middle) {
  const Vec3 x = body.x + middle * body.v;
  return effect.impulse.dot(body.v) + body.w.dot(effect.moment - x.cross(effect.impulse));
}

void Ledger::book(const record::CarriedForce& force, const Effect& effect) {
  book_internal(force, effect.work_a - effect.work_b);
  pass_on(force.a, force.b, effect);
}

// What a force does between its two bodies: a motor brings it in, others take it away.
void Ledger::book_internal(const record::CarriedForce& force, double work) {
  if (force.motor) {
    totals.driven_work += work;
  } else {
    totals.dissipated -= work;
  }
}

// What comes in from bodies that do not give way.
void Ledger::pass_on(BodyId a, BodyId b, const Effect& effect) {
  totals.driven_work += driven_share(a, b, effect.work_a, effect.work_b);
  totals.most_driven_work = std::max(totals.most_driven_work, std::abs(totals.driven_work));
  add_momentum(b, a, effect.impulse, effect.moment);
}

// Whatever a dynamic body gets from one that does not give way comes in from outside.
void Ledger::add_momentum(BodyId from, BodyId to, const Vec3& impulse, const Vec3& moment) {
  const bool from_dynamic = holders_[index(from)].motion == Motion::Dynamic,
             to_dynamic = holders_[index(to)].motion == Motion::Dynamic;
  if (from_dynamic == to_dynamic) return;
  const double sign = to_dynamic ? 1 : -1;
  totals.momentum += sign * impulse;
  totals.angular_momentum += sign * moment;
}

// The force on a works along a's path, its reaction against b's: what a driven body spends.
double Ledger::driven_share(BodyId a, BodyId b, double work_a, double work_b) const {
  double share = 0;
  if (holders_[index(a)].motion == Motion::Driven) share -= work_a;
  if (holders_[index(b)].motion == Motion::Driven) share += work_b;
  return share;
}

}  // namespace carom::audit
