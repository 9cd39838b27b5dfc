// What the contact forces of one moment cost, as the contacts grow in number: stacks, walls as high
// as wide and walls four bricks wide at rest, a square wall with nothing under its right third, and
// a chain of jointed boxes on the floor. Exact forces from nothing and from the forces of the
// moment before, and the paper's heuristic.
#include "carom/resting/contact_forces.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>

#include "bricks.h"

namespace {

using namespace carom;
using bricks::ContactProblem;
using bricks::Pile;
using resting::ForceSolver;

ContactProblem make_narrow_wall(std::int64_t contacts) {
  const double courses = (static_cast<double>(contacts) + 12) / 28;  // 28 each, the lowest 16
  return bricks::make_wall(4, std::max(1, static_cast<int>(std::lround(courses))));
}

ContactProblem make_undermined_wall(std::int64_t contacts) {
  ContactProblem wall = bricks::make_square_wall(contacts);
  const auto side = static_cast<std::int32_t>(std::lround(std::sqrt(wall.blocks.size())));
  std::erase_if(wall.contacts, [&](const contact::ContactRow& row) {
    return row.b.block < 0 && 3 * row.a.block >= 2 * side;
  });
  wall.islands[0].contacts = static_cast<std::int32_t>(wall.contacts.size());
  return wall;
}

// Every box rests on four corners, and is held to the next by a ball joint between them.
ContactProblem make_links(std::int64_t contacts) {
  Pile pile;
  for (int i = 0; 4 * i < contacts; ++i) {
    const int body = pile.add_body(Vec3(i, 0, 0.5), Vec3::Ones(), Vec3::Zero());
    pile.add_face(body, -1, Vec3(i, 0, 0), Vec3(0.8, 0.8, 0));
    if (i > 0) pile.add_ball_joint(body, body - 1, Vec3(i - 0.5, 0, 0.5));
  }
  return pile.finish();
}

struct Shape {
  const char* name;
  ContactProblem (*make)(std::int64_t contacts);
};
constexpr Shape kShapes[] = {{"stack", bricks::make_stack},
                             {"wall", bricks::make_square_wall},
                             {"narrow_wall", make_narrow_wall},
                             {"undermined_wall", make_undermined_wall},
                             {"links", make_links}};
constexpr double kTooLong = 2;  // s for one moment: no more contacts are tried

// Gravity on every body.
std::vector<Vec3> accelerations_of(const ContactProblem& problem) {
  std::vector<Vec3> out;
  for (const contact::ContactRow& row : problem.contacts)
    out.emplace_back(row.b.block < 0 ? -9.81 : 0.0, 0, 0);
  return out;
}

struct Run {
  ForceSolver solver;
  bool warm;
};

// `longest` is what fewer contacts took, in seconds.
void find_forces(benchmark::State& state, const Shape& shape, const Run& run, double& longest) {
  if (longest > kTooLong) return state.SkipWithError("fewer contacts took too long");
  const ContactProblem problem = shape.make(state.range(0));
  const std::vector<Vec3> contacts = accelerations_of(problem);
  const std::vector<double> joints(problem.equalities.size(), 0);
  const contact::Impulses none{std::vector<Vec3>(contacts.size(), Vec3::Zero()), joints};
  base::Workers workers(1);
  resting::ContactForces solver(workers);
  contact::Impulses forces = none;
  const auto solve = [&] {
    return solver.solve(problem, {contacts, joints}, 1e-9, {.solver = run.solver, .sides = 0},
                        forces);
  };
  resting::ContactForceResult result = solve();
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    if (!run.warm) forces = none;
    result = solve();
  }
  longest = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
            static_cast<double>(state.iterations());
  state.counters["contacts"] = static_cast<double>(problem.contacts.size());
  state.counters["iterations"] = result.iterations;
  state.counters["residual"] = result.residual;
  state.counters["complementarity"] = result.complementarity;
  state.counters["status"] = static_cast<double>(result.status);
  state.counters["least_sum"] = result.rungs.least_sum;
}

void add(const std::string& name, const Shape& shape, const Run& run) {
  const std::string full = "forces/" + std::string(shape.name) + "/" + name;
  const auto longest = std::make_shared<double>(0);
  auto* each =
      benchmark::RegisterBenchmark(full.c_str(), [&shape, run, longest](benchmark::State& state) {
        find_forces(state, shape, run, *longest);
      });
  for (const int contacts : {12, 50, 100, 200, 500, 1000, 2000}) each->Arg(contacts);
  each->MinTime(0.05)->Unit(benchmark::kMicrosecond);
}

bool add_all() {
  for (const Shape& shape : kShapes) {
    add("exact_cold", shape, {ForceSolver::Exact, false});
    add("exact_warm", shape, {ForceSolver::Exact, true});
    add("heuristic", shape, {ForceSolver::Heuristic, false});
  }
  return true;
}

[[maybe_unused]] const bool added = add_all();

}  // namespace
