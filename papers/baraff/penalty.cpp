// What penalty forces do to blocks at rest and to bricks that topple, for figure 2 and section 2.1
// of Baraff, as CSV: part, name, stiffness (N/m of a contact), depth (m), steps. A contact is a
// spring, critically damped for 1 kg, between a corner and a face. There are as many as the
// analytic method has, four to a face: in the plane two of twice the stiffness. Frictionless.
// docs/images/draw_penalty.py draws it.
//
//   block   a block of the named mass after it has settled: how deep it stands in the floor
//   stack   three blocks of 1 kg: how deep each stands in what is below it
//   steps   the adaptive steps of Dormand and Prince over a scene, rejected ones included, and the
//           greatest depth in it
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "reference/dormand_prince.h"

namespace {

using namespace carom;

constexpr double kGravity = 9.81;
constexpr double kWidth = 2, kHeight = 1;
constexpr double kContactsPerCorner = 2;  // the depth of the bricks adds one at either end

struct Brick {
  double x = 0, mass = 1;
  double inertia() const { return mass * (kWidth * kWidth + kHeight * kHeight) / 12; }
};

struct Pile {
  std::vector<Brick> bricks;  // from the floor at z = 0 upwards
  double stiffness = 0;       // N/m, of a contact
};

struct Planar {
  double x = 0, z = 0;
};
double dot(const Planar& a, const Planar& b) { return a.x * b.x + a.z * b.z; }

// Where a brick is and how it moves; the floor does not. `angle` is positive from x to z.
struct Pose {
  Planar at;
  double angle = 0;
  Planar velocity;
  double spin = 0;

  Planar turned(const Planar& p) const {
    return {std::cos(angle) * p.x - std::sin(angle) * p.z,
            std::sin(angle) * p.x + std::cos(angle) * p.z};
  }
  Planar point(const Planar& local) const {
    const Planar lever = turned(local);
    return {at.x + lever.x, at.z + lever.z};
  }
  Planar velocity_of(const Planar& world) const {
    return {velocity.x - spin * (world.z - at.z), velocity.z + spin * (world.x - at.x)};
  }
};

struct Load {
  double x = 0, z = 0, torque = 0;
};

void push(const Pose& body, const Planar& point, const Planar& force, Load& load) {
  load.x += force.x;
  load.z += force.z;
  load.torque += (point.x - body.at.x) * force.z - (point.z - body.at.z) * force.x;
}

class Springs {
 public:
  explicit Springs(double stiffness)
      : stiffness_(kContactsPerCorner * stiffness),
        damping_(kContactsPerCorner * std::sqrt(stiffness)) {}

  void stand_on_floor(const Pose& brick, Load& load) {
    Pose floor;
    floor.at = {0, -kHeight / 2};
    Load unused;
    for (const double end : {-0.5, 0.5}) touch(brick, {end, -0.5}, floor, load, unused);
  }

  // At either end of the overlap: the upper's corner where it is over the lower, else the lower's.
  void stand_on(const Pose& upper, const Pose& lower, Load& on_upper, Load& on_lower) {
    for (const double end : {-0.5, 0.5}) {
      const Planar corner = upper.point({end * kWidth, -kHeight / 2});
      const Planar from_lower{corner.x - lower.at.x, corner.z - lower.at.z};
      if (std::abs(dot(from_lower, lower.turned({1, 0}))) <= kWidth / 2) {
        touch(upper, {end, -0.5}, lower, on_upper, on_lower);
      } else {
        touch(lower, {end, 0.5}, upper, on_lower, on_upper);
      }
    }
  }
  double deepest() const { return deepest_; }

 private:
  // A corner of `a`, in its sizes, against the face of `b` on the other side.
  void touch(const Pose& a, const Planar& corner_of_a, const Pose& b, Load& on_a, Load& on_b) {
    const Planar normal = b.turned({0, corner_of_a.z < 0 ? 1.0 : -1.0});
    const Planar corner = a.point({corner_of_a.x * kWidth, corner_of_a.z * kHeight});
    const double depth = kHeight / 2 - dot({corner.x - b.at.x, corner.z - b.at.z}, normal);
    if (depth <= 0) return;
    const Planar va = a.velocity_of(corner), vb = b.velocity_of(corner);
    const double rate = -dot({va.x - vb.x, va.z - vb.z}, normal);
    const double force = std::max(0.0, stiffness_ * depth + damping_ * rate);
    push(a, corner, {force * normal.x, force * normal.z}, on_a);
    push(b, corner, {-force * normal.x, -force * normal.z}, on_b);
    deepest_ = std::max(deepest_, depth);
  }

