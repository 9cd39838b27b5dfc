// Expected values are closed forms of solid bodies: a ball 2/5 m r², a box m (b² + c²)/12, and
// Steiner's theorem for compounds.
#include "carom/model/scene_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "carom/geometry/shapes/convex_hull.h"

namespace carom::model {
namespace {

using geometry::Box;
using geometry::Plane;
using geometry::Sphere;
using std::numbers::pi;
using testing::HasSubstr;

BodySpec make_ball(const std::string& name, double radius = 0.5) {
  BodySpec body;
  body.name = name;
  body.shapes = {{.shape = Sphere{radius}}};
  return body;
}

BodySpec make_ground() {
  BodySpec ground;
  ground.name = "ground";
  ground.motion = Motion::Fixed;
  ground.shapes = {{.shape = Plane{Vec3::UnitZ(), 0}}};
  return ground;
}

Scene build_one(const BodySpec& body) {
  SceneBuilder builder;
  builder.add_body(body, "/bodies/0");
  return builder.build();
}

// All that is wrong, one problem a line.
std::string problems_of(SceneBuilder& builder) {
  try {
    builder.build();
  } catch (const base::BadInput& bad) {
    return bad.what();
  }
  return "no problem";
}

std::string problems_of(const BodySpec& body) {
  SceneBuilder builder;
  builder.add_body(body, "/bodies/0");
  return problems_of(builder);
}

TEST(SceneBuilder, ComputesMassAndInertiaOfABallFromItsDensity) {
  SceneBuilder builder;
  builder.add_material({.name = "lead", .density = 11340});
  BodySpec ball = make_ball("ball", 0.1);
  ball.material = "lead";
  builder.add_body(ball);
  const Body body = builder.build().bodies[0];
  const double mass = 11340 * 4.0 / 3 * pi * 0.001;
  EXPECT_NEAR(body.mass, mass, 1e-12 * mass);
  EXPECT_TRUE(body.inertia.isApprox(0.4 * mass * 0.01 * Mat3::Identity(), 1e-12));
  EXPECT_NEAR(body.inverse_mass, 1 / mass, 1e-12 / mass);
  EXPECT_TRUE((body.inertia * body.inverse_inertia).isApprox(Mat3::Identity(), 1e-12));
  EXPECT_DOUBLE_EQ(body.radius, 0.1);
}

TEST(SceneBuilder, ScalesTheInertiaOfTheShapesToAGivenMass) {
  BodySpec brick;
  brick.name = "brick";
  brick.mass = 3;
  brick.shapes = {{.shape = Box{{0.5, 1, 1.5}}}};
  const Body body = build_one(brick).bodies[0];
  const Vec3 expected(4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0);  // m/12 (b² + c²) with m = 3
  EXPECT_DOUBLE_EQ(body.mass, 3);
  EXPECT_TRUE(body.inertia.diagonal().isApprox(expected * 3.0 / 12, 1e-12));
}

TEST(SceneBuilder, TakesGivenInertiaAndCenterAsTheyAre) {
  BodySpec dumbbell;
  dumbbell.name = "dumbbell";
  dumbbell.mass = 2;
  dumbbell.inertia = Vec3(0.01, 0.5, 0.5).asDiagonal();
  dumbbell.center_of_mass = Vec3(0.25, 0, 0);
  dumbbell.shapes = {{.shape = Sphere{0.1}, .pose = {Vec3(-0.5, 0, 0)}},
                     {.shape = Sphere{0.1}, .pose = {Vec3(0.5, 0, 0)}}};
  const Scene scene = build_one(dumbbell);
  const Body& body = scene.bodies[0];
  EXPECT_EQ(body.inertia, Mat3(Vec3(0.01, 0.5, 0.5).asDiagonal()));
  EXPECT_EQ(body.shapes[0].X_BS.p, Vec3(-0.75, 0, 0));
  EXPECT_EQ(scene.initial[0].x, Vec3(0.25, 0, 0));
  EXPECT_NEAR(body.radius, 0.85, 1e-15);
}

TEST(SceneBuilder, PutsTheOriginAtTheCenterOfMassOfACompound) {
  SceneBuilder builder;
  builder.add_material({.name = "heavy", .density = 3000});
  BodySpec club = make_ball("club", 0.2);
  club.shapes[0].pose.p = Vec3(-1, 0, 0);
  club.shapes.push_back({.shape = Sphere{0.2}, .pose = {Vec3(1, 0, 0)}, .material = "heavy"});
  club.position = Vec3(10, 0, 0);
  club.orientation = Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5));  // x becomes y
  builder.add_body(club);
  const Scene scene = builder.build();
  const Body& body = scene.bodies[0];
  const double light = 1000 * 4.0 / 3 * pi * 0.008;  // kg; the other one is three times as heavy
  EXPECT_TRUE(body.center_of_mass.isApprox(Vec3(0.5, 0, 0), 1e-12));
  EXPECT_TRUE(scene.initial[0].x.isApprox(Vec3(10, 0.5, 0), 1e-12));
  EXPECT_TRUE(body.shapes[1].X_BS.p.isApprox(Vec3(0.5, 0, 0), 1e-12));
  const double own = 0.4 * 4 * light * 0.04;
  EXPECT_NEAR(body.inertia(0, 0), own, 1e-12);
  EXPECT_NEAR(body.inertia(2, 2), own + light * (1.5 * 1.5 + 3 * 0.5 * 0.5), 1e-9);
}

