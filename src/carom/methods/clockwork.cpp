#include "carom/methods/clockwork.h"

#include <algorithm>
#include <cmath>

#include "carom/methods/crowd.h"

namespace carom::methods {

namespace {

using contact::PairQuery;

constexpr double kSoon = 1e-10;       // s; an approach this far off has arrived
constexpr double kBand = 1e-2;        // of the collision epsilon; where hops end
constexpr double kResolution = 1e-2;  // of the gap tolerance: how far a look that promises nothing
                                      // lets bodies move
constexpr std::int64_t kLooksPerCollision = 1000;

}  // namespace

Clockwork::Clockwork(const Scene& scene, contact::Pairs& pairs, const ClockOptions& options,
                     const Law& law, HopMemory& memory)
    : scene_(scene),
      options_(options),
      hopping_(scene, options, law, memory),
      pairs_(pairs),
      clocks_(scene.bodies.size()) {}

AdvanceResult Clockwork::advance(State& state, double t_end, std::vector<record::Collision>& out) {
  begin(state, t_end);
  AdvanceResult result;
  const double t = run(out, result);
  for (std::size_t i = 0; i < clocks_.size(); ++i) state.bodies[i] = state_of(id_of<BodyId>(i), t);
  state.t = t;
  return result;
}

// Returns the time that was reached.
double Clockwork::run(std::vector<record::Collision>& out, AdvanceResult& result) {
  const auto bodies = static_cast<std::int64_t>(scene_.bodies.size());
  std::int64_t collisions = 0, looks = 0;
  Crowd crowd(scene_.bodies.size());
  while (!heap_.empty() && heap_.top().t < t_end_) {
    const auto [t, pair] = heap_.top();
    const contact::ShapePair who = pairs_.meeting(pair).pair();
    const PairQuery::Look now = look(pair, t);
    if (meets(now, who)) {
      const bool endless = crowd.is_endless(t);
      if (endless || ++collisions > options_.max_collisions_per_body * bodies) {
        result = {endless ? AdvanceStatus::ZenoPoint : AdvanceStatus::TooManyCollisions, who.a,
                  who.b, now.at};
        return t;
      }
      collide(pair, t, now, out);
      continue;
    }
    if (++looks > kLooksPerCollision * (collisions + 1000)) {
      result = {AdvanceStatus::SearchDidNotEnd, who.a, who.b, now.at};
      return t;
    }
    const double least = kResolution * scene_.tolerances.gap / closing_speed(who);
    const double wait = std::max(now.wait, least);
    known_[pair] = {t, std::max(now.gap, 0.0), closing_speed(who)};
    heap_.set(pair, std::max(t + wait, std::nextafter(t, HUGE_VAL)));
  }
  return t_end_;
}

void Clockwork::begin(const State& state, double t_end) {
  t_end_ = t_end;
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    clocks_[i].pairs.clear();
    set_out(id_of<BodyId>(i), state.bodies[i], state.t);
  }
  flight_.t0 = state.t;
  flight_.duration = t_end - state.t;
  flight_.motions.clear();
  for (const Clock& clock : clocks_) flight_.motions.push_back(clock.motion);
  heap_.clear();
  known_.clear();
  const std::size_t count = pairs_.begin_frame(flight_);
  for (std::size_t pair = 0; pair < count; ++pair) add_pair(pair);
  for (std::size_t pair = 0; pair < count; ++pair) heap_.set(pair, state.t);
}

void Clockwork::set_out(BodyId id, const BodyState& from, double t) {
  Clock& clock = clocks_[index(id)];
  const Body& body = scene_.body(id);
  clock.t0 = t;
  clock.motion = dynamics::fly_freely(scene_, body, from);
  const double left = t_end_ - t;
  const double reach = std::isfinite(body.radius) ? body.radius : 0;
  clock.fastest = math::speed_bound(clock.motion, left) +
                  reach * math::spin_bounds(clock.motion.rotation, left).speed;
}

void Clockwork::add_pair(std::size_t pair) {
  const contact::ShapePair& who = pairs_.meeting(pair).pair();
  for (const BodyId id : {who.a, who.b}) {
    if (scene_.body(id).is_dynamic()) clocks_[index(id)].pairs.push_back(pair);
  }
  known_.emplace_back();
  heap_.add(t_end_);
}

// A plane that turns moves its far parts however fast.
double Clockwork::closing_speed(const contact::ShapePair& pair) const {
  const Clock &a = clocks_[index(pair.a)], &b = clocks_[index(pair.b)];
  const auto turning = [&](BodyId id, const Clock& plane) {
    const bool endless = !std::isfinite(scene_.body(id).radius);
    return endless && math::spin_bounds(plane.motion.rotation, 0).speed > 0;
  };
  if (turning(pair.a, a) || turning(pair.b, b)) return HUGE_VAL;
  return std::max(a.fastest + b.fastest, scene_.tolerances.velocity);
}

// The bodies have taken other ways at time t.
void Clockwork::rebound(std::size_t pair, double t) {
  Known& known = known_[pair];
  const double gap = std::max(0.0, known.gap - known.speed * (t - known.t));
  known = {t, std::isfinite(gap) ? gap : 0, closing_speed(pairs_.meeting(pair).pair())};
  heap_.set(pair, t + known.gap / known.speed);
}

PairQuery::Look Clockwork::look(std::size_t pair, double t) {
  PairQuery& query = pairs_.meeting(pair);
  const Clock &a = clocks_[index(query.pair().a)], &b = clocks_[index(query.pair().b)];
  const double size =
      2 * std::min(scene_.body(query.pair().a).radius, scene_.body(query.pair().b).radius);
  return query.look({a.motion, b.motion, t - a.t0, t - b.t0, t_end_ - t,
                     kBand * options_.epsilon * size, scene_.tolerances.gap});
}

bool Clockwork::meets(const PairQuery::Look& look, const contact::ShapePair& pair) const {
  if (!(look.rate < -scene_.tolerances.velocity)) return false;
  if (look.at.gap <= std::max(scene_.tolerances.gap, -look.rate * kSoon)) return true;
  const double hop = hopping_.hop_speed(pair.a, pair.b, look.at.normal);
  const double size = 2 * std::min(scene_.body(pair.a).radius, scene_.body(pair.b).radius);
  return -look.rate < hop && look.at.gap <= kBand * options_.epsilon * size;
}

void Clockwork::collide(std::size_t pair, double t, const PairQuery::Look& look,
                        std::vector<record::Collision>& out) {
  const contact::ShapePair who = pairs_.meeting(pair).pair();
  const record::Collision& done =
      out.emplace_back(hopping_.collide(t, {who.a, who.b, state_of(who.a, t), state_of(who.b, t),
                                            look.at, pairs_.meeting(pair).between()}));
  known_[pair] = {t, 0, 0};
  if (scene_.body(who.a).is_dynamic()) reroute(who.a, done.a, t);
  if (scene_.body(who.b).is_dynamic()) reroute(who.b, done.b, t);
}

void Clockwork::reroute(BodyId id, const BodyState& from, double t) {
  set_out(id, from, t);
  Clock& clock = clocks_[index(id)];
  fresh_.clear();
  pairs_.reroute(id, clock.motion, t_end_ - t, fresh_);
  for (const std::size_t pair : fresh_) add_pair(pair);
  for (const std::size_t pair : clock.pairs) rebound(pair, t);
}

BodyState Clockwork::state_of(BodyId id, double t) const {
  const Clock& clock = clocks_[index(id)];
  return dynamics::state_on(clock.motion, t - clock.t0);
}

}  // namespace carom::methods
