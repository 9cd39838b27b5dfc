#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "carom/contact/pairs.h"
#include "carom/geometry/shapes/convex_hull.h"
#include "support/mesh_floor.h"

namespace carom::contact {
namespace {

using support::build;
using support::make_ball;
using support::make_box;
using support::make_ground;

struct Question {
  explicit Question(Scene made, int threads = 1)
      : scene(std::move(made)),
        workers(threads),
        pairs(scene, workers),
        state(dynamics::make_initial_state(scene)) {}
  Scene scene;
  base::Workers workers;
  Pairs pairs;
  State state;

  ContactSet near(double duration) {
    ContactSet out;
    pairs.find_near_contacts(state, duration, out);
    return out;
  }
};

TEST(FindNearContacts, GivesTheGapsOfABoxAboutToLand) {
  Question ask(
      build({.between = {0.3, 0.4},
             .bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.52))}}));
  ask.state.bodies[1].v = Vec3(0, 0, -5);
  const ContactSet found = ask.near(0.01);
  ASSERT_EQ(found.size(), 4U);
  for (const Contact& contact : found) {
    EXPECT_NEAR(contact.at.gap, 0.02, 1e-15);
    EXPECT_EQ(contact.at.normal, Vec3::UnitZ());
    EXPECT_NEAR(contact.approach_rate, -5, 1e-15);
    EXPECT_EQ(contact.restitution, 0.3);
    EXPECT_EQ(contact.friction, 0.4);
  }
}

// Three balls in a row, one ahead of the other two and one marked.
TEST(FindNearContacts, LeavesOutWhatIsNotMarkedAndWhatIsFast) {
  const std::vector<model::BodySpec> balls{make_ball("a", 0.5, Vec3(0, 0, 0)),
                                           make_ball("b", 0.5, Vec3(1.001, 0, 0)),
                                           make_ball("c", 0.5, Vec3(2.001, 0, 0))};
  Question ask(build({.bodies = balls}));
  ask.state.bodies[0].v = Vec3(1, 0, 0);
  const auto found = [&](const NearOptions& options) {
    ContactSet out;
    ask.pairs.find_near_contacts(ask.state, 0.01, out, options);
    return out.size();
  };
  const std::vector<char> none{0, 0, 0}, first{1, 0, 0};
  EXPECT_EQ(found({}), 2U);
  EXPECT_EQ(found({.marked = none}), 1U);  // b and c touch
  EXPECT_EQ(found({.marked = first}), 2U);
  EXPECT_EQ(found({.marked = first, .fastest = 0.5}), 1U);
  EXPECT_EQ(found({.marked = first, .fastest = 0.5, .touching = 0.002}), 2U);
}

// Closing at 3 m/s for 10 ms: 30 mm, and what gravity adds, g · 1e-4 s² = 0.981 mm.
TEST(FindNearContacts, AsksForNoMoreThanBallsCanClose) {
  for (const bool within : {true, false}) {
    const double gap = 0.030981 + (within ? -1e-6 : 1e-6);
    Question ask(build({.bodies = {make_ball("a", 0.5, Vec3(0, 0, 0), Vec3(1, 0, 0)),
                                   make_ball("b", 0.5, Vec3(1 + gap, 0, 0), Vec3(-2, 0, 0))}}));
    ask.state.bodies[0].w = Vec3(0, 100, 0);  // moves no surface
    EXPECT_EQ(ask.near(0.01).size(), within ? 1U : 0U);
  }
}

TEST(FindNearContacts, OverlapHasANegativeGap) {
  Question ask(build({.bodies = {make_ball("a", 0.5, Vec3(0, 0, 0)),
                                 make_box("b", Vec3(1, 1, 1), Vec3(0, 0, 0.99)),
                                 make_box("c", Vec3(0.5, 0.5, 1), Vec3(0, 0, 1.98))}}));
  const ContactSet found = ask.near(1e-3);
  ASSERT_EQ(found.size(), 5U);
  for (const Contact& contact : found) {
    EXPECT_NEAR(contact.at.gap, -0.01, 1e-12);
    EXPECT_NEAR(std::abs(contact.at.normal.z()), 1, 1e-12);
  }
}

TEST(FindNearContacts, OnSeamsOfAFlatMeshPointUp) {
  Question ask(build({.bodies = {support::make_mesh_floor(),
                                 make_box("box", Vec3(1, 1, 1), Vec3(0.13, 0.21, 0.503)),
                                 make_ball("ball", 0.1, Vec3(1.001, 1.2, 0.101))}}));
  ask.state.bodies[1].v = Vec3(0.3, 0, -1);
  ask.state.bodies[2].v = Vec3(0.3, 0, -1);
  const ContactSet found = ask.near(0.01);
  EXPECT_GE(found.size(), 5U);
  for (const Contact& contact : found) {
    const double up = index(contact.a) == 0 ? -1 : 1;
    EXPECT_LT((contact.at.normal - up * Vec3::UnitZ()).norm(), 1e-12);
    const bool ball = index(contact.a) == 2 || index(contact.b) == 2;
    EXPECT_NEAR(contact.at.gap, ball ? 0.001 : 0.003, 1e-12);
  }
}

