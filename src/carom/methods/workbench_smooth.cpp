// The verbs of methods that integrate forces that vary between events.
#include <algorithm>

#include "carom/methods/workbench.h"

namespace carom::methods {

namespace {

constexpr int kMaxShortenings = 10;

}  // namespace

void Workbench::find_followed_contacts(const State& state) {
  workers_.watched().poll(state.t);
  pairs_.find_contacts(state, contacts_, &features_);
}

AdvanceResult Workbench::glide(const SmoothOptions& options, State& state, double t_end) {
  select_followed(state);
  double longest = t_end - state.t;
  for (int i = 0; i < kMaxShortenings; ++i, longest = flight_.duration / 4) {
    switch (
        smooth_.attempt(options, state, resting_contacts_, resting_features_, longest, flight_)) {
      case SmoothStatus::Stepped:
        break;
      case SmoothStatus::Jams:
        smooth_.restart();
        return resolve_jam(state);
      case SmoothStatus::Opens:
        stop_opening(state);
        return {};
      case SmoothStatus::NoForces:
        return {AdvanceStatus::CarryDidNotConverge};
      case SmoothStatus::NoStep:
        return {AdvanceStatus::NoStepShortEnough};
    }
    const Search first = find_first_impact();
    if (!first.result.ok()) continue;  // what a long flight hides, a shorter one may show
    smooth_.finish(flight_, first.s, state);
    if (dynamics::is_finite(state)) recorder_.flown(flight_, first.s, smooth_.forces());
    return {};
  }
  return {AdvanceStatus::SearchDidNotEnd};
}

void Workbench::select_followed(const State& state) {
  resting_contacts_.clear();
  resting_features_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (contacts_[i].approach_rate > scene_.tolerances.leaving) continue;
    resting_contacts_.push_back(contacts_[i]);
    resting_features_.push_back(features_[i]);
  }
  note_resting(state);
}

void Workbench::stop_opening(State& state) {
  before_ = state;
  smooth_.stop_opening(state);
  const ContactAccelerations& at = smooth_.accelerations();
  contacts_ = at.set();
  problem_ = at.problem();
  impulses_ = at.impulses();
  joint_rows_.assign(at.joint_rows().begin(), at.joint_rows().end());
  settled_.assign(problem_.islands.size(), true);
  record_impact(before_, state, {.iterations = 1});
  smooth_.restart();
}

}  // namespace carom::methods
