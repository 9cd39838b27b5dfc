#include "carom/audit/ball_frames.h"

#include <algorithm>
#include <cmath>

#include "carom/audit/parabola.h"
#include "carom/base/prefetch.h"

namespace carom::audit {

namespace {

constexpr std::size_t kAhead = 8;  // collisions whose balls are asked for before they are read

}  // namespace

void BallFrames::begin(const Scene& scene) {
  gravity_ = scene.gravity;
  ball_of_.assign(scene.bodies.size(), -1);
  all_balls_ = scene.joints.empty();
  for (std::size_t i = 0; all_balls_ && i < scene.bodies.size(); ++i)
    all_balls_ = add(scene, static_cast<int>(i));
}

bool BallFrames::add(const Scene& scene, int number) {
  const Body& body = scene.bodies[static_cast<std::size_t>(number)];
  const std::vector<Solid>& solids = watch_.solids(number);
  if (!body.is_dynamic()) {
    const StandingPlane* plane = watch_.standing_plane(number);
    if (plane != nullptr) planes_.push_back(*plane);
    return solids.empty() || plane != nullptr;
  }
  const bool is_ball = solids.size() == 1 && solids[0].is_ball() && body.principal.is_spherical();
  if (!is_ball) return false;
  ball_of_[static_cast<std::size_t>(number)] = static_cast<int>(balls_.size());
  balls_.push_back({.body = number, .radius = solids[0].radius, .since = 0, .from = {}});
  return true;
}

void BallFrames::reset(const State& start) {
  next_ = 0;
  for (Flyer& ball : balls_) {
    ball.since = start.t;
    ball.from = start.bodies[static_cast<std::size_t>(ball.body)];
  }
}

void BallFrames::check(const State& state) {
  reset(state);
  list_flights({state, {}, state}, state.t, state.t);
  judge_part();
}

void BallFrames::judge(const record::Frame& frame) {
  reset(frame.start);
  const double part = choose_part(frame);
  double from = frame.start.t;
  for (double k = 1; from < frame.end.t; ++k) {
    const double to = std::min(frame.start.t + k * part, frame.end.t);
    list_flights(frame, from, to);
    judge_part();
    from = to;
  }
  while (next_ < frame.collisions.size()) pass(frame, frame.collisions[next_++]);
  for (Flyer& ball : balls_) fly(ball, frame.end.t);
}

// By the mean of the speeds at either end, s.
double BallFrames::choose_part(const record::Frame& frame) const {
  constexpr double kRadiiAPart = 2;  // radii; from 1 to 3.5 the cost hardly differs
  constexpr double kMostParts = 1e4;
  double speeds = 0, radii = 0;
  for (const Flyer& ball : balls_) {
    const BodyState& end = frame.end.bodies[static_cast<std::size_t>(ball.body)];
    speeds += (ball.from.v.norm() + end.v.norm()) / 2;
    radii += ball.radius;
  }
  const double parts = speeds * frame.duration() / (kRadiiAPart * radii);
  return frame.duration() / (parts > 1 ? std::min(std::ceil(parts), kMostParts) : 1);
}

template <typename Take>
void BallFrames::visit_balls(const record::Collision& collision, const Take& take) const {
  for (const BodyId body : {collision.event.a, collision.event.b})
    if (ball_of_[index(body)] >= 0) take(static_cast<std::size_t>(ball_of_[index(body)]));
}

void BallFrames::list_flights(const record::Frame& frame, double from, double to) {
  began_ = from;
  lasts_ = to - from;
  first_.assign(balls_.size() + 1, 1);
  std::size_t end = next_;
  for (; end < frame.collisions.size() && frame.collisions[end].event.t <= to; ++end)
    visit_balls(frame.collisions[end], [&](std::size_t ball) { ++first_[ball]; });
  std::size_t sum = 0;
  for (std::size_t& first : first_) sum += std::exchange(first, sum);
  flights_.resize(sum);
  last_ = first_;
  for (std::size_t ball = 0; ball < balls_.size(); ++ball) open_flight(ball, from);
  for (; next_ < end; ++next_) {
    const record::Collision& collision = frame.collisions[next_];
    if (next_ + kAhead < end)
      visit_balls(frame.collisions[next_ + kAhead],
                  [&](std::size_t ball) { base::prefetch(&balls_[ball]); });
    pass(frame, collision);
    visit_balls(collision, [&](std::size_t ball) {
      flights_[last_[ball]++].t1 = collision.event.t - began_;
      open_flight(ball, collision.event.t);
    });
  }
  for (std::size_t ball = 0; ball < balls_.size(); ++ball) flights_[last_[ball]].t1 = lasts_;
}

void BallFrames::open_flight(std::size_t ball, double t) {
  const Flyer& flyer = balls_[ball];
  const double s = flyer.since - began_;
  const Vec3 v = flyer.from.v - s * gravity_;
  flights_[last_[ball]] = {t - began_, t - began_, flyer.from.x - s * (v + s / 2 * gravity_), v};
}

BodyState BallFrames::Flyer::at(double t, const Vec3& gravity) const {
  const double s = t - since;
  return {from.x + s * (from.v + s / 2 * gravity), from.q, from.v + s * gravity, from.w};
}

// Where nothing pulls, a flight changes nothing that is booked.
void BallFrames::fly(Flyer& ball, double t) {
  const BodyState end = ball.at(t, gravity_);
  if (!gravity_.isZero(0))
    ledger_.enter_flight(static_cast<BodyId>(ball.body), {ball.from, end}, t - ball.since);
  ball.from = end;
  ball.since = t;
}

void BallFrames::pass(const record::Frame& frame, const record::Collision& collision) {
  const record::ContactEvent& event = collision.event;
  visit_balls(collision, [&](std::size_t ball) { fly(balls_[ball], event.t); });
  const auto state = [&](BodyId body) -> const BodyState& {
    const int ball = ball_of_[index(body)];
    return ball < 0 ? frame.start[body] : balls_[static_cast<std::size_t>(ball)].from;
  };
  ledger_.enter_collision(collision, state(event.a), state(event.b));
  const auto set = [&](BodyId body, const BodyState& after) {
    const int ball = ball_of_[index(body)];
    if (ball >= 0) balls_[static_cast<std::size_t>(ball)].from = after;
  };
  set(event.a, collision.a);
  set(event.b, collision.b);
}

// In the frame that falls. A path of straight pieces is farthest from a uniform motion where one
// begins or ends.
BallFrames::Tube BallFrames::bound_flights(std::size_t ball) const {
  const std::span<const Flight> flights = flights_of(ball);
  const Vec3 first = flights.front().at(0), last = flights.back().at(lasts_);
  const Vec3 uniform = (last - first) / (lasts_ > 0 ? lasts_ : 1);
  double off = 0;
  if (flights.size() > 1)
    for (const Flight& flight : flights)
      for (const double t : {flight.t0, flight.t1})
        off = std::max(off, (flight.at(t) - first - t * uniform).squaredNorm());
  return {(first + last) / 2, (last - first) / 2, balls_[ball].radius + std::sqrt(off)};
}

// Nearest where the square of what they are apart, a parabola, is least.
bool BallFrames::Tube::may_meet(const Tube& other) const {
  const Vec3 x = other.middle - middle, v = other.way - way;
  const double slope = x.dot(v), bend = v.squaredNorm(), reach = radius + other.radius;
  const double s = bend > std::abs(slope) ? -slope / bend : (slope > 0 ? -1 : 1);
  return (x + s * v).squaredNorm() <= reach * reach;
}

void BallFrames::judge_part() {
  tubes_.resize(balls_.size());
  around_.resize(balls_.size());
  for (std::size_t ball = 0; ball < balls_.size(); ++ball) {
    const Tube& tube = tubes_[ball] = bound_flights(ball);
    around_[ball] = {tube.middle, tube.way.norm() + tube.radius, static_cast<int>(ball)};
    judge_planes(ball);
  }
  grid_.fill(around_);
  grid_.visit_overlaps([this](int i, int j) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    if (tubes_[a].may_meet(tubes_[b])) judge_pair(a, b);
  });
}

