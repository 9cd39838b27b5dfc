// How pairs of an elastic scene that are apart are watched, so that none begins to touch unseen.
#include <algorithm>
#include <cmath>

#include "carom/methods/elastic/elastic.h"

namespace carom::methods {

namespace {

constexpr double kWatched = 0.2;      // way of the average body in one watch, of the smallest body
constexpr double kReachFactor = 2;    // times as far as bodies would get unpushed
constexpr double kLeastReach = 0.05;  // of the smallest body
constexpr double kBeyond = 1.5;       // of ε, and of what steps leave open: there contacts begin
constexpr double kResolution = 1e-2;  // of ε: a depth this near to that counts as reached, and the
                                      // least way of bodies between two looks at their pair

}  // namespace

void ElasticStepper::watch(double t) {
  state_.t = t;
  state_.bodies.resize(scene_.bodies.size());
  for (std::size_t i = 0; i < state_.bodies.size(); ++i)
    state_.bodies[i] = tracks_.at(id_of<BodyId>(i), t);
  const double ahead = choose_horizon();
  watched_until_ = t + ahead;
  tracks_.look_ahead(t, watched_until_);
  choose_reaches(ahead);
  near_.watch(state_, reaches_, tracks_);
  for (const std::unique_ptr<Cluster>& each : clusters_)
    if (!each->bodies().empty()) each->find_near();
  meetings_.clear();
  for (std::size_t k = 0; k < near_.size(); ++k) meetings_.add(HUGE_VAL);
  for (std::size_t k = 0; k < near_.size(); ++k) wait_for(k, t);
}

// Time in which the average body moves a part, kWatched, of the smallest body.
double ElasticStepper::choose_horizon() const {
  const double way = kWatched * scene_.tolerances.length;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < state_.bodies.size(); ++i) {
    const BodyState& body = state_.bodies[i];
    if (scene_.bodies[i].motion == model::Motion::Fixed) continue;
    sum += body.v.norm() + tracks_.lever_bound(id_of<BodyId>(i)) * body.w.norm();
    ++count;
  }
  const double speed = count > 0 ? sum / count : 0;
  const double fall = std::sqrt(2 * way * scene_.gravity.norm());
  return std::min(way / std::max(speed + fall, scene_.tolerances.velocity), scene_.duration);
}

// As far as bodies are known to get; of those in clusters, as far as they would get unpushed twice.
void ElasticStepper::choose_reaches(double ahead) {
  const double least = kLeastReach * scene_.tolerances.length;
  const double fall = 0.5 * scene_.gravity.norm() * ahead * ahead;
  reaches_.assign(state_.bodies.size(), 0.0);
  for (std::size_t i = 0; i < state_.bodies.size(); ++i) {
    const BodyId id = id_of<BodyId>(i);
    if (scene_.bodies[i].motion == model::Motion::Fixed) continue;
    const BodyState& body = state_.bodies[i];
    const double way = ahead * (body.v.norm() + tracks_.lever_bound(id) * body.w.norm()) + fall;
    const double known = std::min(ahead, tracks_.known_until(id) - state_.t);
    reaches_[i] =
        least + std::max(known * tracks_.speed(id), in_cluster(id) ? kReachFactor * way : 0);
  }
}

double ElasticStepper::known_until(const NearPairs::Near& pair) const {
  return std::min(tracks_.known_until(pair.a), tracks_.known_until(pair.b));
}

double ElasticStepper::closing_speed(const NearPairs::Near& pair) const {
  return tracks_.speed(pair.a) + tracks_.speed(pair.b);
}

// m; bodies of clusters are where they are but for the solver's tolerance, and what is shallower is
// left to its events.
double ElasticStepper::depth_of_contact(const NearPairs::Near& pair) const {
  double depth = hysteresis_;
  for (const BodyId id : {pair.a, pair.b})
    if (in_cluster(id)) depth += hysteresis_ + options_.tolerance * scene_.body(id).radius;
  return kBeyond * depth;
}

// Until then it cannot touch; never, where it does already, or before more is known.
void ElasticStepper::wait_for(std::size_t near, double t) {
  const NearPairs::Near& pair = near_[near];
  const double known = known_until(pair);
  if (pair.touches || !(t < known) || goes_implicitly(near)) return meetings_.drop(near);
  const double apart = pair.clear + depth_of_contact(pair) - tracks_.travelled(pair.a, t) -
                       tracks_.travelled(pair.b, t);
  meetings_.wait_for(near, t, {apart, closing_speed(pair)}, known);
}

void ElasticStepper::look_at(std::size_t near, double t) {
  NearPairs::Near& pair = near_[near];
  const double known = known_until(pair), depth = depth_of_contact(pair);
  const double extension = near_.extension(near);  // shapes that far apart count as touching
  contact::PairQuery::Clocks now =
      clocks_at(tracks_.way(pair.a), tracks_.way(pair.b), t, std::min(watched_until_, known));
  now.tolerance = 0.5 * hysteresis_;
  now.depth = depth - extension;
  contact::PairQuery::Look look = near_.query(near).look(now);
  look.gap -= extension;
  const double resolution = kResolution * hysteresis_;
  if (look.gap < resolution - depth) {
    scratch_.now.t = t;
    for (const BodyId id : {pair.a, pair.b}) scratch_.now[id] = tracks_.at(id, t);
    const contact::Contact at = near_.find_nearest(near, scratch_.now);
    if (at.at.gap < resolution - depth) return meet({at, true, near}, t);
  }
  if (std::isfinite(pair.clear))
    pair.clear = look.gap + tracks_.travelled(pair.a, t) + tracks_.travelled(pair.b, t);
  meetings_.wait_on(near, t, look.wait, {resolution, closing_speed(pair)}, known);
}

}  // namespace carom::methods
