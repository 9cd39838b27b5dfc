// What one impact costs, law by law, as the contacts grow in number: a line of touching balls
// struck at one end (e = 1), a stack of boxes and a square wall of bricks that land (e = 0, four
// contacts to a face). Beside them the detection of lineality where there is nothing to detect, and
// the plain way: the dense matrix of the contacts and Lemke's pivoting.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "bricks.h"
#include "carom/impact/laws/table.h"
#include "carom/solvers/lemke.h"

namespace {

using namespace carom;
using bricks::Pile;
using contact::ContactProblem;

ContactProblem make_chain(std::int64_t contacts) {
  Pile pile;
  pile.add_body(Vec3::Zero(), Vec3::Ones(), Vec3::UnitX());
  for (int i = 0; i < contacts; ++i) {
    pile.add_body(Vec3(i + 1, 0, 0), Vec3::Ones(), Vec3::Zero());
    pile.add_contact(i + 1, i, Vec3(i + 0.5, 0, 0), Vec3::UnitX(), 1);
  }
  return pile.finish();
}

struct Shape {
  const char* name;
  ContactProblem (*make)(std::int64_t contacts);
};
constexpr Shape kShapes[] = {
    {"chain", make_chain}, {"stack", bricks::make_stack}, {"wall", bricks::make_square_wall}};
constexpr double kTooLong = 0.5;  // s for one impact: no more contacts are tried

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// `longest` is what fewer contacts took, in seconds.
void resolve_impact(benchmark::State& state, const Shape& shape, const impact::Law& law,
                    double& longest) {
  if (longest > kTooLong) {
    state.SkipWithError("fewer contacts took too long");
    return;
  }
  const ContactProblem problem = shape.make(state.range(0));
  impact::ImpactWorkspace work;
  contact::Impulses impulses;
  const auto start = std::chrono::steady_clock::now();
  const impact::ImpactResult first = impact::resolve(law, problem, work, impulses);
  longest = seconds_since(start);
  if (first.status != impact::ImpactStatus::Resolved) {
    state.SkipWithError("did not end within its cap");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(impact::resolve(law, problem, work, impulses));
  }
  state.counters["contacts"] = static_cast<double>(problem.contacts.size());
  state.counters["iterations"] = first.iterations;
}

double dot(const ContactProblem& problem, const contact::ContactRow& i,
           const contact::ContactRow& j) {
  double sum = 0;
  for (const auto& [side_i, sign_i] : {std::pair{i.a, 1.0}, std::pair{i.b, -1.0}}) {
    for (const auto& [side_j, sign_j] : {std::pair{j.a, 1.0}, std::pair{j.b, -1.0}}) {
      if (side_i.block < 0 || side_i.block != side_j.block) continue;
      const contact::BodyBlock& block = problem.blocks[static_cast<std::size_t>(side_i.block)];
      const Vec3 turn = block.inverse_inertia * side_j.lever.cross(j.normal);
      sum += sign_i * sign_j *
             (block.inverse_mass * i.normal.dot(j.normal) + side_i.lever.cross(i.normal).dot(turn));
    }
  }
  return sum;
}

void solve_dense(benchmark::State& state, const Shape& shape) {
  const ContactProblem problem = shape.make(state.range(0));
  const auto count = static_cast<math::Index>(problem.contacts.size());
  math::MatBuffer matrix;
  math::VecBuffer rates, impulse;
  solvers::LemkeScratch scratch;
  const auto row = [&](math::Index i) -> const contact::ContactRow& {
    return problem.contacts[static_cast<std::size_t>(i)];
  };
  for (auto _ : state) {
    auto A = matrix.resize(count, count);
    auto q = rates.resize(count);
    for (math::Index i = 0; i < count; ++i) {
      q[i] = row(i).rate.x();
      for (math::Index j = 0; j < count; ++j) A(i, j) = dot(problem, row(i), row(j));
    }
    const auto result =
        solvers::solve_lemke(std::as_const(matrix).view(), std::as_const(rates).view(),
                             impulse.resize(count), scratch, {.max_pivots = 100'000});
    if (result.status != solvers::LemkeStatus::Solved) {
      state.SkipWithError("not solved");
      return;
    }
  }
  state.counters["contacts"] = static_cast<double>(count);
}

void grow(benchmark::internal::Benchmark* each, std::int64_t most) {
  for (std::int64_t contacts = 4; contacts <= most; contacts *= 4) each->Arg(contacts);
  each->MinTime(0.05)->Unit(benchmark::kMicrosecond);
}

void add(const std::string& name, const Shape& shape, const impact::Law& law, std::int64_t most) {
  const std::string full = "impact/" + std::string(shape.name) + "/" + name;
  const auto longest = std::make_shared<double>(0);
  const auto run = [&shape, law, longest](benchmark::State& state) {
    resolve_impact(state, shape, law, *longest);
  };
  grow(benchmark::RegisterBenchmark(full.c_str(), run), most);
}

bool add_all() {
  for (const Shape& shape : kShapes) {
    for (const impact::LawDescription& law : impact::laws()) {
      add(law.name, shape, law.make({}), 4096);
      const bool detects =
          std::any_of(law.settings.begin(), law.settings.end(),
                      [](const auto& setting) { return setting.key == "lineality"; });
      if (!detects) continue;
      model::MethodSettings blind;
      blind.options["lineality"] = false;
      add(law.name + "_blind", shape, law.make(blind), 4096);
    }
    const auto run = [&shape](benchmark::State& state) { solve_dense(state, shape); };
    const std::string name = "impact/" + std::string(shape.name) + "/dense_lemke";
    grow(benchmark::RegisterBenchmark(name.c_str(), run), 1024);
  }
  return true;
}

[[maybe_unused]] const bool added = add_all();

}  // namespace
