// Elastic contacts begin where shapes come to touch: every shape, thrown at every other one that is
// held in one way or another. How deep they are then is measured by a search in long double.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "carom/base/random.h"
#include "reference/best_separation.h"
#include "support/distance_cases.h"
#include "support/mesh_floor.h"
#include "support/rig.h"

namespace carom::methods {
namespace {

using support::Rig;
using support::SceneParts;

constexpr double kSize = 0.1;        // m
constexpr double kTolerance = 1e-8;  // of the solver, the default
// Beside the sizes of both bodies: what the solver leaves to its events, and how well a distance is
// known.
constexpr double kDeepest = 2 * kTolerance;

// The floor of triangles is the plane that it lies in.
geometry::ConvexShape convex_of(const geometry::Shape& shape) {
  return std::visit(
      [](const auto& each) -> geometry::ConvexShape {
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, geometry::Mesh>)
          return geometry::Plane{Vec3::UnitZ(), 0};
        else
          return each;
      },
      shape);
}

// How deep two bodies overlap in a state, m; negative where they are apart. The search passes over
// directions that meet a corner or an edge, so one is proposed; what it proves is computed here.
double depth_of(const Scene& scene, const State& state, BodyId a, BodyId b) {
  reference::Long deepest = -INFINITY;
  const auto pose = [&](const model::PlacedShape& on, BodyId id) {
    return state[id].pose() * on.X_BS;
  };
  for (const model::PlacedShape& on_a : scene.body(a).shapes) {
    for (const model::PlacedShape& on_b : scene.body(b).shapes) {
      const geometry::ConvexShape shape_a = convex_of(on_a.shape), shape_b = convex_of(on_b.shape);
      const auto ready = [](const geometry::ConvexShape& shape) {
        return std::visit([](const auto& each) { return geometry::make_convex(each); }, shape);
      };
      const geometry::Convex convex_a = ready(shape_a), convex_b = ready(shape_b);
      geometry::DistanceHint hint;
      const Vec3 proposed =
          geometry::compute_distance({convex_a, pose(on_a, a)}, {convex_b, pose(on_b, b)}, hint)
              .normal;
      const reference::LongSolid one(shape_a, pose(on_a, a)), other(shape_b, pose(on_b, b));
      reference::Long apart = separation(one, other, proposed.cast<reference::Long>().normalized());
      if (scene.body(b).radius < 1)  // a floor has no other normal
        apart = std::max(apart, reference::SeparationSearch(one, other).run().value);
      deepest = std::max(deepest, -apart);
    }
  }
  return static_cast<double>(deepest);
}

BodyState state_in(const Scene& scene, const record::Frame& frame, BodyId id, double t) {
  double since = frame.start.t;
  BodyState from = frame.start[id];
  for (const record::ClusterSegment& segment : frame.segments) {
    for (std::size_t i = 0; i < segment.bodies.size(); ++i) {
      if (segment.bodies[i] != id || segment.t0 > t) continue;
      if (t < segment.t1) return dynamics::state_on(segment.motions[i], t - segment.t0);
      from = segment.ends[i];
      since = segment.t1;
    }
  }
  return dynamics::state_on(dynamics::fly_freely(scene, scene.body(id), from), t - since);
}

// The first contact of two bodies: when it began, and where all bodies were then.
class FirstContact : public record::Sink {
 public:
  FirstContact(const Scene& scene, BodyId a, BodyId b) : scene_(scene), a_(a), b_(b) {}
  void frame(const record::Frame& frame) override {
    for (const record::ContactEvent& event : frame.events) {
      const bool ours = std::minmax(event.a, event.b) == std::minmax(a_, b_);
      if (found || !ours || event.kind != record::EventKind::ContactBegin) continue;
      found = true;
      state.t = event.t;
      for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
        state.bodies.push_back(state_in(scene_, frame, id_of<BodyId>(i), event.t));
    }
  }

  bool found = false;
  State state;

