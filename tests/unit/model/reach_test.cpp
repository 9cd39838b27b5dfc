// One number of each kind beyond the table in reach.h, and one within.
#include "carom/model/reach.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace carom::model {
namespace {

using geometry::Box;
using geometry::Sphere;
using testing::HasSubstr;

BodySpec make_ball(const std::string& name = "ball") {
  BodySpec body;
  body.name = name;
  body.shapes = {{.shape = Sphere{0.1}}};
  return body;
}

std::string problems_of(const BodySpec& body, double duration = 1) {
  SceneBuilder builder;
  builder.add_body(body, "/bodies/0");
  builder.set_duration(duration);
  builder.set_output_every(duration / 10);
  try {
    builder.build();
  } catch (const base::BadInput& bad) {
    return bad.what();
  }
  return "none";
}

TEST(Reach, OfMasses) {
  BodySpec ball = make_ball();
  for (const double mass : {1e308, 1e61, 1e-61, 1e-308}) {
    ball.mass = mass;
    EXPECT_THAT(problems_of(ball), HasSubstr("/bodies/0/mass: found")) << mass;
  }
  for (const double mass : {1e59, 1e-59}) {
    ball.mass = mass;
    EXPECT_EQ(problems_of(ball), "none") << mass;
  }
}

// 1e60 kg/m³ and 4/3 π 1e24 m³.
TEST(Reach, OfMassesThatFollowFromDensities) {
  SceneBuilder builder;
  builder.add_material({.name = "dense", .density = 1e60}, "/materials/dense");
  BodySpec ball = make_ball();
  ball.material = "dense";
  ball.shapes[0].shape = Sphere{1e8};
  builder.add_body(ball, "/bodies/0");
  EXPECT_THROW(builder.build(), base::BadInput);
}

TEST(Reach, OfPositionsBesideTheSmallestBody) {
  BodySpec ball = make_ball();
  ball.position = Vec3(1e16, 0, 0);
  EXPECT_THAT(problems_of(ball), HasSubstr("/bodies/0/position: found 1e+16 m from the origin"));
  ball.position = Vec3(1e9, 0, 0);
  EXPECT_EQ(problems_of(ball), "none");
}

TEST(Reach, OfSizesBesideTheSmallestBody) {
  SceneBuilder builder;
  BodySpec floor = make_ball("floor");
  floor.motion = Motion::Fixed;
  floor.shapes[0].shape = Box{Vec3(1e15, 1e15, 1)};
  builder.add_body(make_ball(), "/bodies/0");
  builder.add_body(floor, "/bodies/1");
  EXPECT_THROW(builder.build(), base::BadInput);
}

TEST(Reach, OfSpeeds) {
  BodySpec ball = make_ball();
  ball.velocity = Vec3(0, 1e13, 0);
  EXPECT_THAT(problems_of(ball), HasSubstr("/bodies/0/velocity: found"));
  ball.velocity = Vec3(0, 1e11, 0);
  EXPECT_EQ(problems_of(ball), "none");
  EXPECT_THAT(problems_of(ball, 100), HasSubstr("/bodies/0/velocity: found"));
  ball.velocity.setZero();
  ball.angular_velocity = Vec3(0, 0, 1e14);
  EXPECT_THAT(problems_of(ball), HasSubstr("/bodies/0/angular_velocity: found"));
}

TEST(Reach, OfMomentsOfInertia) {
  BodySpec ball = make_ball();
  ball.mass = 1;
  ball.inertia = Vec3(1e-15, 1, 1).asDiagonal();
  EXPECT_THAT(problems_of(ball), HasSubstr("/bodies/0/inertia: found"));
  ball.inertia = Vec3(1e-13, 1, 1).asDiagonal();
  EXPECT_EQ(problems_of(ball), "none");
}

TEST(Reach, OfTimesAndGravity) {
  EXPECT_THAT(problems_of(make_ball(), 1e31), HasSubstr("/duration: found"));
  SceneBuilder builder;
  builder.add_body(make_ball(), "/bodies/0");
  builder.set_gravity(Vec3(0, 0, 1e200));
  EXPECT_THROW(builder.build(), base::BadInput);
}

}  // namespace
}  // namespace carom::model
