// Implicit steps of a cluster: free flights with impulses of springs at their ends.
#include <algorithm>

#include "carom/methods/elastic/cluster.h"

namespace carom::methods {

namespace {

constexpr double kFirstFlight = 1e-3;  // of a step; in it springs do not push yet
constexpr double kShortest = 1e-3;     // of a step; flights that short leave the solver at rest

}  // namespace

// At the scratch's state.
void Cluster::start_implicitly(double duration) {
  const double t = scratch_.now.t;
  to_.t = t;
  to_.bodies.clear();
  for (const BodyId id : system_.bodies()) to_.bodies.push_back(scratch_.now[id]);
  to_.look.accelerations.assign(to_.bodies.size(), {scene_.gravity, Vec3::Zero()});
  to_.approach.assign(dictionary_.touches().all.size(), 0);
  to_.deepest = to_.bent = 0;
  from_ = to_;
  acted_.clear();
  implicit_ = true;
  rooted_ = false;
  flight_ = kFirstFlight * duration;
  shortest_ = kShortest * duration;
  hold_bodies();
}

void Cluster::step_implicitly(double duration) {
  if (!implicit_) {
    place(to_);
    suspend();
    start_implicitly(duration);
  }
  shortest_ = kShortest * duration;
  take_implicit_step(duration);
}

// A flight, at the end of which springs push for the next one.
void Cluster::take_implicit_step(double next) {
  place(from_);
  to_.t = from_.t + flight_;
  motions_.clear();
  for (std::size_t i = 0; i < from_.bodies.size(); ++i) {
    const BodyId id = system_.bodies()[i];
    motions_.push_back(dynamics::fly_freely(scene_, scene_.body(id), from_.bodies[i]));
    scratch_.now[id] = dynamics::state_on(motions_[i], flight_);
    tracks_.step(id, {from_.t, to_.t}, motions_[i], {scene_.gravity, Vec3::Zero()});
  }
  scratch_.now.t = to_.t;
  system_.drive(to_.t);
  dictionary_.find_close(next, close_);
  acting_.swap(acted_);
  const auto acted = impulses_.apply(
      options_, {system_.bodies(), close_, system_.has_joints(), system_.stored()}, next);
  acted_.assign(acted.begin(), acted.end());
  to_.bodies.clear();
  for (const BodyId id : system_.bodies()) to_.bodies.push_back(scratch_.now[id]);
  flight_ = next;
}

// As the impulses have them, for whoever begins with the solver.
void Cluster::note_bristles() {
  std::vector<ElasticContact>& touches = dictionary_.touches().all;
  for (ElasticContact& touch : touches) touch.stored = 0;
  for (const ImplicitImpulses::Acted& acted : acted_) {
    if (acted.force.joint >= 0) continue;
    const auto at = std::lower_bound(touches.begin(), touches.end(), acted.touch);
    if (at == touches.end() || !(*at == acted.touch)) continue;
    at->bristle = acted.touch.bristle;
    at->stored = acted.touch.stored;
  }
}

void Cluster::recall(ElasticContact& touch) const {
  if (!implicit_) return;
  for (const ImplicitImpulses::Acted& acted : acted_) {
    if (acted.force.joint >= 0 || !(acted.touch == touch)) continue;
    touch.bristle = acted.touch.bristle;
    touch.stored = acted.touch.stored;
  }
}

// A part of the last flight without its end has no impulses: what acts then is what made it.
void Cluster::record_flight(double t, ClusterSteps& segments, record::ElasticCounts& counts) {
  const bool whole = !(t < to_.t);
  const double h = t - from_.t, stored = system_.stored();
  motions_.clear();
  for (std::size_t i = 0; i < from_.bodies.size(); ++i) {
    const BodyId id = system_.bodies()[i];
    motions_.push_back(dynamics::fly_freely(scene_, scene_.body(id), from_.bodies[i]));
    from_.bodies[i] = whole ? to_.bodies[i] : dynamics::state_on(motions_[i], h);
  }
  forces_.clear();
  effects_.clear();
  for (const ImplicitImpulses::Acted& acted : whole ? acted_ : acting_) {
    forces_.push_back(acted.force);
    effects_.push_back(whole ? acted.effect : record::ForceEffect{});
    if (whole) counts.deepest = std::max(counts.deepest, acted.depth);
  }
  if (whole) note_bristles();
  segments.add({from_.t, t}, system_.bodies(), motions_, from_.bodies,
               {forces_, forces_, forces_, effects_, stored, system_.stored()});
  from_.t = t;
  if (whole) from_ = to_;
  place(from_);
}

void Cluster::suspend() {
  if (implicit_)
    system_.forget_rates();
  else
    system_.keep(from_.y, from_.rate);
}

// Of the solver.
double Cluster::last_step() const { return implicit_ ? flight_ : solver_.last_step(); }

}  // namespace carom::methods
