#include "carom/methods/analytic/contact_accelerations.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/equations_of_motion.h"
#include "carom/math/rotation.h"

namespace carom::methods {

namespace {

using contact::Contact;
using contact::ContactRow;

constexpr double kNotableForce = 1e-10;        // of the greatest
constexpr double kNotableAcceleration = 1e-8;  // of the greatest without contact forces
constexpr double kAhead = 0.1;                 // cosine: slip that still goes where it went
constexpr double kFading = 0.05;               // of the slip that it had
constexpr int kMaxClosings = 4;                // Newton steps; they converge quadratically

}  // namespace

bool Accelerations::pushes(std::size_t contact) const {
  return force[contact].x() > kNotableForce * greatest_force;
}
bool Accelerations::vanishes(std::size_t contact) const {
  return acceleration[contact].x() > kNotableAcceleration * scale;
}
bool Accelerations::slips(std::size_t contact) const {
  return acceleration[contact].tail<2>().norm() > kNotableAcceleration * scale;
}

void ContactAccelerations::look(const State& state) {
  set_.clear();
  for (const Followed& each : contacts) {
    Contact& contact = set_.emplace_back(each.contact);
    contact::follow(each.feature, state, contact);
    const bool bound = each.grip == Grip::Sticks || each.grip == Grip::Starts;
    if (bound) contact.slip_bias = contact::compute_slip_bias(each.feature, state, contact);
  }
  dynamics::compute_joint_rows(scene_, state, joint_rows_);
  drives.place(state);
  drives.append_rows(joint_rows_);
  assembler_.assemble(set_, joint_rows_, state, problem_);
  assembler_.include(pushed_, state, problem_);
}

// The solver takes slip from the rows. What sticks, or only starts to slide, has none: it resists
// accelerating. What slides has one, and goes on as it did even where it would have turned back, or
// is so slow that its direction is noise.
void ContactAccelerations::grip_rows() {
  for (ContactRow& row : problem_.contacts) {
    const Followed& of = contacts[static_cast<std::size_t>(row.source)];
    auto slip = row.rate.tail<2>();
    if (of.grip != Grip::Slides) {
      slip.setZero();
      continue;
    }
    const Vec3 now = row.rate.y() * row.tangent1 + row.rate.z() * row.tangent2;
    const bool goes_on = of.slip.dot(now) > kAhead * of.slip.norm() * now.norm();
    if (!goes_on || now.norm() < kFading * of.slip.norm()) {
      slip << of.slip.dot(row.tangent1), of.slip.dot(row.tangent2);
    }
    slip *= scene_.tolerances.speed / slip.norm();
  }
}

resting::ContactForceResult ContactAccelerations::find(const State& state, Accelerations& out) {
  look(state);
  grip_rows();
  applied_.evaluate(state, wrenches_at_);
  wrenches_ = wrenches_at_.all;
  wrenches_.resize(scene_.bodies.size());
  drives.apply(wrenches_);
  const contact::Rates rates = step_rates_.accelerations(problem_, state, wrenches_);
  out.scale = 0;
  for (const Vec3& rate : rates.contacts)
    out.scale = std::max(out.scale, rate.cwiseAbs().maxCoeff());
  memory.recall(set_, problem_, 1, impulses_);
  impulses_.equalities.assign(problem_.equalities.size(), 0.0);
  const resting::ContactForceResult result =
      solver_.solve(problem_, rates, scene_.tolerances.rest_speed, options, impulses_);
  memory.remember(set_, problem_, 1, impulses_);
  measure(state, out);
  list_forces(state, out);
  return result;
}

// Velocities a while later tell where accelerations go.
resting::ContactForceResult ContactAccelerations::settle_drives(const State& state,
                                                                Accelerations& out) {
  drives.begin(state, true);
  const double while_later = scene_.tolerances.length / scene_.tolerances.speed;
  for (;;) {
    const resting::ContactForceResult found = find(state, out);
    if (drives.empty()) return found;
    later_ = state;
    for (std::size_t i = 0; i < problem_.blocks.size(); ++i) {
      BodyState& body = later_[problem_.blocks[i].id];
      body.v += while_later * out.bodies[i].v;
      body.w += while_later * out.bodies[i].w;
    }
    if (!drives.revise({{joint_rows_, problem_, impulses_}, 1, later_})) return found;
  }
}

// Accelerations of bodies and rows, from the forces and Newton's law alone.
void ContactAccelerations::measure(const State& state, Accelerations& out) {
  out.program = wrenches_at_.program;
  contact::apply_as_forces(problem_, impulses_, 1, wrenches_);
  out.bodies.clear();
  for (const contact::BodyBlock& block : problem_.blocks) {
    const dynamics::Acceleration found = dynamics::compute_acceleration(
        scene_.body(block.id), state[block.id], wrenches_[index(block.id)], scene_.gravity);
    out.bodies.push_back({found.linear, found.angular});
  }
  out.force.resize(contacts.size());
  out.acceleration.resize(contacts.size());
  out.greatest_force = 0;
  const auto of = [&](const contact::Side& side) -> Vec3 {
    if (side.block < 0) return Vec3::Zero();
    return out.bodies[static_cast<std::size_t>(side.block)].at(side.lever);
  };
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    const ContactRow& row = problem_.contacts[i];
    const Vec3 a = of(row.a) - of(row.b);
    const auto source = static_cast<std::size_t>(row.source);
    out.force[source] = impulses_.contacts[i];
    out.acceleration[source] =
        row.bias + Vec3(row.normal.dot(a), row.tangent1.dot(a), row.tangent2.dot(a));
    out.greatest_force = std::max(out.greatest_force, impulses_.contacts[i].x());
  }
}

