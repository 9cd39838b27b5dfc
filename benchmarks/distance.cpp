// Signed distance against FCL (on libccd, double), same shapes, same poses, nearest points asked of
// both. Coherent: one body circles and turns about the other in steps of a hundredth of a radian,
// and each query is told where the last one ended. Incoherent: poses at random, told nothing.
#include "carom/geometry/distance/distance.h"

#include <benchmark/benchmark.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/distance.h>

#include <array>
#include <cmath>

#include "carom/base/check.h"
#include "carom/base/random.h"
#include "carom/geometry/shapes/convex_hull.h"
#include "carom/math/rotation.h"

namespace {

using namespace carom;
using geometry::Convex;

constexpr int kPoses = 1024;
constexpr double kStep = 0.01;  // rad

const Vec3 kBoxHalf(0.5, 0.4, 0.3);

// Points spread evenly over an ellipsoid: 2 n - 4 faces.
geometry::Hull make_hull(int faces) {
  const int count = (faces + 4) / 2;
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1) / static_cast<double>(count), r = std::sqrt(1 - z * z);
    const double angle = i * M_PI * (3 - std::sqrt(5.0));
    points.emplace_back(0.5 * r * std::cos(angle), 0.4 * r * std::sin(angle), 0.3 * z);
  }
  geometry::HullResult result = geometry::make_convex_hull(points);
  base::check(result.polyhedron && static_cast<int>(result.polyhedron->facets.size()) == faces,
              "a hull with the number of faces asked for");
  return {result.polyhedron};
}

// faces = 0: boxes.
geometry::Shape make_shape(int faces) {
  if (faces == 0) return geometry::Box{kBoxHalf};
  return make_hull(faces);
}

// Never overlapping: `reach` is the sum of the radii.
std::vector<Pose> circling(double reach) {
  std::vector<Pose> poses;
  for (int i = 0; i < kPoses; ++i) {
    const double t = kStep * i, distance = reach * (1.15 + 0.05 * std::sin(3 * t));
    const Vec3 p(distance * std::cos(t), distance * std::sin(t) * 0.9, 0.3 * std::sin(2 * t));
    const Vec3 turn(0.3 * t, 0.7 * t, 0.5 * t);
    poses.push_back({p, math::quat_exp(turn)});
  }
  return poses;
}

std::vector<Pose> scattered(double reach) {
  base::Random random(1);
  const auto any = [&random] { return random.uniform(-1, 1); };
  std::vector<Pose> poses;
  while (static_cast<int>(poses.size()) < kPoses) {
    const Vec3 p(any(), any(), any());
    if (p.norm() < 0.1 || p.norm() > 1) continue;
    const Quat q = Quat(any(), any(), any(), any()).normalized();
    poses.push_back({reach * random.uniform(1.05, 2) * p.normalized(), q});
  }
  return poses;
}

enum Motion { kCoherent, kIncoherent };
std::vector<Pose> make_poses(const benchmark::State& state) {
  const double reach = 2 * bounding_radius(make_shape(static_cast<int>(state.range(0))));
  return state.range(1) == kCoherent ? circling(reach) : scattered(reach);
}

void distance_carom(benchmark::State& state) {
  const Convex convex = geometry::make_convex(make_shape(static_cast<int>(state.range(0))));
  const std::vector<Pose> poses = make_poses(state);
  const Pose origin;
  geometry::DistanceHint hint;
  std::size_t i = 0;
  for (auto _ : state) {
    if (state.range(1) == kIncoherent) hint = {};
    benchmark::DoNotOptimize(
        geometry::compute_distance({convex, origin}, {convex, poses[i]}, hint));
    i = (i + 1) % poses.size();
  }
}

std::shared_ptr<fcl::CollisionGeometryd> make_rival(int faces) {
  if (faces == 0) return std::make_shared<fcl::Boxd>(2 * kBoxHalf);
  const geometry::Hull hull = make_hull(faces);
  auto loops = std::make_shared<std::vector<int>>();
  for (const auto& loop : hull.polyhedron->facets) {
    loops->push_back(static_cast<int>(loop.size()));
    loops->insert(loops->end(), loop.begin(), loop.end());
  }
  return std::make_shared<fcl::Convexd>(
      std::make_shared<std::vector<Vec3>>(hull.polyhedron->vertices), faces, loops);
}

void distance_fcl(benchmark::State& state) {
  const auto shape = make_rival(static_cast<int>(state.range(0)));
  std::vector<fcl::Transform3d> poses;
  for (const Pose& pose : make_poses(state)) {
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    transform.linear() = pose.q.toRotationMatrix();
    transform.translation() = pose.p;
    poses.push_back(transform);
  }
  const fcl::Transform3d origin = fcl::Transform3d::Identity();
  const fcl::DistanceRequestd request(true);
  std::size_t i = 0;
  for (auto _ : state) {
    fcl::DistanceResultd result;
    benchmark::DoNotOptimize(
        fcl::distance(shape.get(), origin, shape.get(), poses[i], request, result));
    i = (i + 1) % poses.size();
  }
}

const std::vector<std::vector<std::int64_t>> kCases{{0, 20, 162, 5000}, {kCoherent, kIncoherent}};
BENCHMARK(distance_carom)->ArgsProduct(kCases);
BENCHMARK(distance_fcl)->ArgsProduct(kCases);

}  // namespace
