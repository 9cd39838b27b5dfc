#include "carom/methods/shared/closing_impacts.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

using contact::Contact;
using contact::ContactRow;

constexpr std::int32_t kContactsOfABody = 4;  // about, in a pile
constexpr int kMaxRounds = 20;                // of impulses at the start of a step

}  // namespace

AdvanceResult ClosingImpacts::stop_closing(const ClosingOptions& options, double duration,
                                           RestingForces& forces, State& state,
                                           contact::ContactSet& contacts) {
  double faster = HUGE_VAL;
  for (int round = 0; faster > 0 && round < kMaxRounds; ++round) {
    find_near(options, duration, forces, state, contacts);
    before_ = state;
    AdvanceResult stopped = stop_once(options, duration, forces, state, contacts);
    if (!stopped.ok()) return stopped;
    faster = made_faster(duration, state);
  }
  if (faster > 0) context_.recorder.fallback(record::Rung::UnseenContacts, faster);
  return {};
}

void ClosingImpacts::find_near(const ClosingOptions& options, double duration,
                               RestingForces& forces, const State& state,
                               contact::ContactSet& contacts) {
  forces.release(state, duration);
  const contact::NearOptions near{.applied = forces.applied(),
                                  .marked = options.marked,
                                  .fastest = options.fastest,
                                  .touching = 2 * options.room};
  context_.pairs.find_near_contacts(state, duration, contacts, near);
  if (options.room == 0) return;
  for (Contact& contact : contacts)
    if (options.marked[index(contact.a)] != 0 || options.marked[index(contact.b)] != 0)
      contact.at.gap -= options.room;
}

// What impulses have made faster may meet what was too far to be looked at. By how much, m/s,
// beyond what gravity's part of a margin (contact/travel.h) leaves free.
double ClosingImpacts::made_faster(double duration, const State& state) const {
  const base::Tolerances& scale = context_.scene.tolerances;
  const double slack = 0.5 * context_.scene.gravity.norm() * duration + scale.velocity;
  double most = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyState &was = before_.bodies[i], &is = state.bodies[i];
    const double turns = context_.scene.bodies[i].radius * (is.w.norm() - was.w.norm());
    const double gained = std::max(is.v.norm() - was.v.norm(), 0.0) + std::max(turns, 0.0);
    if (gained > slack) most = std::max(most, gained);
  }
  return most;
}

// Which islands have a contact that would close by more than its gap within the step; which
// contacts of these bounce; and which islands are so slow that nobody would call it an impact. A
// pile that creeps in by less than half of what its weight gives in a step is left to the forces of
// the step.
bool ClosingImpacts::select_closing(const ClosingOptions& options, double duration) {
  const Scene& scene = context_.scene;
  const double creep = 0.5 * scene.gravity.norm() * options.step;
  closing_.assign(problem_.islands.size(), 0);
  settled_.assign(problem_.islands.size(), 1);
  restitution_.assign(problem_.contacts.size(), 0);
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    const contact::Island& island = problem_.islands[i];
    const bool pile = island.contacts > kContactsOfABody * options.forces.most_bodies;
    const double slack = pile ? creep : scene.tolerances.velocity;
    for (std::int32_t k = 0; k < island.contacts; ++k) {
      const ContactRow& row = problem_.contacts[island.contact(k)];
      if (!(row.rate.x() + std::max(row.gap, 0.0) / duration < -slack)) continue;
      closing_[i] = 1;
      if (row.rate.x() >= -options.impact_speed) continue;
      settled_[i] = 0;
      restitution_[island.contact(k)] = row.restitution;
    }
  }
  return std::find(closing_.begin(), closing_.end(), 1) != closing_.end();
}

AdvanceResult ClosingImpacts::stop_once(const ClosingOptions& options, double duration,
                                        RestingForces& forces, State& state,
                                        contact::ContactSet& contacts) {
  dynamics::compute_joint_rows(context_.scene, state, joint_rows_);
  context_.assembler.assemble(contacts, joint_rows_, state, problem_);
  if (!select_closing(options, duration)) return {};
  impulses_.contacts.assign(problem_.contacts.size(), Vec3::Zero());
  const auto rates = step_rates_.closing(problem_, restitution_, duration);
  const resting::CarryResult result =
      context_.carrier.collide(problem_, rates, closing_, restitution_, options.forces, impulses_);
  forces.note_residual(result.residual);
  contact::apply_impulses(problem_, impulses_, state);
  log_.record_impact({contacts,
                      {joint_rows_, problem_, impulses_},
                      before_,
                      state,
                      {.iterations = result.iterations},
                      settled_});
  for (Contact& contact : contacts) {  // velocities have changed, gaps have not
    const Vec3& point = contact.at.point;
    const Vec3 relative = state[contact.a].twist().at(point - state[contact.a].x) -
                          state[contact.b].twist().at(point - state[contact.b].x);
    contact.approach_rate = contact.at.normal.dot(relative);
  }
  return squeeze_.check(context_.scene, contacts, problem_, state, duration);
}

}  // namespace carom::methods
