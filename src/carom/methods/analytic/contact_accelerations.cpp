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

Vec3 along_axes(const ContactRow& row, const Vec3& x) {
  return {row.normal.dot(x), row.tangent1.dot(x), row.tangent2.dot(x)};
}

// Whether what was at `then` still goes where it went, and not so slowly that its direction is
// noise.
bool goes_on(const Vec3& then, const Vec3& now) {
  return then.dot(now) > kAhead * then.norm() * now.norm() && now.norm() >= kFading * then.norm();
}

}  // namespace

double coefficient_of(const Contact& contact, Resisted what) {
  switch (what) {
    case Resisted::Slip:
      return contact.friction;
    case Resisted::Turning:
      return contact.rolling_friction;
    case Resisted::Spin:
      return contact.spinning_friction;
  }
  return 0;
}

Vec3 rate_of(const Scene& scene, const Contact& contact, Resisted what, const State& state) {
  if (what == Resisted::Slip) return contact::slip_velocity(contact, state);
  Vec3 turning = scene.tolerances.length * (state[contact.a].w - state[contact.b].w);
  if (what == Resisted::Turning) return turning;
  return contact.at.normal.dot(turning) * contact.at.normal;
}

bool Accelerations::pushes(std::size_t contact) const {
  return force[contact].x() > kNotableForce * greatest_force;
}
bool Accelerations::vanishes(std::size_t contact) const {
  return acceleration[contact].x() > kNotableAcceleration * scale;
}
Vec3 Accelerations::resisted(std::size_t contact, Resisted what) const {
  const Vec3& a = acceleration[contact];
  if (what == Resisted::Slip) return {0, a.y(), a.z()};
  return what == Resisted::Turning ? turning[contact] : Vec3(turning[contact].x(), 0, 0);
}
bool Accelerations::slips(std::size_t contact, Resisted what) const {
  return resisted(contact, what).norm() > kNotableAcceleration * scale;
}
double Accelerations::room(std::size_t contact, const Contact& of, Resisted what) const {
  const double normal = force[contact].x();
  if (what == Resisted::Slip) return of.friction * normal - force[contact].tail<2>().norm();
  return (of.rolling_friction + of.spinning_friction) * normal - couple[contact].norm();
}

void ContactAccelerations::look(const State& state) {
  set_.clear();
  for (const Followed& each : contacts) {
    Contact& contact = set_.emplace_back(each.contact);
    contact::follow_features(each.feature, state, contact);
    if (each[Resisted::Slip].is_bound())
      contact.slip_bias = contact::compute_slip_bias(each.feature, state, contact);
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
    const auto& [grip, then] = of[Resisted::Slip];
    auto slip = row.rate.tail<2>();
    if (row.resists_turning()) grip_turning(of, row);
    if (grip != Grip::Slides) {
      slip.setZero();
      continue;
    }
    const Vec3 now = row.rate.y() * row.tangent1 + row.rate.z() * row.tangent2;
    if (!goes_on(then, now)) slip << then.dot(row.tangent1), then.dot(row.tangent2);
    slip *= scene_.tolerances.speed / slip.norm();
  }
}

// What turns may change its direction while it fades, as slip hardly does: it is followed until it
// turns back. Where all turning is resisted its direction tells; else, and where that rests about
// the normal, the part about it.
void ContactAccelerations::grip_turning(const Followed& of, ContactRow& row) const {
  const Vec3 now = row.turning.x() * row.normal + row.turning.y() * row.tangent1 +
                   row.turning.z() * row.tangent2;
  const auto known = [&](Resisted what, const Vec3& rate) -> Vec3 {
    const auto& [grip, then] = of[what];
    if (grip != Grip::Slides) return Vec3::Zero();
    const Vec3 before = row.arm / scene_.tolerances.length * then;
    return along_axes(row, before.dot(rate) > 0 ? rate : before);
  };
  if (row.rolling > 0) row.turning = known(Resisted::Turning, now);
  if (row.spinning > 0)
    row.turning.x() = known(Resisted::Spin, row.normal.dot(now) * row.normal).x();
  const double spin = row.spinning > 0 ? std::abs(row.turning.x()) : 0;
  const double least = spin > 0 ? spin : row.turning.norm();
  if (least > 0) row.turning *= scene_.tolerances.speed / least;
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
  out.couple.assign(contacts.size(), Vec3::Zero());
  out.turning.assign(contacts.size(), Vec3::Zero());
  out.greatest_force = 0;
  const auto turn_of = [&](const contact::Side& side) -> Vec3 {
    if (side.block < 0) return Vec3::Zero();
    return out.bodies[static_cast<std::size_t>(side.block)].w;
  };
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
    if (!row.resists_turning()) continue;
    out.couple[source] = impulses_.couples[i];
    out.turning[source] = row.arm * along_axes(row, turn_of(row.a) - turn_of(row.b));
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
  turning_held_.clear();
  for (const ContactRow& row : problem_.contacts) {
    const auto source = static_cast<std::size_t>(row.source);
    const auto sticks = [&](Resisted what) {
      return tangents && contacts[source][what].grip == Grip::Sticks && !at.slips(source, what);
    };
    held_.push_back(!at.pushes(source)       ? resting::Hold::None
                    : sticks(Resisted::Slip) ? resting::Hold::NormalAndTangents
                                             : resting::Hold::Normal);
    const int axes = sticks(Resisted::Turning) ? 3 : sticks(Resisted::Spin) ? 1 : 0;
    turning_held_.push_back(at.pushes(source) ? static_cast<char>(axes) : char{0});
  }
  holder_.hold(problem_, held_, {rates_, equality_rates_, couple_rates_}, impulses_, turning_held_);
}

void ContactAccelerations::close_gaps(const Accelerations& at, State& state) {
  for (int closing = 0; closing < kMaxClosings; ++closing) {
    look(state);
    rates_.clear();
    couple_rates_.clear();
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
  couple_rates_.assign(present.couples.begin(), present.couples.end());
  equality_rates_.assign(present.equalities.begin(), present.equalities.end());
  hold(at, true);
  contact::apply_impulses(problem_, impulses_, state);
}

}  // namespace carom::methods
