// A gas of hard balls in a box: our clocks beside the plain way with the same cells and the same
// closed forms, a binary heap (std::priority_queue) of every collision that is predicted, in which
// outdated ones stay until they come up. An iteration is a frame in which a ball collides about ten
// times; `collisions` is how many there are in a second of processor time.
#include "support/gas.h"

#include <benchmark/benchmark.h>

#include <queue>

#include "carom/methods/microcollision/balls/ball_clock.h"
#include "reference/gas_laws.h"

namespace {

using namespace carom;
using namespace carom::methods;

constexpr double kCollisionsOfABall = 10;

class PlainGas {
 public:
  PlainGas(const Scene& scene, const State& start) : parts_(make_ball_scene(scene)) {
    for (std::size_t i = 0; i < parts_.bodies.size(); ++i) {
      const BodyState& body = start[parts_.bodies[i]];
      balls_.push_back({body.x, body.v, 0, parts_.kind_of[i], 0});
    }
    cells_.lay_out(balls_, parts_.greatest_diameter);
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      at_.push_back(cells_.locate(balls_[i].x));
      cells_.insert(static_cast<std::int32_t>(i), at_[i]);
    }
    for (std::size_t i = 0; i < balls_.size(); ++i) predict(static_cast<std::int32_t>(i), 0);
  }

  std::int64_t advance(double until) {
    std::int64_t collisions = 0;
    while (!queue_.empty() && queue_.top().s <= until) {
      const Event event = queue_.top();
      queue_.pop();
      if (ball(event.a).hits != event.hits_a) continue;
      if (event.kind == Kind::Ball && ball(event.b).hits != event.hits_b) continue;
      if (event.kind == Kind::Face) {
        cross(event);
      } else {
        collide(event);
        ++collisions;
      }
    }
    return collisions;
  }

 private:
  enum class Kind { Ball, Plane, Face };
  struct Event {
    double s;
    Kind kind;
    std::int32_t a, b;  // b: ball, plane, or twice the axis plus 1 for upward
    std::uint32_t hits_a, hits_b;
    bool operator<(const Event& other) const { return s > other.s; }
  };

  Ball& ball(std::int32_t i) { return balls_[static_cast<std::size_t>(i)]; }
  CellAt& cell_of(std::int32_t i) { return at_[static_cast<std::size_t>(i)]; }
  double radius(const Ball& b) const {
    return parts_.kinds[static_cast<std::size_t>(b.kind)].radius;
  }

