// Which pairs are in contact, and the two functions that watch over them. ε is a power of two, so
// that no distance in units of it is rounded.
#include "carom/methods/elastic/contact_dictionary.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "unit/methods/elastic/touching.h"

namespace carom::methods {
namespace {

constexpr double kEpsilon = 0x1p-27;
constexpr double kRadius = 0.25;
constexpr std::array<double, 7> kDistances = {{1e5, 0, -0.5, -1, -1.5, -2, -1e5}};  // in ε
constexpr std::array<bool, 7> kInContact = {{false, false, false, false, true, true, true}};

Touching make_balls(std::size_t count) {
  support::SceneParts parts{.bodies = {support::make_ground()}};
  for (std::size_t i = 0; i < count; ++i)
    parts.bodies.push_back(support::make_ball("ball" + std::to_string(i), kRadius,
                                              Vec3(static_cast<double>(i), 0, 1 + kRadius)));
  return Touching(support::build(parts));
}

void put(Touching& balls, std::size_t ball, double distance) {
  balls[1 + ball].x.z() = kRadius + kEpsilon * distance;
}

TEST(ContactDictionary, IsDecidedAtEventsWithHysteresis) {
  Touching balls = make_balls(7);
  balls.dictionary.set_hysteresis(kEpsilon);
  for (std::size_t i = 0; i < 7; ++i) put(balls, i, kDistances[i]);
  balls.select();
  std::vector<BodyId> expected;
  for (std::size_t i = 0; i < 7; ++i)
    if (kInContact[i]) expected.push_back(id_of<BodyId>(1 + i));
  ASSERT_EQ(balls.touches().size(), expected.size());
  EXPECT_EQ(balls.changes.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(balls.touches()[i].a, expected[i]);
    EXPECT_TRUE(balls.changes[i].begins);
  }
}

// distanceWithHysteresis of a pair alone, right after an event: never within ε of zero.
TEST(ContactDictionary, NoCrossingFunctionIsZeroAfterAnEvent) {
  for (std::size_t i = 0; i < 7; ++i) {
    Touching ball = make_balls(1);
    ball.dictionary.set_hysteresis(kEpsilon);
    put(ball, 0, kDistances[i]);
    ball.select();
    const auto z = ball.dictionary.zero_crossings();
    EXPECT_EQ(z.contact, kInContact[i] ? kEpsilon * kDistances[i] : -1);
    EXPECT_EQ(z.apart, kInContact[i] ? Touching::kReach : kEpsilon * (kDistances[i] + 2));
    EXPECT_GE(std::min(std::abs(z.contact), std::abs(z.apart)), kEpsilon);
  }
}

// Between events nothing is decided: distances come and go, the functions cross zero at 0 and -2ε.
TEST(ContactDictionary, StaysAsItIsBetweenEvents) {
  for (const bool touching : {false, true}) {
    Touching ball = make_balls(1);
    ball.dictionary.set_hysteresis(kEpsilon);
    put(ball, 0, touching ? -1e5 : 1e5);
    ball.select();
    for (const double distance : kDistances) {
      put(ball, 0, distance);
      const auto z = ball.dictionary.zero_crossings();
      EXPECT_EQ(z.contact, touching ? kEpsilon * distance : -1);
      if (touching) {
        EXPECT_GT(z.apart, 0.9 * Touching::kReach);
      } else {
        EXPECT_EQ(z.apart, kEpsilon * (distance + 2));
      }
      EXPECT_EQ(ball.touches().size(), touching ? 1U : 0U);
    }
  }
}

TEST(ContactDictionary, WatchesTheGreatestAndTheLeastDistance) {
  Touching balls = make_balls(4);
  balls.dictionary.set_hysteresis(kEpsilon);
  const std::array<double, 4> start = {{-100, 300, -200, 400}}, later = {{-50, 20, -30, 10}};
  for (std::size_t i = 0; i < 4; ++i) put(balls, i, start[i]);
  balls.select();
  auto z = balls.dictionary.zero_crossings();
  EXPECT_EQ(z.contact, -100 * kEpsilon);
  EXPECT_EQ(z.apart, 302 * kEpsilon);
  for (std::size_t i = 0; i < 4; ++i) put(balls, i, later[i]);
  z = balls.dictionary.zero_crossings();
  EXPECT_EQ(z.contact, -30 * kEpsilon);
  EXPECT_EQ(z.apart, 12 * kEpsilon);
}

TEST(ContactDictionary, RemembersTheSpeedAtWhichAContactBegan) {
  Touching ball = make_balls(1);
  ball.dictionary.set_hysteresis(kEpsilon);
  put(ball, 0, -3);
  ball[1].v = Vec3(0.7, 0, -0.3);
  ball.select();
  ASSERT_EQ(ball.touches().size(), 1U);
  EXPECT_EQ(ball.touches()[0].start_speed, 0.3);
  EXPECT_EQ(ball.changes[0].at.approach_rate, -0.3);

  put(ball, 0, -1e4);
  ball[1].v.z() = 0.1;
  ball.select();
  EXPECT_EQ(ball.touches()[0].start_speed, 0.3);
  EXPECT_TRUE(ball.changes.empty());

  put(ball, 0, 0);
  ball.select();
  EXPECT_TRUE(ball.touches().empty());
  ASSERT_EQ(ball.changes.size(), 1U);
  EXPECT_FALSE(ball.changes[0].begins);

  put(ball, 0, -3);
  ball[1].v.z() = -0.2;
  ball.select();
  EXPECT_EQ(ball.touches()[0].start_speed, 0.2);
  put(ball, 0, 1);
  ball.select();
  put(ball, 0, -3);
  ball[1].v.z() = 0.2;  // already on its way out
  ball.select();
  EXPECT_EQ(ball.touches()[0].start_speed, 0);
}

// Touches given back to it are found among the pairs again.
TEST(ContactDictionary, GoesOnFromWhatWasKept) {
  Touching balls = make_balls(3);
  balls.dictionary.set_hysteresis(kEpsilon);
  put(balls, 1, -50);
  balls[2].v.z() = -0.4;
  balls.select();
  Touching resumed = make_balls(3);
  resumed.dictionary.set_hysteresis(kEpsilon);
  resumed.state = balls.state;
  resumed.watch(Touching::kReach);
  resumed.dictionary.begin(resumed.cluster, balls.touches());
  const auto z = resumed.dictionary.zero_crossings();
  EXPECT_EQ(z.contact, -50 * kEpsilon);
  EXPECT_EQ(z.apart, balls.dictionary.zero_crossings().apart);
  EXPECT_EQ(resumed.touches()[0].start_speed, 0.4);
}

// Under constant acceleration the time at which a ball gets to -3ε/2 is that of the parabola.
TEST(ContactDictionary, ForeseesWhenAContactBegins) {
  Touching balls = make_balls(2);
  balls.dictionary.set_hysteresis(kEpsilon);
  balls[1].x.z() = kRadius + 0.02;
  balls[1].v.z() = 0.1;
  balls[2].x.z() = kRadius + 0.5;
  balls.accelerations[1].v = balls.accelerations[2].v = Vec3(0, 0, -9.81);
  balls.select();
  const double height = 0.02 + 1.5 * kEpsilon;
  const double time = (0.1 + std::sqrt(0.1 * 0.1 + 2 * 9.81 * height)) / 9.81;
  EXPECT_NEAR(balls.dictionary.time_to_begin(1), time, 1e-13);
  EXPECT_EQ(balls.dictionary.time_to_begin(0.9 * time), HUGE_VAL);
  balls.accelerations[1].v = balls.accelerations[2].v = Vec3(0, 0, 9.81);
  balls.select();
  EXPECT_EQ(balls.dictionary.time_to_begin(1), HUGE_VAL);
}

// What is out of reach is not known, but never nearer than z₂ says.
TEST(ContactDictionary, IsNeverNearerThanItsFunctionSays) {
  constexpr double kShort = 0.1;
  Touching balls = make_balls(2);
  balls.dictionary.set_hysteresis(kEpsilon);
  balls.watch(kShort);
  EXPECT_EQ(balls.dictionary.used(), 0);
  for (int i = 1; i <= 20; ++i) {
    balls[1].x += Vec3(0.003, 0, -0.004);
    EXPECT_NEAR(balls.dictionary.zero_crossings().apart, kShort - 0.005 * i, 1e-12);
  }
  balls.watch(1);
  const double between = 1 - 20 * 0.003 - 2 * kRadius;
  EXPECT_NEAR(balls.dictionary.zero_crossings().apart,
              std::hypot(between + 2 * kRadius, 20 * 0.004) - 2 * kRadius + 2 * kEpsilon, 1e-12);
}

// Faces over faces: the distance less the balls of both; with a sphere, those of the box alone.
TEST(ContactDictionary, WatchesSmoothedShapes) {
  constexpr double kBall = 0.01, kGap = 0.05;
  for (const bool sphere : {false, true}) {
    support::SceneParts parts{
        .bodies = {support::make_box("low", Vec3::Constant(1), Vec3::Zero()),
                   support::make_box("box", Vec3::Constant(0.5), Vec3(0, 0, 0.75 + kGap))}};
    if (sphere) parts.bodies[1] = support::make_ball("ball", 0.25, Vec3(0, 0, 0.75 + kGap));
    Touching pair(support::build(parts), {.portals = true, .smoothing = kBall});
    pair.dictionary.set_hysteresis(kEpsilon);
    pair.select();
    const double extension = sphere ? kBall : 2 * kBall;
    EXPECT_NEAR(pair.dictionary.zero_crossings().apart, kGap - extension + 2 * kEpsilon, 1e-12);
    pair[1].x.z() -= kGap - extension + 1e-3;
    pair.select();
    ASSERT_EQ(pair.touches().size(), 1U);
    EXPECT_NEAR(pair.dictionary.zero_crossings().contact, -1e-3, 1e-12);
  }
}

// A body of another cluster, or one that flies, is where it is known to be at the time asked for.
TEST(ContactDictionary, SeesOthersWhereTheyAreThen) {
  Touching balls = make_balls(2);
  balls.dictionary.set_hysteresis(kEpsilon);
  balls[1].x = Vec3(0, 0, 5);
  balls[2].x = Vec3(1, 0, 5);
  balls[2].v = Vec3(-1, 0, 0);
  balls.watch(Touching::kReach);
  balls.tracks.fly(BodyId{2}, balls[2], 0);
  balls.dictionary.begin(std::span(balls.cluster).first(1), {});
  balls.state.t = 0.125;
  const double fallen = 0.5 * 9.81 * 0.125 * 0.125;
  EXPECT_NEAR(balls.dictionary.zero_crossings().apart,
              std::hypot(0.875, fallen) - 2 * kRadius + 2 * kEpsilon, 1e-12);
}

}  // namespace
}  // namespace carom::methods