 private:
  const Scene& scene_;
  BodyId a_, b_;
};

constexpr std::array<std::string_view, 8> kShapes{"sphere", "box",       "capsule", "cylinder",
                                                  "cone",   "ellipsoid", "hull",    "compound"};

std::vector<model::ShapeSpec> make_shapes(std::string_view name) {
  const double r = kSize;
  if (name == "sphere") return {{.shape = geometry::Sphere{0.5 * r}}};
  if (name == "box") return {{.shape = geometry::Box{0.5 * Vec3(r, 0.7 * r, 0.5 * r)}}};
  if (name == "capsule") return {{.shape = geometry::Capsule{0.3 * r, 0.6 * r}}};
  if (name == "cylinder") return {{.shape = geometry::Cylinder{0.5 * r, 0.6 * r}}};
  if (name == "cone") return {{.shape = geometry::Cone{0.5 * r, 0.9 * r}}};
  if (name == "ellipsoid") return {{.shape = geometry::Ellipsoid{r * Vec3(0.5, 0.4, 0.3)}}};
  if (name == "hull") {
    base::Random random(7);
    std::vector<Vec3> points;
    for (int i = 0; i < 14; ++i) {
      const Vec3 p(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      points.push_back(0.5 * r * p.normalized());
    }
    return {{.shape = geometry::Hull{geometry::make_convex_hull(points).polyhedron}}};
  }
  return {
      {.shape = geometry::Box{0.5 * Vec3(r, 0.4 * r, 0.4 * r)}},
      {.shape = geometry::Sphere{0.25 * r}, .pose = {Vec3(0.4 * r, 0, 0.2 * r), Quat::Identity()}}};
}

model::BodySpec make_body(const std::string& name, std::string_view shape) {
  return {.name = name, .shapes = make_shapes(shape), .mass = 1};
}

double lowest(const model::BodySpec& body) {
  reference::Long lowest = INFINITY;
  for (const model::ShapeSpec& each : body.shapes) {
    const reference::LongSolid solid(convex_of(each.shape),
                                     Pose{Vec3::Zero(), body.orientation} * each.pose);
    lowest = std::min(lowest, solid.support(-reference::Long3::UnitZ()).z());
  }
  return static_cast<double>(lowest);
}

enum class Held { Fixed, Driven, Lying, Hanging };
constexpr std::array kHeld{Held::Fixed, Held::Driven, Held::Lying, Held::Hanging};

constexpr double kArrives = 0.25;  // s; at the target's centre

// The body with the number 1 is the target, the one with the number 2 is thrown at its centre.
struct Throw {
  std::string_view target, thrown;
  Held held;
  double speed;
  std::uint64_t seed;
};

SceneParts make_throw(const Throw& from) {
  base::Random random(from.seed);
  const auto vector = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  SceneParts parts{.between = {.restitution = 0.4, .friction = 0.3},
                   .bodies = {support::make_ground()},
                   .method = {"elastic", {}},
                   .duration = 1};
  model::BodySpec target = make_body("target", from.target);
  target.position = Vec3(0.3, 0.2, 20);
  if (from.held == Held::Fixed) target.motion = model::Motion::Fixed;
  if (from.held == Held::Driven) {
    target.motion = model::Motion::Driven;
    target.velocity = vector();
    target.angular_velocity = 5 * vector();
  }
  if (from.held == Held::Lying) target.position.z() = -lowest(target);
  if (from.held == Held::Hanging)
    parts.joints = {{.name = "hook",
                     .type = model::JointType::Ball,
                     .between = {"ground", "target"},
                     .anchor = Vec3(target.position + Vec3(0, 0, 0.3))}};
  model::BodySpec thrown = make_body("thrown", from.thrown);
  thrown.orientation = math::quat_exp(2 * vector());
  thrown.angular_velocity = 20 * vector();
  Vec3 towards = vector();
  towards.z() = -std::abs(towards.z()) - 0.5;
  const Vec3 arrival = target.position + kArrives * target.velocity;
  const Vec3 velocity = from.speed * towards.normalized();  // where it would arrive
  thrown.velocity = velocity - kArrives * parts.gravity;
  thrown.position = arrival - kArrives * (velocity - 0.5 * kArrives * parts.gravity);
  parts.bodies.insert(parts.bodies.end(), {target, thrown});
  return parts;
}

// extension: m; of the two by balls that smooth them.
void expect_contact_in_time(const SceneParts& parts, BodyId a, BodyId b, double arrives,
                            double extension = 0) {
  Rig rig(parts);
  FirstContact contact(rig.scene, a, b);
  rig.recorder.add(contact);
  // Short frames about the time of arrival: what comes after the contact's beginning is not asked.
  const double speed = rig.state[a].v.norm(), shortly = 0.02 * kSize / std::max(speed, 1.0);
  while (!contact.found && rig.state.t < 0.5) {
    const double sure = arrives - 4 * kSize / std::max(speed, 1.0);
    if (!rig.advance_to(std::max(sure, rig.state.t + shortly)).ok()) break;
  }
  ASSERT_TRUE(contact.found) << "at " << rig.state.t << " s";
  const double depth = depth_of(rig.scene, contact.state, a, b) + extension;
  EXPECT_LT(depth, kDeepest * 2 * kSize) << "at " << contact.state.t << " s";
  EXPECT_GT(depth, -kDeepest * 2 * kSize) << "at " << contact.state.t << " s";
  // It has not come through to the other side.
  const Vec3 apart = contact.state[b].x - contact.state[a].x;
  const Vec3 velocity = contact.state[b].v - contact.state[a].v;
  EXPECT_TRUE(!(rig.scene.body(b).radius < 1) || apart.dot(velocity) < 0);
}

class ThrownAt : public testing::TestWithParam<std::string_view> {};

TEST_P(ThrownAt, EveryShapeMeetsItInTime) {
  std::uint64_t seed = 1;
  for (const Held held : kHeld) {
    for (const std::string_view thrown : kShapes) {
      for (const double speed : {3.0, 100.0}) {
        SCOPED_TRACE(testing::Message() << thrown << " at " << GetParam() << ", held "
                                        << static_cast<int>(held) << ", " << speed << " m/s");
        expect_contact_in_time(make_throw({GetParam(), thrown, held, speed, ++seed}), BodyId{2},
                               BodyId{1}, kArrives);
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(ElasticOnset, ThrownAt, testing::ValuesIn(kShapes),
                         [](const auto& each) { return std::string(each.param); });

bool has_edges(std::string_view shape) { return shape == "box" || shape == "hull"; }

// By portals, and where balls make shapes larger, contacts begin as far apart. Without cylinders
// and cones, of which one point makes the solver's steps too short for a test.
TEST(ElasticOnset, SmoothedShapesMeetInTime) {
  constexpr double kBall = 0.02 * kSize;
  std::uint64_t seed = 1000;
  for (const double smoothing : {0.0, kBall}) {
    for (const std::string_view target : {"sphere", "box", "capsule", "hull"}) {
      for (const std::string_view thrown : {"sphere", "box", "capsule", "hull"}) {
        const Held held = std::array{Held::Fixed, Held::Driven, Held::Hanging}[seed % 3];
        const double speed = seed % 2 == 0 ? 3 : 100;
        SCOPED_TRACE(testing::Message()
                     << thrown << " at " << target << ", held " << static_cast<int>(held) << ", "
                     << speed << " m/s, balls " << smoothing);
        SceneParts parts = make_throw({target, thrown, held, speed, ++seed});
        parts.method.options = {{"distance", std::string("mpr")}, {"smoothing", smoothing}};
        const double extension =
            (has_edges(target) ? smoothing : 0) + (has_edges(thrown) ? smoothing : 0);
        expect_contact_in_time(parts, BodyId{2}, BodyId{1}, kArrives, extension);
      }
    }
  }
}

// Corners and rims that arrive one after the other, from all attitudes.
TEST(ElasticOnset, EveryShapeMeetsPlanesAndMeshesInTime) {
  for (const std::string_view shape : kShapes) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      for (const bool mesh : {false, true}) {
        SCOPED_TRACE(testing::Message() << shape << ", seed " << seed << ", mesh " << mesh);
        base::Random random(seed);
        model::BodySpec body = make_body("thrown", shape);
        if (seed > 0) {
          body.orientation = math::quat_exp(Vec3(random.uniform(-2, 2), random.uniform(-2, 2), 1));
          body.angular_velocity =
              Vec3(random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9));
        }
        body.position = Vec3(0.1 * random.uniform(-1, 1), 0.13, 0.5);
        body.velocity = Vec3(0, 0, seed % 2 == 0 ? 0 : -30);
        expect_contact_in_time(
            {.bodies = {mesh ? support::make_mesh_floor() : support::make_ground(), body},
             .method = {"elastic", {}},
             .duration = 1},
            BodyId{1}, BodyId{0}, 0);
      }
    }
  }
}

}  // namespace
}  // namespace carom::methods