  void predict(std::int32_t i, double now) {
    predict_meetings(i, cells_.find_in(cells_.near(cell_of(i))), now);
    for (std::size_t k = 0; k < parts_.planes.size(); ++k) {
      const FixedPlane& plane = parts_.planes[k];
      const Ball& own = ball(i);
      const double height = plane.normal.dot(own.x) - plane.offset - radius(own);
      const double wait = time_of_descent(height, plane.normal.dot(own.v), 0);
      if (wait == kNever) continue;
      queue_.push({own.clock + wait, Kind::Plane, i, static_cast<std::int32_t>(k), own.hits, 0});
    }
    predict_exit(i, now);
  }
  void predict_meetings(std::int32_t i, std::span<const std::int32_t> others, double now) {
    const Ball& own = ball(i);
    for (const std::int32_t j : others) {
      const double reach = radius(own) + radius(ball(j));
      const Passage passage = find_passage(own.position_at(now), own.v, ball(j), now);
      if (j == i || !passage.meets(reach)) continue;
      queue_.push({now + passage.time_to_meeting(reach), Kind::Ball, i, j, own.hits, ball(j).hits});
    }
  }
  void predict_exit(std::int32_t i, double now) {
    const Ball& own = ball(i);
    Event first{kNever, Kind::Face, i, 0, own.hits, 0};
    for (int axis = 0; axis < 3; ++axis) {
      const double low =
          cells_.low_face(axis, cell_of(i)[static_cast<std::size_t>(axis)]) - own.x[axis];
      const Exit exit = find_exit(low, low + cells_.side(), own.v[axis], 0, now - own.clock);
      if (own.clock + exit.s >= first.s) continue;
      first.s = own.clock + exit.s;
      first.b = 2 * axis + (exit.upward ? 1 : 0);
    }
    if (first.s != kNever) queue_.push(first);
  }
  void cross(const Event& event) {
    const int axis = event.b / 2, step = event.b % 2 == 1 ? 1 : -1;
    cells_.remove(event.a, cell_of(event.a));
    cell_of(event.a)[static_cast<std::size_t>(axis)] += step;
    predict_meetings(event.a, cells_.find_in(cells_.ahead(cell_of(event.a), axis, step)), event.s);
    cells_.insert(event.a, cell_of(event.a));
    predict_exit(event.a, event.s);
  }
  void move_to(std::int32_t i, double s) {
    Ball& own = ball(i);
    own.x = own.position_at(s);
    own.clock = s;
    ++own.hits;
  }
  void collide(const Event& event) {
    move_to(event.a, event.s);
    Ball& a = ball(event.a);
    if (event.kind == Kind::Plane) {
      const Vec3& n = parts_.planes[static_cast<std::size_t>(event.b)].normal;
      a.v -= 2 * n.dot(a.v) * n;
      return predict(event.a, event.s);
    }
    move_to(event.b, event.s);
    Ball& b = ball(event.b);
    const Vec3 n = (a.x - b.x).normalized();
    const Vec3 exchanged = n.dot(b.v - a.v) * n;  // of equal masses
    a.v += exchanged;
    b.v -= exchanged;
    predict(event.a, event.s);
    predict(event.b, event.s);
  }

  BallScene parts_;
  std::vector<Ball> balls_;
  std::vector<CellAt> at_;
  BallCells cells_;
  std::priority_queue<Event> queue_;
};

support::GasSpec gas_of(const benchmark::State& run) {
  return {.per_side = static_cast<int>(std::lround(std::cbrt(run.range(0)))),
          .packing = static_cast<double>(run.range(1)) / 100};
}

void count(benchmark::State& run, std::int64_t collisions) {
  run.counters["collisions"] =
      benchmark::Counter(static_cast<double>(collisions), benchmark::Counter::kIsRate);
  run.SetItemsProcessed(collisions);
}

void gas_clocks(benchmark::State& run) {
  const support::GasSpec gas = gas_of(run);
  const Scene scene = support::build(support::make_gas_parts(gas));
  State state = support::heat(scene, 1);
  const double frame = kCollisionsOfABall / reference::collision_rate(gas.packing);
  const double heat = reference::temperature(scene, state);
  BallClock clock(scene, {});
  if (!clock.advance(state, state.t + frame, nullptr).ok()) run.SkipWithError("stuck");
  const std::int64_t before = clock.collisions();
  for (auto _ : run) {
    if (!clock.advance(state, state.t + frame, nullptr).ok()) run.SkipWithError("stuck");
  }
  count(run, clock.collisions() - before);
  run.counters["energy_change"] = reference::temperature(scene, state) / heat - 1;
}

void gas_plain(benchmark::State& run) {
  const support::GasSpec gas = gas_of(run);
  const Scene scene = support::build(support::make_gas_parts(gas));
  const double frame = kCollisionsOfABall / reference::collision_rate(gas.packing);
  PlainGas plain(scene, support::heat(scene, 1));
  double until = frame;
  plain.advance(until);
  std::int64_t collisions = 0;
  for (auto _ : run) collisions += plain.advance(until += frame);
  count(run, collisions);
}

BENCHMARK(gas_clocks)
    ->ArgsProduct({{1'000, 10'000, 100'000, 1'000'000}, {10, 40}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(gas_plain)
    ->ArgsProduct({{1'000, 10'000, 100'000}, {10, 40}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
