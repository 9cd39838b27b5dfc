// The verbs of methods that step over impacts: contacts by their gaps instead of their times.
#include <algorithm>
#include <cmath>

#include "carom/methods/workbench.h"

namespace carom::methods {

using contact::Contact;
using contact::ContactRow;
using record::EventKind;

void Workbench::find_near_contacts(const State& state, double duration) {
  pairs_.find_near_contacts(state, duration, contacts_);
}

// A contact bounces if it closes within the step and faster than the impact speed.
bool Workbench::select_bouncing(double impact_speed, double duration) {
  const double slowest = impact_speed > 0 ? impact_speed : 2 * scene_.gravity.norm() * duration;
  bounces_.clear();
  restitution_.clear();
  bool closing = false;
  for (const ContactRow& row : problem_.contacts) {
    const double slack = std::max(row.gap, 0.0) / duration;
    const bool closes = row.rate.x() + slack < -scene_.tolerances.velocity;
    closing |= closes;
    bounces_.push_back(closes && row.restitution > 0 && row.rate.x() < -slowest ? 1 : 0);
    restitution_.push_back(bounces_.back() != 0 ? row.restitution : 0);
  }
  return closing;
}

void Workbench::stop_closing(const resting::ForceOptions& options, double impact_speed,
                             double duration, State& state) {
  dynamics::compute_joint_rows(scene_, state, joint_rows_);
  assembler_.assemble(contacts_, joint_rows_, state, problem_);
  if (!select_bouncing(impact_speed, duration)) return;
  impulses_.contacts.assign(problem_.contacts.size(), Vec3::Zero());
  const resting::CarryResult result =
      carrier_.collide(problem_, step_rates_.closing(problem_, bounces_, duration), restitution_,
                       options, impulses_);
  force_residual_ = std::max(force_residual_, result.residual);
  settled_.assign(problem_.islands.size(), false);
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    const contact::Island& island = problem_.islands[i];
    settled_[i] = std::none_of(problem_.contacts.begin() + island.first_contact,
                               problem_.contacts.begin() + island.first_contact + island.contacts,
                               [&](const ContactRow& row) {
                                 return row.rate.x() < -2 * scene_.gravity.norm() * duration;
                               });
  }
  before_ = state;
  contact::apply_impulses(problem_, impulses_, state);
  record_impact(before_, state, {.iterations = result.iterations});
  for (Contact& contact : contacts_) {  // velocities have changed, gaps have not
    const Vec3& point = contact.at.point;
    const Vec3 relative = state[contact.a].twist().at(point - state[contact.a].x) -
                          state[contact.b].twist().at(point - state[contact.b].x);
    contact.approach_rate = contact.at.normal.dot(relative);
  }
}

void Workbench::hold_gaps(const resting::ForceOptions& options, double duration,
                          const State& state) {
  place_joints_halfway(state, duration);
  assembler_.assemble(contacts_, joint_rows_, state, problem_);
  const auto rates = step_rates_.predict_closing(problem_, state, duration);
  memory_.recall(contacts_, problem_, duration, impulses_);
  const resting::CarryResult result = carrier_.carry(problem_, rates, HUGE_VAL, options, impulses_);
  force_residual_ = std::max(force_residual_, result.residual);
  memory_.remember(contacts_, problem_, duration, impulses_);
  resting_contacts_.clear();
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    if (impulses_.contacts[i].x() > 0) {
      resting_contacts_.push_back(contacts_[static_cast<std::size_t>(problem_.contacts[i].source)]);
    }
  }
  note_resting(state);
  spread_forces(contacts_, state, duration);
}

}  // namespace carom::methods
