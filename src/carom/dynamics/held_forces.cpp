#include "carom/dynamics/held_forces.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/equations_of_motion.h"
#include "carom/math/cholesky.h"

namespace carom::dynamics {

namespace {

constexpr int kMaxSweeps = 200;
constexpr double kSettled = 1e-13;  // of the greatest force: smaller changes count as none

// -[r]ₓ I⁻¹ [r]ₓ: how the point at r gives way by turning.
Mat3 give_by_turning(const Mat3& inverse_inertia, const Vec3& r) {
  Mat3 cross;
  cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return -cross * inverse_inertia * cross;
}

}  // namespace

void HeldForces::hold(const State& start, double duration, std::span<const Wrench> carried) {
  if (forces_.empty()) return held_.all.clear(), held_.program.clear();
  half_ = 0.5 * duration;
  middle_ = start;
  drift(half_, middle_);
  const std::size_t count = scene_.bodies.size();
  held_.all.assign(count, Wrench{});
  held_.program.assign(forces_.has_program() ? count : 0, Wrench{});
  if (forces_.has_program()) forces_.program().add_pushes(middle_, held_.program);
  std::ranges::copy(held_.program, held_.all.begin());
  forces_.add_conservative(middle_, held_.all);
  converged_ = true;
  if (!forces_.depends_on_velocity()) return;
  law_.assign(count, Wrench{});
  if (forces_.has_law()) forces_.program().add_law(start, law_);
  predict_velocities(start, carried);
  list_dampers();
  damp();
  if (forces_.has_law()) {
    law_.assign(count, Wrench{});
    forces_.program().add_law(middle_, law_);
    for (std::size_t i = 0; i < count; ++i) {
      add(law_[i], held_.program[i]);
      add(law_[i], held_.all[i]);
    }
    law_.assign(count, Wrench{});
    predict_velocities(start, carried);
    for (Damper& each : dampers_) each.force = each.torque = Vec3::Zero();
    damp();
  }
  add_dampers();
}

// Of the middle of the step, before anything damps.
void HeldForces::predict_velocities(const State& start, std::span<const Wrench> carried) {
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    if (!scene_.bodies[i].is_dynamic()) continue;
    Wrench acting = held_.all[i];
    add(law_[i], acting);
    if (!carried.empty()) add(carried[i], acting);
    BodyState& body = middle_.bodies[i];
    body.v = start.bodies[i].v;
    body.w = start.bodies[i].w;
    const Acceleration a = compute_acceleration(scene_.bodies[i], body, acting, scene_.gravity);
    body.v += half_ * a.linear;
    body.w += half_ * a.angular;
  }
}

void HeldForces::list_dampers() {
  dampers_.clear();
  for (const ForcePiece& piece : forces_.dampers()) {
    Damper& damper = dampers_.emplace_back();
    damper.on = piece.on;
    const model::Force& law = scene_.forces[piece.force];
    damper.drag = std::get_if<model::Drag>(&law);
    if (damper.drag != nullptr) continue;
    damper.spring = std::get_if<model::Spring>(&law);
    damper.a = anchor_at(damper.spring->a, middle_);
    damper.b = anchor_at(damper.spring->b, middle_);
    if (damper.spring->rest > 0) damper.n = (damper.b.x - damper.a.x).stableNormalized();
  }
}

void HeldForces::damp() {
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0, greatest = 0;
    for (Damper& each : dampers_) {
      change = std::max(change, relax(each));
      greatest = std::max({greatest, each.force.norm(), each.torque.norm()});
    }
    if (!(change > kSettled * greatest)) return;
  }
  converged_ = false;
}

// Its force given all others, which changes the velocities of the middle; returns by how much it
// changed.
double HeldForces::relax(Damper& damper) {
  return damper.drag != nullptr ? relax_drag(damper) : relax_spring(damper);
}

// u = u₀ - (h/2) G f with f = c u, where G is how the two points give way to each other.
double HeldForces::relax_spring(Damper& damper) {
  const auto& [spring, drag, on, a, b, n, force, torque] = damper;
  const bool along = spring->rest > 0;
  if (along && n.isZero(0)) return 0;  // no direction
  const Mat3 G = half_ * (give(spring->a, a.lever) + give(spring->b, b.lever));
  const Vec3 u = anchor_at(spring->b, middle_).v - anchor_at(spring->a, middle_).v;
  const Vec3 free = u + G * force;
  const double c = spring->damping;
  const Vec3 found = along ? Vec3(c * n.dot(free) / (1 + c * n.dot(G * n)) * n)
                           : math::solve_symmetric(Mat3(Mat3::Identity() + c * G), c * free);
  const Vec3 change = found - force;
  push(spring->a, a.lever, change);
  push(spring->b, b.lever, -change);
  damper.force = found;
  return change.norm();
}

// s (1 + (c₁ + c₂ s) h/2m) = |v₀| for the speed s; (1 + c_ω (h/2) I⁻¹) ω = ω₀.
double HeldForces::relax_drag(Damper& damper) {
  const Body& body = scene_.body(damper.on);
  const model::Drag& drag = *damper.drag;
  const Mat3 turns = half_ * world_inverse_inertia(body, middle_[damper.on].q);
  const double gives = half_ * body.inverse_mass;
  const Vec3 v = middle_[damper.on].v - gives * damper.force;
  const Vec3 w = middle_[damper.on].w - turns * damper.torque;
  const double speed = v.norm(), linear = 1 + gives * drag.linear;
  const double s =
      2 * speed / (linear + std::sqrt(linear * linear + 4 * gives * drag.quadratic * speed));
  const double coefficient = drag.linear + drag.quadratic * s;
  const Vec3 force = -coefficient / (1 + gives * coefficient) * v;
  const Vec3 torque =
      -drag.angular * math::solve_symmetric(Mat3(Mat3::Identity() + drag.angular * turns), w);
  const Vec3 change = force - damper.force, twist = torque - damper.torque;
  push(damper.on, change, twist);
  damper.force = force;
  damper.torque = torque;
  return std::max(change.norm(), twist.norm());
}

Mat3 HeldForces::give(const model::Anchor& on, const Vec3& lever) const {
  if (!on.body || !scene_.body(*on.body).is_dynamic()) return Mat3::Zero();
  const Body& body = scene_.body(*on.body);
  return body.inverse_mass * Mat3::Identity() +
         give_by_turning(world_inverse_inertia(body, middle_[*on.body].q), lever);
}

void HeldForces::push(const model::Anchor& on, const Vec3& lever, const Vec3& force) {
  if (on.body && scene_.body(*on.body).is_dynamic()) push(*on.body, force, lever.cross(force));
}

void HeldForces::push(BodyId on, const Vec3& force, const Vec3& torque) {
  const Body& body = scene_.body(on);
  BodyState& at = middle_[on];
  at.v += half_ * body.inverse_mass * force;
  at.w += half_ * (world_inverse_inertia(body, at.q) * torque);
}

void HeldForces::add_dampers() {
  const auto act = [&](const model::Anchor& on, const Vec3& lever, const Vec3& force) {
    if (!on.body || !scene_.body(*on.body).is_dynamic()) return;
    const Vec3 torque = lever.cross(force);
    add({force, torque, torque.norm()}, held_.all[index(*on.body)]);
  };
  for (const Damper& each : dampers_) {
    if (each.drag != nullptr) {
      add({each.force, each.torque, each.torque.norm()}, held_.all[index(each.on)]);
      continue;
    }
    act(each.spring->a, each.a.lever, each.force);
    act(each.spring->b, each.b.lever, -each.force);
  }
}

}  // namespace carom::dynamics
