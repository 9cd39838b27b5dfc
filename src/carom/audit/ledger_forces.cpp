// What forces bring into the ledger: constant ones, ones that vary, those of the scene and of a
// program, and effects that are recorded as a whole.
#include <algorithm>
#include <cmath>

#include "carom/audit/ledger.h"
#include "carom/audit/motion_integrals.h"
#include "carom/base/check.h"

namespace carom::audit {

namespace {

using model::Motion;

// Constant forces have the levers of the mean of a time.
Vec3 lever_of(const record::CarriedForce& force, const BodyState& start, const RigidMotion& motion,
              const Steady& segment) {
  return force.point - mean_position(start, motion, 2 * segment.levers_at);
}

}  // namespace

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
