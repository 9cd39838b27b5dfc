#include "carom/methods/shared/contact_log.h"

#include <algorithm>

#include "carom/base/bytes.h"

namespace carom::methods {

using contact::Contact;
using record::ContactEvent;
using record::EventKind;

bool ContactLog::rests(const BodyPair& pair) const {
  return std::binary_search(resting_.begin(), resting_.end(), pair);
}

void ContactLog::update_resting(const contact::ContactSet& contacts, const State& state,
                                std::span<const char> still) {
  now_resting_.clear();
  if (!still.empty()) {
    for (const BodyPair& pair : resting_)
      if (still[index(pair.a)] && still[index(pair.b)]) now_resting_.push_back(pair);
  }
  for (const Contact& contact : contacts) now_resting_.push_back({contact.a, contact.b});
  std::sort(now_resting_.begin(), now_resting_.end());
  now_resting_.erase(std::unique(now_resting_.begin(), now_resting_.end()), now_resting_.end());
  recorded_.assign(now_resting_.size(), false);
  for (const Contact& contact : contacts) {
    const BodyPair pair{contact.a, contact.b};
    const auto at = std::lower_bound(now_resting_.begin(), now_resting_.end(), pair);
    const auto place = static_cast<std::size_t>(at - now_resting_.begin());
    if (recorded_[place]) continue;
    recorded_[place] = true;
    if (rests(pair)) continue;
    recorder_.event({state.t, EventKind::ContactBegin, contact.a, contact.b, contact.at.point,
                     contact.at.normal, -contact.approach_rate, contact.approach_rate,
                     Vec3::Zero()});
  }
  for (const BodyPair& pair : resting_) {
    if (std::binary_search(now_resting_.begin(), now_resting_.end(), pair)) continue;
    recorder_.event({.t = state.t, .kind = EventKind::ContactEnd, .a = pair.a, .b = pair.b});
  }
  resting_.swap(now_resting_);
}

void ContactLog::record_contact(const AppliedImpact& impact, std::size_t island, std::size_t row) {
  const contact::ContactRow& at = impact.joints.problem.contacts[row];
  const Contact& contact = impact.contacts[static_cast<std::size_t>(at.source)];
  const Vec3 impulse = contact::world_impulse(at, impact.joints.impulses.contacts[row]);
  if (impulse.isZero(0)) return;
  const Vec3 relative = impact.after[contact.a].twist().at(at.a.lever) -
                        impact.after[contact.b].twist().at(at.b.lever);
  const double approach = -at.rate.x();
  events_.push_back({impact.before.t,
                     approach < impact.micro_below ? EventKind::Microcollision : EventKind::Impact,
                     contact.a, contact.b, contact.at.point, at.normal, approach,
                     at.normal.dot(relative), impulse, impact.result.iterations,
                     impact.result.lineality});
  if (!impact.settled[island]) return recorder_.event(events_.back());
  const bool ends_bounces = contact.restitution > 0 && approach > scene_.tolerances.velocity;
  if (!ends_bounces || rests({contact.a, contact.b})) return;
  ContactEvent rest = events_.back();
  rest.kind = EventKind::Rest;
  recorder_.event(rest);
}

void ContactLog::append_couples(const AppliedImpact& impact) {
  const contact::ContactProblem& problem = impact.joints.problem;
  for (std::size_t row = 0; row < problem.contacts.size(); ++row) {
    const Vec3 couple = contact::world_couple(problem, impact.joints.impulses, row);
    if (couple.isZero(0)) continue;
    const Contact& contact =
        impact.contacts[static_cast<std::size_t>(problem.contacts[row].source)];
    joint_impulses_.push_back({contact.a, contact.b, contact.at.point, Vec3::Zero(), couple});
  }
}

void ContactLog::record_impact(const AppliedImpact& impact) {
  events_.clear();
  const std::vector<contact::Island>& islands = impact.joints.problem.islands;
  for (std::size_t i = 0; i < islands.size(); ++i) {
    for (std::int32_t k = 0; k < islands[i].contacts; ++k)
      record_contact(impact, i, islands[i].contact(k));
  }
  joint_impulses_.clear();
  append_joint_forces(scene_, impact.joints, 1, impact.before, joint_impulses_);
  append_couples(impact);
  recorder_.impact({events_, joint_impulses_, impact.before, impact.after, impact.result.iterations,
                    impact.result.lineality});
}

void ContactLog::save(std::string& bytes) const { base::append_bytes(bytes, resting_); }

void ContactLog::restore(std::string_view& bytes) { base::take_bytes(bytes, resting_); }

}  // namespace carom::methods