TEST(SceneBuilder, GivesFixedAndDrivenBodiesNoInverseMass) {
  SceneBuilder builder;
  builder.add_body(make_ground());
  BodySpec platter = make_ball("platter");
  platter.motion = Motion::Driven;
  platter.angular_velocity = Vec3(0, 0, 1);
  builder.add_body(platter);
  const Scene scene = builder.build();
  for (const Body& body : scene.bodies) {
    EXPECT_EQ(body.inverse_mass, 0);
    EXPECT_EQ(body.inverse_inertia, Mat3::Zero().eval());
  }
  EXPECT_EQ(scene.initial[1].w, Vec3(0, 0, 1));
}

TEST(SceneBuilder, MakesAPlanesNormalUnitAndKeepsTheHalfSpace) {
  BodySpec ground = make_ground();
  ground.shapes[0].shape = Plane{Vec3(0, 0, 4), 2};  // 4 z < 2
  const Scene scene = build_one(ground);
  const auto& plane = std::get<Plane>(scene.bodies[0].shapes[0].shape);
  EXPECT_EQ(plane.normal, Vec3::UnitZ());
  EXPECT_EQ(plane.offset, 0.5);
}

TEST(SceneBuilder, RepeatsABodyOnAGridWithNamesAndJitter) {
  BodySpec bead = make_ball("bead", 0.01);
  bead.position = Vec3(1, 1, 1);
  bead.grid = GridSpec{{2, 3, 1}, {0.1, 0.2, 0.3}, 0.001, 7};
  const Scene scene = build_one(bead);
  ASSERT_EQ(scene.bodies.size(), 6U);
  EXPECT_EQ(scene.bodies[0].name, "bead[0,0,0]");
  EXPECT_EQ(scene.bodies[5].name, "bead[1,2,0]");
  const Vec3 off = scene.initial[5].x - Vec3(1.1, 1.4, 1);
  EXPECT_LE(off.cwiseAbs().maxCoeff(), 0.001);
  EXPECT_GT(off.cwiseAbs().minCoeff(), 0);
  EXPECT_EQ(scene.initial[5].x, build_one(bead).initial[5].x);
}