void ContactAccelerations::list_forces(const State& state, Accelerations& out) const {
  out.carried.resize(contacts.size() + joint_rows_.size());
  out.drive.assign(drives.count(), 0);
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    const ContactRow& row = problem_.contacts[i];
    const auto source = static_cast<std::size_t>(row.source);
    const Contact& contact = set_[source];
    out.carried[source] = {contact.a, contact.b, contact.at.point,
                           contact::world_impulse(row, impulses_.contacts[i]),
                           contact::world_couple(problem_, impulses_, i)};
  }
  for (std::size_t i = 0; i < problem_.equalities.size(); ++i) {
    const auto source = static_cast<std::size_t>(problem_.equalities[i].source);
    out.carried[contacts.size() + source] =
        make_joint_force(scene_, joint_rows_[source], impulses_.equalities[i], state);
    const std::int32_t drive = joint_rows_[source].drive;
    if (drive >= 0) out.drive[static_cast<std::size_t>(drive)] = impulses_.equalities[i];
  }
  for (const auto& [row, force] : drives.pulls())
    out.carried.push_back(make_joint_force(scene_, row, force, state));
}

void ContactAccelerations::hold(const Accelerations& at, bool tangents) {
  held_.clear();
  for (const ContactRow& row : problem_.contacts) {
    const auto source = static_cast<std::size_t>(row.source);
    const bool sticks = tangents && contacts[source].grip == Grip::Sticks && !at.slips(source);
    held_.push_back(!at.pushes(source) ? resting::Hold::None
                    : sticks           ? resting::Hold::NormalAndTangents
                                       : resting::Hold::Normal);
  }
  holder_.hold(problem_, held_, {rates_, equality_rates_}, impulses_);
}

void ContactAccelerations::close_gaps(const Accelerations& at, State& state) {
  for (int closing = 0; closing < kMaxClosings; ++closing) {
    look(state);
    rates_.clear();
    equality_rates_.clear();
    double greatest = 0;
    for (const ContactRow& row : problem_.contacts) {
      rates_.emplace_back(row.gap, 0, 0);
      if (at.pushes(static_cast<std::size_t>(row.source)))
        greatest = std::max(greatest, std::abs(row.gap));
    }
    for (const contact::EqualityRow& row : problem_.equalities) {
      equality_rates_.push_back(row.error);
      greatest = std::max(greatest, std::abs(row.error));
    }
    if (greatest <= 1e-2 * scene_.tolerances.resolution) return;
    hold(at, false);
    shift_ = state;
    for (BodyState& body : shift_.bodies) {
      body.v.setZero();
      body.w.setZero();
    }
    contact::apply_impulses(problem_, impulses_, shift_);
    for (const contact::BodyBlock& block : problem_.blocks) {
      state[block.id].x += shift_[block.id].v;
      state[block.id].q = (math::quat_exp(shift_[block.id].w) * state[block.id].q).normalized();
    }
  }
}

void ContactAccelerations::stop_opening(const Accelerations& at, State& state) {
  look(state);
  const contact::Rates present = step_rates_.present(problem_);
  rates_.assign(present.contacts.begin(), present.contacts.end());
  equality_rates_.assign(present.equalities.begin(), present.equalities.end());
  hold(at, true);
  contact::apply_impulses(problem_, impulses_, state);
}

}  // namespace carom::methods
