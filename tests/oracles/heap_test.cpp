// Heaps that fall and settle: nobody knows their paths, but everybody knows what must hold on them.
#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "support/same_bits.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

constexpr double kWall = 0.15;  // m, from the middle

// Twelve bodies, slightly out of a lattice, above the bottom of a box that is too narrow for them
// side by side.
Scene make_heap(bool of_cubes, double duration, std::vector<model::BodySpec> bodies = {}) {
  bodies.insert(bodies.begin(), support::make_ground());
  for (const Vec3& inwards : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
    bodies.push_back(support::make_plane("wall " + std::to_string(bodies.size()), inwards, -kWall));
  for (int i = 0; i < 12; ++i) {
    const int x = i % 2, y = i / 2 % 2, z = i / 4;
    const Vec3 off = 0.004 * Vec3(std::sin(i), std::cos(2 * i), std::sin(3 * i));
    const Vec3 at = Vec3(0.14 * x - 0.07, 0.14 * y - 0.07, 0.08 + 0.14 * z) + off;
    const std::string name = "body " + std::to_string(i);
    if (of_cubes) {
      bodies.push_back(support::make_box(name, Vec3(0.07, 0.07, 0.07), at));
      bodies.back().orientation = math::quat_exp(off / 0.01);
    } else {
      bodies.push_back(support::make_ball(name, 0.05, at));
    }
  }
  return support::build({.between = {.restitution = 0.3, .friction = 0.5},
                         .bodies = bodies,
                         .method = support::zeno_free(0.001),
                         .duration = duration});
}

std::int64_t count(const record::Summary& summary, record::Rung rung) {
  return summary.fallbacks.rungs[static_cast<std::size_t>(rung)].times;
}

class Heap : public testing::TestWithParam<bool> {};

// With impacts one at a time a step took tens of flights.
TEST_P(Heap, SettlesWithinItsPromiseInFewFlights) {
  const Scene scene = make_heap(GetParam(), 1.5);
  Simulation simulation(scene);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  EXPECT_TRUE(summary.audit.passed());
  EXPECT_GT(count(summary, record::Rung::ClosedAhead), 0);
  EXPECT_LT(count(summary, record::Rung::ClosedAhead), 4 * 1500);
  // Nobody climbs again, and little rolls, after a fall from a few times its own size.
  for (const BodyState& body : simulation.state().bodies)
    EXPECT_LT(body.v.norm(), 0.2 * scene.tolerances.speed);
}

// Six balls that bounce on a shelf of their own above the heap: in the closed form.
constexpr int kBouncing = 6;
constexpr double kBallRadius = 0.02, kShelf = 1.5;  // m
double height_of(int ball) { return 0.3 + 0.03 * ball; }

std::vector<model::BodySpec> make_bouncing_balls() {
  std::vector<model::BodySpec> bodies{
      support::make_box("shelf", Vec3(0.28, 0.1, 0.02), Vec3(0, 0, kShelf - 0.01))};
  bodies.back().motion = model::Motion::Fixed;
  for (int i = 0; i < kBouncing; ++i)
    bodies.push_back(
        support::make_ball("bouncing " + std::to_string(i), kBallRadius,
                           Vec3(0.05 * i - 0.125, 0, kShelf + kBallRadius + height_of(i))));
  return bodies;
}

TEST(AHeap, LeavesImpactsBesideItAtTheirTimes) {
  const Scene scene = make_heap(false, 0.6, make_bouncing_balls());
  Simulation simulation(scene);
  std::vector<std::vector<double>> impacts(kBouncing);
  while (simulation.time() < 0.6) {
    ASSERT_TRUE(simulation.step().ok);
    for (const record::ContactEvent& event : simulation.events()) {
      const std::string& name = scene.body(event.a).name;
      const std::string& other = scene.body(event.b).name;
      const std::string& ball = name == "shelf" ? other : name;
      if (event.kind == record::EventKind::Impact && ball.starts_with("bouncing"))
        impacts[static_cast<std::size_t>(ball.back() - '0')].push_back(event.t);
    }
  }
  EXPECT_GT(count(simulation.summary(), record::Rung::ClosedAhead), 100);
  for (int i = 0; i < kBouncing; ++i) {
    const auto& times = impacts[static_cast<std::size_t>(i)];
    ASSERT_GE(times.size(), 3u) << i;
    const double first = std::sqrt(2 * height_of(i) / 9.81);
    EXPECT_NEAR(times[0], first, 1e-12) << i;
    EXPECT_NEAR(times[1], first * (1 + 2 * 0.3), 1e-12) << i;
    EXPECT_NEAR(times[2], first * (1 + 2 * (0.3 + 0.09)), 1e-12) << i;
  }
}

std::int64_t count_until(bool of_cubes, double duration) {
  const Scene scene = make_heap(of_cubes, duration);
  return count(Simulation(scene).run(), record::Rung::ClosedAhead);
}

TEST_P(Heap, GoesOnFromTheMiddleOfACrowdBitForBit) {
  EXPECT_GT(count_until(GetParam(), 0.25), count_until(GetParam(), 0.24));
  EXPECT_GT(count_until(GetParam(), 0.26), count_until(GetParam(), 0.25));
  const Scene scene = make_heap(GetParam(), 0.4);
  Simulation whole(scene);
  EXPECT_TRUE(whole.advance_to(0.25).ok);
  const std::string saved = whole.save();
  EXPECT_TRUE(whole.advance_to(0.3).ok);
  Simulation other(scene);
  other.restore(saved);
  EXPECT_TRUE(other.advance_to(0.3).ok);
  EXPECT_TRUE(support::same_bits(whole.state(), other.state()));
  EXPECT_TRUE(whole.save() == other.save());
}

INSTANTIATE_TEST_SUITE_P(Of, Heap, testing::Values(false, true),
                         [](const auto& of) { return std::string(of.param ? "Cubes" : "Balls"); });

}  // namespace
}  // namespace carom::simulation
