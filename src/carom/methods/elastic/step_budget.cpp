// How many steps of solvers bodies may take part in: what bounds the cost of a simulated second.
//
// A body has credit for kMostCredit steps, and gains kCreditRate a unit of time, that in which the
// typical speed passes the smallest body. While one body of a cluster has spent its credit, until
// it has half of the most again, the cluster takes implicit steps, kImplicit of them a unit of
// time. So in T units of time a body takes part in at most kMostCredit + kCreditRate T solver
// steps, whatever its contacts do. Bodies on which forces are applied have credit for ever:
// implicit steps know of no such forces.
#include <algorithm>

#include "carom/methods/elastic/elastic.h"

namespace carom::methods {

namespace {

constexpr double kMostCredit = 4000, kCreditRate = 400;
constexpr double kImplicit = 100, kJointed = 4;

double unit_of_time(const Scene& scene) { return scene.tolerances.length / scene.tolerances.speed; }

}  // namespace

void ElasticStepper::begin_credits(double t) {
  credits_.assign(scene_.bodies.size(), {kMostCredit, t, 0});
}

bool ElasticStepper::has_credit(std::span<const BodyId> bodies, double t) {
  if (is_pushed(bodies)) return true;
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

void ElasticStepper::charge(std::span<const BodyId> bodies) {
  for (const BodyId id : bodies) credits_[index(id)].left -= 1;
}

void ElasticStepper::exhaust(std::span<const BodyId> bodies) {
  for (const BodyId id : bodies) credits_[index(id)] = {0, credits_[index(id)].since, 1};
}

// Joints sag between impulses, by the square of the step.
double ElasticStepper::implicit_step(bool with_joints) const {
  return unit_of_time(scene_) / (with_joints ? kJointed * kImplicit : kImplicit);
}

// Where an implicit step looks after a pair itself.
bool ElasticStepper::goes_implicitly(std::size_t near) const {
  const NearPairs::Near& pair = near_[near];
  const BodyId id = in_cluster(pair.a) ? pair.a : pair.b;
  if (!in_cluster(id)) return false;
  const Cluster& cluster = *clusters_[static_cast<std::size_t>(cluster_of_[index(id)])];
  return cluster.is_implicit() && near_.is_among(near, cluster.bodies());
}

}  // namespace carom::methods