  double stiffness_, damping_;
  double deepest_ = 0;
};

// Per brick x, z, angle; then their rates.
Pose pose_of(const VecX& y, std::size_t brick) {
  const auto i = static_cast<math::Index>(3 * brick), half = y.size() / 2;
  return {{y[i], y[i + 1]}, y[i + 2], {y[half + i], y[half + i + 1]}, y[half + i + 2]};
}

// What acts on each brick; gives the greatest depth of a corner.
double add_forces(double stiffness, const VecX& y, std::vector<Load>& loads) {
  Springs springs(stiffness);
  springs.stand_on_floor(pose_of(y, 0), loads[0]);
  for (std::size_t i = 0; i + 1 < loads.size(); ++i)
    springs.stand_on(pose_of(y, i + 1), pose_of(y, i), loads[i + 1], loads[i]);
  return springs.deepest();
}

VecX rates(const Pile& pile, const VecX& y) {
  const std::size_t n = pile.bricks.size();
  std::vector<Load> loads(n);
  add_forces(pile.stiffness, y, loads);
  VecX rate(y.size());
  const math::Index half = y.size() / 2;
  rate.head(half) = y.tail(half);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = half + static_cast<math::Index>(3 * i);
    rate[at] = loads[i].x / pile.bricks[i].mass;
    rate[at + 1] = loads[i].z / pile.bricks[i].mass - kGravity;
    rate[at + 2] = loads[i].torque / pile.bricks[i].inertia();
  }
  return rate;
}

// How deep brick i stands in what is below it, where both are level.
double level_depth(const VecX& y, std::size_t i) {
  const double below = i == 0 ? 0 : pose_of(y, i - 1).at.z + kHeight / 2;
  return below - (pose_of(y, i).at.z - kHeight / 2);
}

struct Simulated {
  VecX y;
  double depth = 0;
  int steps = 0;
  bool ended = true;
};

// From rest and just touching. In pieces, which keep the dense output small; a piece begins with
// the step that the last one had on average.
Simulated simulate(const Pile& pile, double duration, double tolerance) {
  constexpr int kPieces = 250;
  const std::size_t n = pile.bricks.size();
  Simulated run;
  run.y = VecX::Zero(static_cast<math::Index>(6 * n));
  for (std::size_t i = 0; i < n; ++i) {
    run.y[static_cast<math::Index>(3 * i)] = pile.bricks[i].x;
    run.y[static_cast<math::Index>(3 * i + 1)] = (static_cast<double>(i) + 0.5) * kHeight;
  }
  reference::AdaptiveOptions options;
  options.relative_tolerance = 0;
  options.absolute_tolerance = tolerance;
  options.max_steps = 10'000'000;
  for (int piece = 0; piece < kPieces && run.ended; ++piece) {
    const auto part = reference::integrate_dormand_prince(
        [&](double, const VecX& y) { return rates(pile, y); },
        {piece * duration / kPieces, (piece + 1) * duration / kPieces}, run.y, options);
    run.ended = part.status == reference::IntegrationStatus::Converged;
    run.steps += part.steps + part.rejected;
    for (const auto& step : part.dense) {
      std::vector<Load> unused(n);
      run.depth = std::max(run.depth, add_forces(0, step.at(step.t + step.h), unused));
    }
    run.y = part.y;
    options.initial_step = duration / kPieces / std::max(1, part.steps);
  }
  return run;
}

void print_blocks(double stiffness) {
  constexpr double kAccuracy = 1e-9;
  for (const double mass : {1.0, 2.0, 4.0}) {
    const Simulated run = simulate({{{0, mass}}, stiffness}, 1, kAccuracy);
    std::printf("block,%g kg,%g,%.9g,%d\n", mass, stiffness, level_depth(run.y, 0), run.steps);
  }
  const Simulated stack = simulate({{{0, 1}, {0, 1}, {0, 1}}, stiffness}, 1, kAccuracy);
  for (std::size_t i = 0; i < 3; ++i)
    std::printf("stack,brick %zu,%g,%.9g,%d\n", i + 1, stiffness, level_depth(stack.y, i),
                stack.steps);
}

// The stiffness that lets the lowest of the bricks sink by `depth`, and integration that is a
// hundred times as accurate as that.
void print_steps(const char* name, const std::vector<Brick>& bricks, double duration) {
  for (double depth = 5e-4; depth > 4e-10; depth /= 10) {
    const double weight = kGravity * static_cast<double>(bricks.size());
    const double stiffness = weight / (2 * kContactsPerCorner * depth);
    const Simulated run = simulate({bricks, stiffness}, duration, depth / 100);
    if (run.ended) std::printf("steps,%s,%.6g,%.6g,%d\n", name, stiffness, run.depth, run.steps);
  }
}

}  // namespace

int main() {
  std::puts("part,name,stiffness,depth,steps");
  print_blocks(1e4);
  print_steps("stack-of-bricks", {{0, 1}, {0.3, 1}, {0.6, 1}, {0.9, 1}}, 1);
  print_steps("over-balanced-bricks", {{0, 1}, {0.8, 1}, {1.6, 1}}, 0.25);
}
