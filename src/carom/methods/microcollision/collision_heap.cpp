#include "carom/methods/microcollision/collision_heap.h"

#include <algorithm>
#include <cmath>

#include "carom/methods/shared/zeno_detector.h"

namespace carom::methods {

namespace {

using contact::PairQuery;
using contact::Pairs;

constexpr double kArrivedWithin = 1e-10;  // s; an approach this far off has arrived
constexpr double kBand = 1e-2;            // of the collision epsilon; where hops end
constexpr double kResolution = 1e-2;  // of the gap resolution: the least way of bodies between two
                                      // looks at their pair
constexpr std::int64_t kLooksPerCollision = 1000;

}  // namespace

void Timetable::set_way(const Scene& scene, BodyId id, const RigidMotion& motion, double t) {
  const double radius = scene.body(id).radius, lever = std::isfinite(radius) ? radius : 0;
  clocks[index(id)].way = {t, motion, speed_bound(motion, lever, t_end - t)};
}

CollisionHeap::CollisionHeap(const Scene& scene, Pairs& pairs, const ClockOptions& options,
                             const impact::Law& law, Timetable& timetable, base::Watched watched)
    : scene_(scene),
      pairs_(pairs),
      options_(options),
      timetable_(timetable),
      watched_(watched),
      others_(std::count_if(scene.bodies.begin(), scene.bodies.end(),
                            [](const Body& body) { return !body.is_dynamic(); })),
      law_(scene, options, law, sticks_) {}

void CollisionHeap::begin(std::int32_t number) {
  number_ = number;
  bodies_.clear();
  given_.clear();
  sticks_.clear();
}

void CollisionHeap::run(double until) {
  prepare();
  const auto bodies = std::ssize(bodies_) + others_;
  std::int64_t looks = 0;
  ZenoDetector crowd(static_cast<std::size_t>(bodies));
  while (schedule_.earliest() < until) {
    const auto [t, pair] = schedule_.next();
    watched_.poll(t);
    const contact::ShapePair who = meetings_[pair].query->pair();
    const PairQuery::Look now = look(pair, t);
    const auto stop = [&](AdvanceStatus status) {
      result_ = {status, who.a, who.b, now.at};
      reached_ = t;
    };
    if (meets(now, who)) {
      if (crowd.is_endless(t)) return stop(AdvanceStatus::ZenoPoint);
      if (std::ssize(bounces_) == options_.max_collisions_per_body * bodies)
        return stop(AdvanceStatus::TooManyCollisions);
      collide(pair, t, now);
      continue;
    }
    if (++looks > kLooksPerCollision * (std::ssize(bounces_) + 1000))
      return stop(AdvanceStatus::SearchDidNotEnd);
    const double speed = closing_speed(who);
    known_[pair] = {t, {std::max(now.gap, 0.0), speed}};
    schedule_.wait_on(pair, t, now.wait, {kResolution * scene_.tolerances.resolution, speed});
  }
  result_ = {};
  reached_ = until;
}

void CollisionHeap::prepare() {
  meetings_.clear();
  known_.clear();
  schedule_.clear();
  bounces_.clear();
  met_.clear();
  queries_used_ = 0;
  const Flight& flight = timetable_.flight;
  for (const BodyId id : bodies_) {
    clock(id).pairs.clear();
    clock(id).known.clear();
    timetable_.set_way(scene_, id, flight.motions[index(id)], flight.t0);
  }
  for (const Pairs::Meeting& meeting : given_) {
    // What a pair remembers may change last digits, and must not reach beyond a checkpoint.
    meeting.query->forget();
    add_pair(meeting);
  }
  for (std::size_t pair = 0; pair < meetings_.size(); ++pair) schedule_.set(pair, flight.t0);
}

void CollisionHeap::add_pair(const Pairs::Meeting& meeting) {
  const contact::ShapePair& who = meeting.query->pair();
  for (const BodyId id : {who.a, who.b}) {
    if (!scene_.body(id).is_dynamic()) continue;
    clock(id).pairs.push_back(meetings_.size());
    auto& known = clock(id).known;
    known.insert(std::upper_bound(known.begin(), known.end(), meeting.who), meeting.who);
  }
  meetings_.push_back(meeting);
  known_.emplace_back();
  schedule_.add(timetable_.t_end);
}

// A plane that turns moves its far parts however fast.
double CollisionHeap::closing_speed(const contact::ShapePair& pair) const {
  const OwnWay &a = clock(pair.a).way, &b = clock(pair.b).way;
  const auto turning = [&](BodyId id, const OwnWay& plane) {
    const bool endless = !std::isfinite(scene_.body(id).radius);
    return endless && math::spin_bounds(plane.motion.rotation, 0).speed > 0;
  };
  if (turning(pair.a, a) || turning(pair.b, b)) return HUGE_VAL;
  return std::max(a.speed + b.speed, scene_.tolerances.velocity);
}

// The bodies have taken other ways at time t.
void CollisionHeap::rebound(std::size_t pair, double t) {
  Known& known = known_[pair];
  const double gap = std::max(0.0, known.gap.size - known.gap.speed * (t - known.t));
  known = {t, {std::isfinite(gap) ? gap : 0, closing_speed(meetings_[pair].query->pair())}};
  schedule_.wait_for(pair, t, known.gap);
}

PairQuery::Look CollisionHeap::look(std::size_t pair, double t) {
  PairQuery& query = *meetings_[pair].query;
  const double size =
      2 * std::min(scene_.body(query.pair().a).radius, scene_.body(query.pair().b).radius);
  contact::PairQuery::Clocks now =
      clocks_at(clock(query.pair().a).way, clock(query.pair().b).way, t, timetable_.t_end);
  now.band = kBand * options_.epsilon * size;
  now.tolerance = scene_.tolerances.resolution;
  return query.look(now);
}

bool CollisionHeap::meets(const PairQuery::Look& look, const contact::ShapePair& pair) const {
  if (!(look.rate < -scene_.tolerances.velocity)) return false;
  if (look.at.gap <= std::max(scene_.tolerances.resolution, -look.rate * kArrivedWithin))
    return true;
  const double hop = law_.hop_speed(pair.a, pair.b, look.at.normal);
  const double size = 2 * std::min(scene_.body(pair.a).radius, scene_.body(pair.b).radius);
  return -look.rate < hop && look.at.gap <= kBand * options_.epsilon * size;
}

void CollisionHeap::collide(std::size_t pair, double t, const PairQuery::Look& look) {
  const PairQuery& query = *meetings_[pair].query;
  const contact::ShapePair who = query.pair();
  bounces_.push_back(law_.collide(t, {who.a, who.b, timetable_.state_of(who.a, t),
                                      timetable_.state_of(who.b, t), look.at, query.between()}));
  const record::Collision& done = bounces_.back().collision;
  known_[pair] = {t, {}};
  if (scene_.body(who.a).is_dynamic()) reroute(who.a, done.a, t);
  if (scene_.body(who.b).is_dynamic()) reroute(who.b, done.b, t);
}

void CollisionHeap::reroute(BodyId id, const BodyState& from, double t) {
  timetable_.set_way(scene_, id, dynamics::fly_freely(scene_, scene_.body(id), from), t);
  around_.clear();
  pairs_.reroute(id, clock(id).way.motion, timetable_.t_end - t, around_);
  for (const Pairs::Pieces& who : around_) meet(who, id);
  for (const std::size_t pair : clock(id).pairs) rebound(pair, t);
}

void CollisionHeap::meet(const Pairs::Pieces& who, BodyId id) {
  const auto [a, b] = pairs_.bodies_of(who);
  const BodyId other = a == id ? b : a;
  if (scene_.body(other).is_dynamic() && !is_home(other)) {
    met_.emplace_back(id, other);
    return;
  }
  if (is_known(who, id)) return;
  if (scene_.body(other).is_dynamic()) met_.emplace_back(id, other);
  if (queries_used_ == queries_.size()) queries_.emplace_back();
  PairQuery& query = queries_[queries_used_++];
  pairs_.set_query(who, query);
  add_pair({who, &query});
}

bool CollisionHeap::is_known(const Pairs::Pieces& who, BodyId id) const {
  const auto& known = clock(id).known;
  return std::binary_search(known.begin(), known.end(), who);
}

}  // namespace carom::methods