TEST(SceneBuilder, LetsTheMoreSpecificPairWinFieldByField) {
  SceneBuilder builder;
  for (const char* name : {"wood", "ice"}) builder.add_material({.name = name});
  builder.add_pair({.materials = {"wood", "ice"}, .restitution = 0.1});
  builder.add_pair({.materials = {"ice", "*"}, .friction = 0.02});
  builder.add_pair({.materials = {"*", "*"}, .restitution = 0.5, .friction = 0.3});
  builder.add_pair({.materials = {"*", "ice"}, .friction = 0.03});
  builder.add_body(make_ball("ball"));
  const PairTable pairs = builder.build().pairs;
  const MaterialId fallback{0}, wood{1}, ice{2};
  EXPECT_EQ(pairs(wood, ice).restitution, 0.1);
  EXPECT_EQ(pairs(ice, wood).friction, 0.03);  // the later of two equally specific entries
  EXPECT_EQ(pairs(wood, wood).friction, 0.3);
  EXPECT_EQ(pairs(fallback, wood).restitution, 0.5);
  EXPECT_EQ(pairs(ice, ice).rolling_friction, 0);
}

TEST(SceneBuilder, LetsASceneRedefineTheDefaultMaterial) {
  SceneBuilder builder;
  builder.add_material({.name = "default", .density = 500});
  builder.add_body(make_ball("ball", 1));
  const Scene scene = builder.build();
  EXPECT_EQ(scene.materials.size(), 1U);
  EXPECT_NEAR(scene.bodies[0].mass, 500 * 4.0 / 3 * pi, 1e-9);
}

TEST(SceneBuilder, PlacesAHingeInTheFramesOfBothBodies) {
  SceneBuilder builder;
  BodySpec thigh = make_ball("thigh"), shin = make_ball("shin");
  thigh.position = Vec3(0, 0, 2);
  thigh.orientation = Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0);  // y becomes z
  builder.add_body(thigh);
  builder.add_body(shin);
  JointSpec knee{.name = "knee", .type = JointType::Hinge, .between = {"thigh", "shin"}};
  knee.anchor = Vec3(0, 0, 1);
  knee.axis = Vec3(0, 3, 0);
  builder.add_joint(knee);
  const Joint joint = builder.build().joints[0];
  EXPECT_TRUE(joint.X_AJ.p.isApprox(Vec3(0, -1, 0), 1e-12));
  EXPECT_TRUE(joint.X_BJ.p.isApprox(Vec3(0, 0, 1), 1e-12));
  EXPECT_TRUE((joint.X_AJ.q * Vec3::UnitZ()).isApprox(Vec3(0, 0, -1), 1e-12));
  EXPECT_TRUE((joint.X_BJ.q * Vec3::UnitZ()).isApprox(Vec3(0, 1, 0), 1e-12));
}

TEST(SceneBuilder, MeasuresADistanceJointBetweenItsAnchors) {
  SceneBuilder builder;
  BodySpec bob = make_ball("bob");
  bob.position = Vec3(3, 0, 0);
  builder.add_body(make_ball("hook"));
  builder.add_body(bob);
  JointSpec rod{.name = "rod", .type = JointType::Distance, .between = {"hook", "bob"}};
  rod.anchor = Vec3(0, 4, 0);
  builder.add_joint(rod);
  const Joint joint = builder.build().joints[0];
  EXPECT_DOUBLE_EQ(joint.length, 5);
  EXPECT_TRUE((joint.X_BJ.q * Vec3::UnitZ()).isApprox(Vec3(0.6, -0.8, 0), 1e-12));
}

TEST(SceneBuilder, PutsAUniversalJointsSecondAxisOnX) {
  SceneBuilder builder;
  builder.add_body(make_ball("a"));
  builder.add_body(make_ball("b"));
  JointSpec cross{.name = "cross", .type = JointType::Universal, .between = {"a", "b"}};
  cross.axis = Vec3(1, 0, 0);
  cross.axis_b = Vec3(0, 0, 2);
  builder.add_joint(cross);
  const Joint joint = builder.build().joints[0];
  EXPECT_TRUE((joint.X_AJ.q * Vec3::UnitZ()).isApprox(Vec3::UnitX(), 1e-12));
  EXPECT_TRUE((joint.X_BJ.q * Vec3::UnitX()).isApprox(Vec3::UnitZ(), 1e-12));
}

