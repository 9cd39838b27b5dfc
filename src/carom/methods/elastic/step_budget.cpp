#include "carom/methods/elastic/step_budget.h"

#include <algorithm>

namespace carom::methods {

namespace {

constexpr double kMostCredit = 4000, kCreditRate = 400;
constexpr double kImplicit = 100, kJointed = 4;

double unit_of_time(const Scene& scene) { return scene.tolerances.length / scene.tolerances.speed; }

}  // namespace

void StepBudget::begin(double t) { credits_.assign(scene_.bodies.size(), {kMostCredit, t, 0}); }

bool StepBudget::has_credit(std::span<const BodyId> bodies, double t) {
  bool all = true;
  for (const BodyId id : bodies) {
    Credit& credit = credits_[index(id)];
    const double gained = kCreditRate * std::max(0.0, t - credit.since) / unit_of_time(scene_);
    credit.left = std::min(kMostCredit, credit.left + gained);
    credit.since = std::max(t, credit.since);
    if (credit.left < 1) credit.spent = 1;
    if (credit.left >= kMostCredit / 2) credit.spent = 0;
    all = all && credit.spent == 0;
  }
  return all;
}

void StepBudget::charge(std::span<const BodyId> bodies) {
  for (const BodyId id : bodies) credits_[index(id)].left -= 1;
}

void StepBudget::exhaust(std::span<const BodyId> bodies) {
  for (const BodyId id : bodies) credits_[index(id)] = {0, credits_[index(id)].since, 1};
}

// Joints sag between impulses, by the square of the step.
double StepBudget::implicit_step(bool with_joints) const {
  return unit_of_time(scene_) / (with_joints ? kJointed * kImplicit : kImplicit);
}

}  // namespace carom::methods