// In the frame that falls planes rise, by g t²/2.
void BallFrames::judge_planes(std::size_t ball) {
  const Ball& around = around_[ball];
  const double risen = gravity_.norm() * lasts_ * lasts_ / 2;
  for (const StandingPlane& plane : planes_) {
    if (plane.is_below(around.center, around.radius + risen)) continue;
    const BodyPair bodies = std::minmax(plane.body, balls_[ball].body);
    for (const Flight& flight : flights_of(ball)) {
      if (!watch_.is_chosen(bodies, began_ + flight.t0)) continue;
      const double t = flight.t0;
      const Parabola path{flight.at(t) + t * t / 2 * gravity_, flight.v + t * gravity_, gravity_};
      const double height = path.find_least_height(plane.normal, flight.t1 - t);
      watch_.see(plane.offset + balls_[ball].radius - height);
    }
  }
}

// They fall alike: one passes the other on a straight line.
void BallFrames::judge_pair(std::size_t i, std::size_t j) {
  const double reach = balls_[i].radius + balls_[j].radius;
  const Flight *f = flights_.data() + first_[i], *g = flights_.data() + first_[j];
  const Flight *f_end = flights_.data() + first_[i + 1], *g_end = flights_.data() + first_[j + 1];
  while (f != f_end && g != g_end) {
    const double from = std::max(f->t0, g->t0), to = std::min(f->t1, g->t1);
    const Vec3 x = g->x - f->x, v = g->v - f->v;
    (f->t1 < g->t1 ? f : g) += 1;
    if (to < from) continue;
    const double t = -x.dot(v) / v.squaredNorm();
    const double apart = (x + (t > from ? std::min(t, to) : from) * v).squaredNorm();
    if (apart < reach * reach &&
        watch_.is_chosen(std::minmax(balls_[i].body, balls_[j].body), began_ + from))
      watch_.see(reach - std::sqrt(apart));
  }
}

}  // namespace carom::audit