TEST(SceneBuilder, ScalesTolerancesWithTheSmallestMovingBody) {
  SceneBuilder builder;
  builder.set_gravity(Vec3(0, 0, -8));
  builder.add_body(make_ball("large", 5));
  builder.add_body(make_ball("small", 0.5));
  builder.add_body(make_ground());
  const base::Tolerances expected = base::make_tolerances(0.5, 2, 0);  // √(8 · 0.5) = 2
  const Scene scene = builder.build();
  EXPECT_DOUBLE_EQ(scene.tolerances.gap, expected.gap);
  EXPECT_DOUBLE_EQ(scene.tolerances.velocity, expected.velocity);
}

TEST(SceneBuilder, ReportsEveryProblemWithItsPlaceAtOnce) {
  SceneBuilder builder;
  builder.set_duration(0);
  BodySpec ball = make_ball("ball");
  ball.mass = -1;
  builder.add_body(ball, "/bodies/0");
  builder.add_body(ball, "/bodies/1");
  const std::string problems = problems_of(builder);
  EXPECT_THAT(problems, HasSubstr("/duration: found 0, expected a number > 0"));
  EXPECT_THAT(problems, HasSubstr("/bodies/0/mass: found -1, expected a number > 0"));
  EXPECT_THAT(problems, HasSubstr("/bodies/1/name: found \"ball\""));
}

TEST(SceneBuilder, SuggestsTheNearestMaterialAndBody) {
  SceneBuilder builder;
  builder.add_material({.name = "wood"});
  BodySpec ball = make_ball("ball");
  ball.material = "wod";
  builder.add_body(ball, "/bodies/0");
  builder.add_body(make_ball("shin"), "/bodies/1");
  builder.add_joint({.name = "knee", .between = {"ball", "shim"}}, "/joints/0");
  const std::string problems = problems_of(builder);
  EXPECT_THAT(problems, HasSubstr("/bodies/0/material: found \"wod\""));
  EXPECT_THAT(problems, HasSubstr("did you mean \"wood\"?"));
  EXPECT_THAT(problems, HasSubstr("/joints/0/between/1: found \"shim\""));
  EXPECT_THAT(problems, HasSubstr("did you mean \"shin\"?"));
}

TEST(SceneBuilder, RefusesADynamicBodyWithoutVolume) {
  BodySpec ground = make_ground();
  ground.motion = Motion::Dynamic;
  EXPECT_THAT(problems_of(ground), HasSubstr("/bodies/0/shapes/0/type: found a plane"));
  BodySpec nothing;
  nothing.name = "nothing";
  EXPECT_THAT(problems_of(nothing), HasSubstr("/bodies/0: found no volume"));
}

TEST(SceneBuilder, RefusesAnInertiaThatNoBodyCanHave) {
  BodySpec ball = make_ball("ball");
  ball.inertia = Vec3(1, 1, 3).asDiagonal();
  EXPECT_THAT(problems_of(ball), HasSubstr("/bodies/0/inertia: found moments that no body can"));
  ball.inertia = Mat3::Identity();
  (*ball.inertia)(0, 1) = 0.5;
  EXPECT_THAT(problems_of(ball), HasSubstr("not symmetric"));
}

TEST(SceneBuilder, RefusesNumbersThatAreNotFinite) {
  BodySpec ball = make_ball("ball");
  ball.position.y() = NAN;
  ball.velocity.z() = INFINITY;
  const std::string problems = problems_of(ball);
  EXPECT_THAT(problems, HasSubstr("/bodies/0/position/1: found nan, expected a finite number"));
  EXPECT_THAT(problems, HasSubstr("/bodies/0/velocity/2: found inf"));
}

