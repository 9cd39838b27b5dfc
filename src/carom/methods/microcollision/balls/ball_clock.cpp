#include "carom/methods/microcollision/balls/ball_clock.h"

#include <algorithm>
#include <numeric>

#include "carom/math/rotation.h"
#include "carom/methods/shared/zeno_detector.h"

namespace carom::methods {

namespace {

constexpr std::size_t kManyBalls = 5000;  // more than that are not all near in the caches
constexpr std::size_t kBeyondCaches = 30000;
constexpr std::size_t kManyCollisions = 500'000;  // 180 MB
constexpr std::size_t kLastPlaneBit = 15;
constexpr std::int64_t kEventsPerCollision = 100;  // at the most, cells entered included

}  // namespace

BallClock::BallClock(const Scene& scene, const ClockOptions& options, base::Watched watched)
    : scene_(scene),
      options_(options),
      watched_(watched),
      parts_(make_ball_scene(scene)),
      hop_(make_hop_rule(scene, options)) {}

AdvanceResult BallClock::advance(State& state, double t_end,
                                 std::vector<record::Collision>* collisions, const Flush& flush) {
  listener_ = collisions;
  if (parts_.bodies.empty()) {
    state.t = t_end;
    return {};
  }
  begin(state, t_end);
  const AdvanceResult result = run(state, flush);
  finish(state, result.ok() ? duration_ : now_);
  if (result.ok()) state.t = t_end;
  return result;
}

AdvanceResult BallClock::run(State& state, const Flush& flush) {
  const bool many = balls_.size() > kBeyondCaches;
  const std::int64_t allowed =
      options_.max_collisions_per_body * static_cast<std::int64_t>(balls_.size());
  const std::int64_t most = collisions_ + allowed;
  std::int64_t events = kEventsPerCollision * allowed;
  ZenoDetector crowd(balls_.size());
  while (const auto event = queue_.pop(duration_)) {
    if (many) prefetch_upcoming();
    now_ = std::max(now_, event->time);
    watched_.poll(start_ + now_);
    const std::int64_t before = collisions_;
    handle(event->item);
    if (listener_ && flush && listener_->size() >= kManyCollisions) {
      finish(state, now_);
      flush(state);
    }
    const bool endless = collisions_ > before && crowd.is_endless(start_ + now_);
    if (!endless && collisions_ <= most && --events > 0) continue;
    const BodyId hurried = body_of(event->item);
    return {endless ? AdvanceStatus::ZenoPoint : AdvanceStatus::TooManyCollisions, hurried,
            hurried};
  }
  return {};
}

void BallClock::begin(const State& state, double t_end) {
  start_ = state.t;
  duration_ = t_end - state.t;
  now_ = 0;
  load(state);
  cells_.lay_out(balls_, parts_.greatest_diameter);
  times_.resize(balls_.size());
  for (std::int32_t ball = 0; at(ball) < balls_.size(); ++ball) {
    Outlook& outlook = outlooks_[at(ball)];
    outlook = {};
    outlook.cell = cells_.locate(balls_[at(ball)].x);
    outlook.planes = planes_near(outlook.cell);
    consider_balls(ball, cells_.find_in(cells_.near(outlook.cell)));
    consider_planes(ball);
    cells_.insert(ball, outlook.cell);
    times_[at(ball)] = next_time(ball);
  }
  queue_.fill(times_);
}

// Balls that are near in space are near in memory, where there are many of them.
void BallClock::load(const State& state) {
  const std::size_t count = parts_.bodies.size();
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  if (count > kManyBalls) {
    boxes_.clear();
    for (const BodyId id : parts_.bodies) boxes_.push_back({state[id].x, state[id].x});
    const auto sorted = curve_.sort(boxes_);
    std::copy(sorted.begin(), sorted.end(), order_.begin());
  }
  balls_.resize(count);
  outlooks_.resize(count);
  spins_.resize(count);
  sights_.reserve(count);
  met_.resize(count + 1);
  for (std::size_t k = 0; k < count; ++k) {
    const BodyState& body = state[parts_.bodies[at(order_[k])]];
    balls_[k] = {body.x, body.v, 0, parts_.kind_of[at(order_[k])], 0};
    spins_[k] = {body.q, body.w, 0};
  }
}

void BallClock::consider_balls(std::int32_t ball, std::span<const std::int32_t> others) {
  const Ball& own = balls_[at(ball)];
  const Vec3 x = own.position_at(now_), v = own.v;
  const double now = now_, radius = kind_of(own).radius;
  const double before = std::min(outlooks_[at(ball)].s, duration_) - now;
  for (const std::int32_t other : others) base::prefetch(&balls_[at(other)]);
  std::size_t count = 0;  // of those that will be met: a branch would mostly be mispredicted
  for (const std::int32_t other : others) {
    const Ball& its = balls_[at(other)];
    met_[count] = other;
    count += find_passage(x, v, its, now).meets(radius + kind_of(its).radius) ? 1U : 0U;
  }
  sights_.clear();
  for (const std::int32_t other : std::span(met_).first(count)) {
    const Ball& its = balls_[at(other)];
    const double wait = find_passage(x, v, its, now).time_to_meeting(radius + kind_of(its).radius);
    if (wait > before || other == ball) continue;
    sights_.push_back({now + wait, other});
    base::prefetch(&outlooks_[at(other)]);
  }
  choose_partner(ball);
}

void BallClock::choose_partner(std::int32_t ball) {
  Outlook& outlook = outlooks_[at(ball)];
  for (const EventQueue::Event& sight : sights_) {
    const bool sooner =
        sight.time < outlook.s || (sight.time == outlook.s && sight.item < outlook.partner);
    if (!sooner || sight.time >= outlooks_[at(sight.item)].s) continue;
    outlook.s = sight.time;
    outlook.partner = sight.item;
    outlook.partner_hits = balls_[at(sight.item)].hits;
  }
}

void BallClock::consider_planes(std::int32_t ball) {
  Outlook& outlook = outlooks_[at(ball)];
  if (outlook.planes == 0) return;
  const Ball& own = balls_[at(ball)];
  const Vec3 x = seen_standing(own.x, own.clock), v = velocity_standing(own);
  for (std::size_t k = 0; k < parts_.planes.size(); ++k) {
    if ((outlook.planes >> std::min(k, kLastPlaneBit) & 1U) == 0) continue;
    const FixedPlane& plane = parts_.planes[k];
    const double height = plane.normal.dot(x) - plane.offset - kind_of(own).radius;
    const double descent =
        time_of_descent(height, plane.normal.dot(v), plane.normal.dot(scene_.gravity));
    const double s = std::max(now_, own.clock + descent);
    if (!(s <= std::min(outlook.s, duration_))) continue;
    outlook.s = s;
    outlook.partner = -1 - static_cast<std::int32_t>(k);
  }
}

// A plane farther from a cell than any ball reaches is met by nobody in it.
std::uint16_t BallClock::planes_near(const CellAt& cell) const {
  unsigned near = 0;
  const double half = 0.5 * cells_.side();
  const Vec3 centre(cells_.low_face(0, cell[0]) + half, cells_.low_face(1, cell[1]) + half,
                    cells_.low_face(2, cell[2]) + half);
  for (std::size_t k = 0; k < parts_.planes.size(); ++k) {
    const FixedPlane& plane = parts_.planes[k];
    const double reach = parts_.greatest_diameter + half * plane.normal.lpNorm<1>();
    if (plane.normal.dot(centre) - plane.offset > reach) continue;
    near |= 1U << std::min(k, kLastPlaneBit);
  }
  return static_cast<std::uint16_t>(near);
}

double BallClock::find_cell_exit(std::int32_t ball) {
  Outlook& outlook = outlooks_[at(ball)];
  const Ball& own = balls_[at(ball)];
  const Vec3 x = seen_standing(own.x, own.clock), v = velocity_standing(own);
  double first = kNever;
  for (int axis = 0; axis < 3; ++axis) {
    const double low =
        cells_.low_face(axis, outlook.cell[static_cast<std::size_t>(axis)]) - x[axis];
    const Exit exit =
        find_exit(low, low + cells_.side(), v[axis], scene_.gravity[axis], now_ - own.clock);
    if (exit.s >= first) continue;
    first = exit.s;
    outlook.exit = static_cast<std::uint8_t>(2 * axis + (exit.upward ? 1 : 0));
  }
  return std::max(now_, own.clock + first);
}

double BallClock::next_time(std::int32_t ball) {
  const double exit = find_cell_exit(ball);
  const double next = std::min(exit, outlooks_[at(ball)].s);
  return next <= duration_ ? next : kNever;
}

void BallClock::look_out(std::int32_t ball) {
  outlooks_[at(ball)].s = kNever;
  consider_balls(ball, cells_.find_in(cells_.near(outlooks_[at(ball)].cell)));
  consider_planes(ball);
  queue_.set(ball, next_time(ball));
}

void BallClock::handle(std::int32_t ball) {
  const Outlook& outlook = outlooks_[at(ball)];
  if (outlook.s > now_) {
    cross(ball);
  } else if (outlook.partner >= 0 && balls_[at(outlook.partner)].hits != outlook.partner_hits) {
    look_out(ball);
  } else {
    collide(ball);
  }
}

// What is ahead of the new cell has not been looked at yet.
void BallClock::cross(std::int32_t ball) {
  Outlook& outlook = outlooks_[at(ball)];
  const BallCells::Block ahead = ahead_of(outlook);
  cells_.remove(ball, outlook.cell);
  outlook.cell = next_cell(outlook);
  consider_balls(ball, cells_.find_in(ahead));
  cells_.insert(ball, outlook.cell);
  outlook.planes = planes_near(outlook.cell);
  consider_planes(ball);
  queue_.set(ball, next_time(ball));
}

CellAt BallClock::next_cell(const Outlook& outlook) {
  CellAt next = outlook.cell;
  next[outlook.exit / 2U] += outlook.exit % 2 == 1 ? 1 : -1;
  return next;
}

BallCells::Block BallClock::ahead_of(const Outlook& outlook) const {
  return cells_.ahead(next_cell(outlook), outlook.exit / 2, outlook.exit % 2 == 1 ? 1 : -1);
}

void BallClock::finish(State& state, double s) {
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    const auto ball = static_cast<std::int32_t>(k);
    state[body_of(ball)] = state_of(ball, s);
  }
  state.t = start_ + s;
}

BodyState BallClock::state_of(std::int32_t ball, double s) const {
  const Ball& own = balls_[at(ball)];
  const Spin& spin = spins_[at(ball)];
  const bool turns = !spin.w.isZero(0);
  return {seen_standing(own.position_at(s), s),
          turns ? math::quat_exp((s - spin.clock) * spin.w) * spin.q : spin.q,
          own.v + s * scene_.gravity, spin.w};
}

}  // namespace carom::methods
