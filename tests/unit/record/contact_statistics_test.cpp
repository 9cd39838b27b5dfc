// What two bodies did to each other, from events and forces written down by hand.
#include "carom/record/contact_statistics.h"

#include <gtest/gtest.h>

#include "carom/record/recorder.h"

namespace carom::record {
namespace {

const BodyId kGround{0}, kBox{1}, kBall{2};

ContactEvent make_event(double t, EventKind kind, BodyId a, BodyId b, const Vec3& impulse) {
  return {.t = t, .kind = kind, .a = a, .b = b, .normal = Vec3::UnitZ(), .impulse = impulse};
}

TEST(ContactStatistics, AddUpWhatCollisionsDid) {
  ContactStatistics statistics;
  statistics.event(make_event(0.5, EventKind::Impact, kBall, kGround, Vec3(3, 0, 4)));
  statistics.event(make_event(0.7, EventKind::Microcollision, kBall, kBox, Vec3(0, 0, 1)));
  statistics.event(make_event(1.5, EventKind::Microcollision, kGround, kBall, Vec3(0, 0, 2)));
  statistics.event(make_event(1.6, EventKind::Rest, kBall, kGround, Vec3(0, 0, 1)));  // the last
  statistics.event(make_event(1.8, EventKind::ContactEnd, kBall, kGround, Vec3::Zero()));
  Summary summary;
  summary.simulated_seconds = 2;
  statistics.end(summary);
  ASSERT_EQ(statistics.pairs().size(), 2U);
  const ContactTotals &ground = statistics.pairs()[0], &box = statistics.pairs()[1];
  EXPECT_EQ(ground.a, kGround);
  EXPECT_EQ(ground.b, kBall);
  EXPECT_EQ(ground.impacts, 1);
  EXPECT_EQ(ground.microcollisions, 1);
  EXPECT_EQ(ground.first_time, 0.5);
  EXPECT_EQ(ground.last_time, 1.6);
  EXPECT_EQ(ground.impulse, Vec3(-3, 0, -3));  // on the ground: the ball's reversed, and its own
  EXPECT_EQ(ground.normal_impulse, 7);
  EXPECT_EQ(ground.greatest_impulse, 5);
  EXPECT_EQ(ground.mean_force, Vec3(-1.5, 0, -1.5));
  EXPECT_EQ(box.a, kBox);
  EXPECT_EQ(box.microcollisions, 1);
  EXPECT_EQ(seen_from_other(box).a, kBall);
  EXPECT_EQ(seen_from_other(box).mean_force, Vec3(0, 0, 0.5));
}

TEST(ContactStatistics, AddWhatLastingForcesCarried) {
  ContactStatistics statistics;
  statistics.event(make_event(0.5, EventKind::Impact, kBox, kGround, Vec3(0, 0, 1)));
  Summary summary;
  summary.simulated_seconds = 4;
  summary.carried = {{kGround, kBox, Vec3(0, 0, -7), 0.6, 4}, {kBox, kBall, Vec3(1, 0, 0), 1, 2}};
  statistics.end(summary);
  ASSERT_EQ(statistics.pairs().size(), 2U);
  EXPECT_EQ(statistics.pairs()[0].mean_force, Vec3(0, 0, -2));
  EXPECT_EQ(statistics.pairs()[0].first_time, 0.5);
  EXPECT_EQ(statistics.pairs()[0].last_time, 4);
  EXPECT_EQ(statistics.pairs()[0].normal_impulse, 1);
  EXPECT_EQ(statistics.pairs()[1].impacts, 0);
  EXPECT_EQ(statistics.pairs()[1].first_time, 1);
  EXPECT_EQ(statistics.pairs()[1].impulse, Vec3(1, 0, 0));
}

// f(t) = 2 + 3 t − t² on [0, 2], whose integral is 4 + 6 − 8/3; Simpson's rule is exact on it.
TEST(CarriedImpulses, IntegrateForcesThatStayAndForcesThatVary) {
  const auto push = [](double t) {
    return CarriedForce{kBox, kGround, Vec3::Zero(), Vec3(0, 0, 2 + 3 * t - t * t)};
  };
  const CarriedForce start[] = {push(0)}, middle[] = {push(1)}, end[] = {push(2)};
  CarriedImpulses carried;
  carried.add(0, 2, {start, middle, end});
  carried.add(2, 0.5, {start});
  carried.add(3, 0, {start});  // no time
  const auto all = carried.all();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].a, kGround);
  EXPECT_NEAR(all[0].impulse.z(), -(4 + 6 - 8.0 / 3 + 1), 1e-14);
  EXPECT_EQ(all[0].first_time, 0);
  EXPECT_EQ(all[0].last_time, 2.5);
}

TEST(CarriedImpulses, LeaveJointsOut) {
  CarriedForce pin{kBox, kGround, Vec3::Zero(), Vec3(0, 0, 1)};
  pin.joint = 0;
  CarriedImpulses carried;
  carried.add(0, 1, {std::span(&pin, 1)});
  EXPECT_TRUE(carried.all().empty());
}

TEST(CarriedImpulses, GoOnFromACheckpointBitForBit) {
  const CarriedForce push{kBox, kGround, Vec3::Zero(), Vec3(0.1, 0.2, 0.3)};
  const auto fly = [&](CarriedImpulses& carried, double t) {
    carried.add(t, 0.07, {std::span(&push, 1)});
  };
  CarriedImpulses whole, first, second;
  for (const double t : {0.0, 0.07}) fly(whole, t);
  fly(first, 0);
  std::string bytes;
  first.save(bytes);
  std::string_view rest = bytes;
  second.restore(rest);
  EXPECT_TRUE(rest.empty());
  fly(second, 0.07);
  EXPECT_EQ(second.all()[0].impulse, whole.all()[0].impulse);
  EXPECT_EQ(second.all()[0].last_time, whole.all()[0].last_time);
}

}  // namespace
}  // namespace carom::record