Vec3 random_vector(base::Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

geometry::Shape random_shape(base::Random& random) {
  const auto length = [&] { return random.uniform(0.3, 1.2); };
  switch (random.next() % 7) {
    case 0:
      return geometry::Sphere{length() / 2};
    case 1:
      return geometry::Box{0.5 * Vec3(length(), length(), length())};
    case 2:
      return geometry::Capsule{length() / 3, length()};
    case 3:
      return geometry::Cylinder{length() / 2, length()};
    case 4:
      return geometry::Cone{length() / 2, length()};
    case 5:
      return geometry::Ellipsoid{0.5 * Vec3(length(), length(), length())};
    default:
      break;
  }
  std::vector<Vec3> points;
  for (int i = 0; i < 16; ++i) points.push_back(random_vector(random, 0.5));
  return geometry::Hull{geometry::make_convex_hull(points).polyhedron};
}

model::BodySpec random_body(base::Random& random, const std::string& name) {
  return {.name = name, .shapes = {{.shape = random_shape(random)}}, .mass = 1};
}

// The slow twin: signed distances along the free flight.
double least_distance(const Scene& scene, const Flight& flight) {
  double least = HUGE_VAL;
  const auto convex = [&](std::size_t i) {
    return geometry::make_convex(scene.bodies[i].shapes[0].shape);
  };
  const geometry::Convex a = convex(0), b = convex(1);
  geometry::DistanceHint hint;
  for (int i = 0; i <= 50; ++i) {
    const double s = flight.duration * i / 50;
    const Pose X_A = pose_at(flight.motions[0], s) * scene.bodies[0].shapes[0].X_BS;
    const Pose X_B = pose_at(flight.motions[1], s) * scene.bodies[1].shapes[0].X_BS;
    least = std::min(least, geometry::compute_distance({a, X_A}, {b, X_B}, hint).value);
  }
  return least;
}

void launch(base::Random& random, State& state) {
  for (BodyState& body : state.bodies) {
    body.q = math::quat_exp(random_vector(random, 3));
    body.v = random_vector(random, 4);
    body.w = random_vector(random, 10);
  }
  state.bodies[0].x = Vec3::Zero();
  state.bodies[1].x = random.uniform(0.4, 1.6) * random_vector(random, 1).normalized();
}

TEST(FindNearContacts, HoldsEveryPairThatTouchesInFreeFlight) {
  base::Random random(11);
  int touching = 0, reported = 0;
  for (int i = 0; i < 1200; ++i) {
    const Scene scene = build({.bodies = {random_body(random, "a"), random_body(random, "b")}});
    base::Workers workers(1);
    Pairs pairs(scene, workers);
    State state = dynamics::make_initial_state(scene);
    launch(random, state);
    const double duration = random.uniform(0.002, 0.05);
    ContactSet found;
    pairs.find_near_contacts(state, duration, found);
    Flight flight;
    dynamics::fly(scene, state, {}, duration, flight);
    const double least = least_distance(scene, flight);
    if (!found.empty()) ++reported;
    if (least > 0) continue;
    ++touching;
    EXPECT_FALSE(found.empty()) << i << " " << least;
  }
  EXPECT_GT(touching, 120);
  EXPECT_LT(reported, 1000);
}

TEST(FindNearContacts, HoldsEveryBodyThatReachesAPlaneOrAMesh) {
  base::Random random(12);
  for (const bool mesh : {true, false}) {
    int touching = 0;
    for (int i = 0; i < 500; ++i) {
      const Scene scene = build({.bodies = {mesh ? support::make_mesh_floor() : make_ground(),
                                            random_body(random, "a")}});
      base::Workers workers(1);
      Pairs pairs(scene, workers);
      State state = dynamics::make_initial_state(scene);
      launch(random, state);
      state.bodies[0] = {};
      state.bodies[1].x =
          Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.3, 1));
      const double duration = random.uniform(0.002, 0.05);
      ContactSet found;
      pairs.find_near_contacts(state, duration, found);
      Flight flight;
      dynamics::fly(scene, state, {}, duration, flight);
      const geometry::Convex above = geometry::make_convex(scene.bodies[1].shapes[0].shape);
      const geometry::Convex floor = geometry::make_convex(geometry::Plane{Vec3::UnitZ(), 0});
      geometry::DistanceHint hint;
      const Pose X = pose_at(flight.motions[1], duration) * scene.bodies[1].shapes[0].X_BS;
      const Pose origin;
      if (geometry::compute_distance({above, X}, {floor, origin}, hint).value > 0) continue;
      ++touching;
      EXPECT_FALSE(found.empty()) << i;
    }
    EXPECT_GT(touching, 50);
  }
}

void expect_same(const ContactSet& x, const ContactSet& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].feature, y[i].feature);
    EXPECT_EQ(x[i].at.gap, y[i].at.gap);
    EXPECT_EQ(x[i].at.point, y[i].at.point);
    EXPECT_EQ(x[i].at.normal, y[i].at.normal);
  }
}

Scene random_heap(base::Random& random) {
  std::vector<model::BodySpec> bodies{make_ground()};
  for (int i = 0; i < 120; ++i) {
    model::BodySpec body = random_body(random, "body" + std::to_string(i));
    body.position = 0.5 * Vec3(i % 5, i / 5 % 5, 1 + i / 25);
    body.velocity = random_vector(random, 1);
    body.angular_velocity = random_vector(random, 1);
    body.orientation = math::quat_exp(random_vector(random, 2));
    bodies.push_back(body);
  }
  return build({.bodies = bodies});
}

TEST(FindNearContacts, DoesNotDependOnThreadsOrOnEarlierQuestions) {
  base::Random random(13);
  const Scene scene = random_heap(random);
  Question one(scene, 1), three(scene, 3);
  for (int step = 0; step < 4; ++step) {
    Question fresh(scene);
    fresh.state = one.state;
    const ContactSet found = one.near(0.01);
    ASSERT_GT(found.size(), 200U);
    expect_same(found, three.near(0.01));
    expect_same(found, fresh.near(0.01));
    dynamics::drift(0.01, one.state);
    dynamics::drift(0.01, three.state);
  }
}

}  // namespace
}  // namespace carom::contact