TEST(SceneBuilder, RefusesAQuaternionThatIsNoRotationAndNormalizesAnyOther) {
  BodySpec ball = make_ball("ball");
  ball.orientation = Quat(1, 1, 0, 0);
  EXPECT_THAT(problems_of(ball), HasSubstr("/bodies/0/orientation: found a quaternion"));
  ball.orientation = Quat(1 + 5e-7, 0, 0, 0);
  EXPECT_EQ(build_one(ball).initial[0].q.norm(), 1);
}

TEST(SceneBuilder, RefusesVelocityOnAFixedBody) {
  BodySpec ground = make_ground();
  ground.velocity = Vec3(0, 0, 1);
  EXPECT_THAT(problems_of(ground), HasSubstr("/bodies/0/velocity: found [0, 0, 1]"));
}

TEST(SceneBuilder, GivesTheCopiesOfAGridRandomVelocities) {
  BodySpec bead = make_ball("bead");
  bead.velocity = Vec3(5, 0, 0);
  bead.grid = GridSpec{{10, 10, 10}, Vec3::Constant(9), 0.5, 3};
  const Scene still = build_one(bead);
  bead.grid->velocity_jitter = 2;
  const Scene hot = build_one(bead);
  Vec3 mean = Vec3::Zero(), squares = Vec3::Zero();
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(hot.initial[i].x, still.initial[i].x);
    const Vec3 more = hot.initial[i].v - bead.velocity;
    EXPECT_LE(more.lpNorm<Eigen::Infinity>(), 2);
    mean += more / 1000;
    squares += more.cwiseAbs2() / 1000;
  }
  // Of a uniform distribution: its variance is a third of the square of its greatest value.
  EXPECT_LE(mean.norm(), 0.2);
  EXPECT_LE((squares - Vec3::Constant(4.0 / 3)).norm(), 0.2);
  bead.velocity = Vec3::Zero();
  bead.motion = Motion::Fixed;
  EXPECT_THAT(problems_of(bead), HasSubstr("/bodies/0/grid/velocity_jitter: found 2"));
}

TEST(SceneBuilder, RefusesGridsThatAreEmptyOrTooLarge) {
  BodySpec bead = make_ball("bead");
  bead.grid = GridSpec{{1, 0, 1}, Vec3::Ones(), -1, 0};
  const std::string problems = problems_of(bead);
  EXPECT_THAT(problems, HasSubstr("/bodies/0/grid/count/1: found 0"));
  EXPECT_THAT(problems, HasSubstr("/bodies/0/grid/jitter: found -1"));
  bead.grid = GridSpec{{2147483647, 2147483647, 2147483647}, Vec3::Ones(), 0, 0};
  EXPECT_THAT(problems_of(bead), HasSubstr("/bodies/0/grid/count: found"));
}

TEST(SceneBuilder, RefusesShapesOutsideTheRangeOfNumbers) {
  EXPECT_THAT(problems_of(make_ball("huge", 1e150)), HasSubstr("too large"));
  EXPECT_THAT(problems_of(make_ball("tiny", 1e-150)), HasSubstr("too small"));
}

TEST(SceneBuilder, RefusesJointsThatCannotBe) {
  SceneBuilder builder;
  builder.add_body(make_ball("a"));
  builder.add_body(make_ground());
  BodySpec wall = make_ground();
  wall.name = "wall";
  builder.add_body(wall);
  builder.add_joint({.name = "self", .between = {"a", "a"}}, "/joints/0");
  builder.add_joint({.name = "dead", .between = {"ground", "wall"}}, "/joints/1");
  JointSpec hinge{.name = "hinge", .type = JointType::Hinge, .between = {"a", "wall"}};
  hinge.axis = Vec3::Zero();
  hinge.limits = {1, -1};
  builder.add_joint(hinge, "/joints/2");
  const std::string problems = problems_of(builder);
  EXPECT_THAT(problems, HasSubstr("/joints/0/between: found \"a\" twice"));
  EXPECT_THAT(problems, HasSubstr("/joints/1/between: found two bodies that nothing moves"));
  EXPECT_THAT(problems, HasSubstr("/joints/2/axis: found [0, 0, 0]"));
  EXPECT_THAT(problems, HasSubstr("/joints/2/limits: found 1 before -1"));
}

