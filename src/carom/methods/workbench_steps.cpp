// The verbs of methods that step over impacts: contacts by their gaps instead of their times.
#include <algorithm>
#include <cmath>

#include "carom/methods/workbench.h"

namespace carom::methods {

using contact::Contact;
using contact::ContactRow;

namespace {

constexpr std::int32_t kContactsOfABody = 4;  // about, in a pile

}  // namespace

void Workbench::find_near_contacts(const State& state, double duration) {
  workers_.watched().poll(state.t);
  pairs_.find_near_contacts(state, duration, contacts_);
}

// Which islands have a contact that would close by more than its gap within the step; which
// contacts of these bounce; and which islands are so slow that nobody would call it an impact. A
// pile that creeps in by less than half of what its weight gives in a step is left to the forces of
// the step.
bool Workbench::select_closing(const StepOptions& options, double duration) {
  const double creep = 0.5 * scene_.gravity.norm() * options.step;
  closing_.assign(problem_.islands.size(), 0);
  settled_.assign(problem_.islands.size(), true);
  restitution_.assign(problem_.contacts.size(), 0);
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    const contact::Island& island = problem_.islands[i];
    const bool pile = island.contacts > kContactsOfABody * options.forces.most_bodies;
    const double slack = pile ? creep : scene_.tolerances.velocity;
    for (std::int32_t k = 0; k < island.contacts; ++k) {
      const ContactRow& row = problem_.contacts[island.contact(k)];
      if (!(row.rate.x() + std::max(row.gap, 0.0) / duration < -slack)) continue;
      closing_[i] = 1;
      if (row.rate.x() >= -options.impact_speed) continue;
      settled_[i] = false;
      restitution_[island.contact(k)] = row.restitution;
    }
  }
  return std::find(closing_.begin(), closing_.end(), 1) != closing_.end();
}

AdvanceResult Workbench::stop_closing(const StepOptions& options, double duration, State& state) {
  dynamics::compute_joint_rows(scene_, state, joint_rows_);
  assembler_.assemble(contacts_, joint_rows_, state, problem_);
  if (!select_closing(options, duration)) return {};
  impulses_.contacts.assign(problem_.contacts.size(), Vec3::Zero());
  const auto rates = step_rates_.closing(problem_, restitution_, duration);
  const resting::CarryResult result =
      carrier_.collide(problem_, rates, closing_, restitution_, options.forces, impulses_);
  force_residual_ = std::max(force_residual_, result.residual);
  before_ = state;
  contact::apply_impulses(problem_, impulses_, state);
  record_impact(before_, state, {.iterations = result.iterations});
  for (Contact& contact : contacts_) {  // velocities have changed, gaps have not
    const Vec3& point = contact.at.point;
    const Vec3 relative = state[contact.a].twist().at(point - state[contact.a].x) -
                          state[contact.b].twist().at(point - state[contact.b].x);
    contact.approach_rate = contact.at.normal.dot(relative);
  }
  return check_squeezed(state, duration);
}

void Workbench::hold_gaps(const StepOptions& options, double duration, const State& state) {
  place_joints_halfway(state, duration);
  assembler_.assemble(contacts_, joint_rows_, state, problem_);
  const auto rates = step_rates_.predict_closing(problem_, state, duration, options.step);
  memory_.recall(contacts_, problem_, duration, impulses_);
  const resting::CarryResult result =
      carrier_.carry(problem_, rates, HUGE_VAL, options.forces, impulses_);
  force_residual_ = std::max(force_residual_, result.residual);
  // A step cut short sees few of the contacts that carry; the last long one tells which do.
  if (duration > 0.5 * options.step) {
    memory_.remember(contacts_, problem_, duration, impulses_);
    note_carrying(state);
  }
  spread_forces(contacts_, state, duration);
}

void Workbench::note_carrying(const State& state) {
  resting_contacts_.clear();
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    if (impulses_.contacts[i].x() > 0) {
      resting_contacts_.push_back(contacts_[static_cast<std::size_t>(problem_.contacts[i].source)]);
    }
  }
  note_resting(state);
}

}  // namespace carom::methods