std::string problems_of_joint(JointSpec joint) {
  SceneBuilder builder;
  builder.add_body(make_ball("a"));
  builder.add_body(make_ground());
  joint.name = "joint";
  joint.between = {"a", "ground"};
  builder.add_joint(joint, "/joints/0");
  return problems_of(builder);
}

TEST(SceneBuilder, RefusesLimitsThatTheJointStartsOutside) {
  EXPECT_THAT(problems_of_joint({.type = JointType::Hinge, .limits = {{0.5, 1}}}),
              HasSubstr("/joints/0/limits: found [0.5, 1], expected limits around 0"));
  EXPECT_THAT(problems_of_joint({.type = JointType::Hinge, .limits = {{-4, 4}}}),
              HasSubstr("less than a whole turn"));
  EXPECT_THAT(problems_of_joint({.type = JointType::Distance,
                                 .anchor = Vec3(0, 0, 2),
                                 .anchor_b = Vec3::Zero(),
                                 .limits = {{0, 1}}}),
              HasSubstr("limits around 2"));
}

TEST(SceneBuilder, RefusesWhatOnlyHingesAndSlidersHave) {
  EXPECT_THAT(problems_of_joint({.spring = JointSpring{1, 0, 0}}), HasSubstr("/joints/0/spring"));
  EXPECT_THAT(problems_of_joint({.friction = 1}), HasSubstr("/joints/0/friction"));
  EXPECT_THAT(problems_of_joint({.type = JointType::Hinge, .restitution = 0.5}),
              HasSubstr("/joints/0/restitution: found 0.5"));
}

TEST(SceneBuilder, StopsListingAfterAThousandProblems) {
  SceneBuilder builder;
  for (int i = 0; i < 3000; ++i) builder.add_body(make_ball("same"), "/bodies");
  try {
    builder.build();
    FAIL();
  } catch (const base::BadInput& bad) {
    EXPECT_EQ(bad.diagnostics().size(), 1001U);
    EXPECT_EQ(bad.diagnostics().back().found, "more problems");
  }
}

Scene build_balls(int count, std::optional<double> every) {
  SceneBuilder builder;
  BodySpec ball = make_ball("ball");
  ball.grid = GridSpec{.count = {count, 1, 1}, .spacing = {3, 3, 3}};
  builder.add_body(ball);
  if (every) builder.set_output_every(*every);
  return builder.build();
}

TEST(SceneBuilder, RecordsACrowdLessOftenUnlessATimeIsNamed) {
  EXPECT_EQ(build_balls(1999, {}).output_every, 0.01);
  EXPECT_EQ(build_balls(2000, {}).output_every, 0.04);
  EXPECT_EQ(build_balls(2000, 0.005).output_every, 0.005);
}

TEST(MethodSettings, ReturnsWhatIsSetAndElseTheFallback) {
  MethodSettings settings;
  settings.options["step"] = 0.01;
  settings.options["lineality"] = false;
  settings.options["impact"] = std::string("poisson");
  EXPECT_EQ(settings.number("step", 1), 0.01);
  EXPECT_EQ(settings.number("tolerance", 1e-6), 1e-6);
  EXPECT_FALSE(settings.flag("lineality", true));
  EXPECT_EQ(settings.text("impact", "simultaneous"), "poisson");
}

TEST(MethodSettings, TakesAWordInThePlaceOfAFlagForTrue) {
  MethodSettings settings;
  EXPECT_EQ(settings.word("lineality"), "");
  settings.options["lineality"] = false;
  EXPECT_EQ(settings.word("lineality"), "");
  settings.options["lineality"] = std::string("shave");
  EXPECT_EQ(settings.word("lineality"), "shave");
  EXPECT_TRUE(settings.flag("lineality", false));
}

}  // namespace
}  // namespace carom::model
