// What one impact costs, law by law, as the contacts grow in number: a line of touching balls
// struck at one end (e = 1), a stack of boxes and a square wall of bricks that land (e = 0, four
// contacts to a face). Beside them the detection of lineality where there is nothing to detect, and
// the plain way: the dense matrix of the contacts and Lemke's pivoting.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "carom/methods/impact_laws.h"
#include "carom/solvers/lemke.h"

namespace {

using namespace carom;
using contact::ContactProblem;

// Bodies that all move alike, in contact; one island.
class Pile {
 public:
  int add_body(const Vec3& place, const Vec3& size, const Vec3& velocity) {
    const Vec3 squares = size.cwiseProduct(size);
    const Vec3 moments = (Vec3::Constant(squares.sum()) - squares) / 12;
    contact::BodyBlock block;
    block.id = id_of<BodyId>(places_.size());
    block.inverse_mass = 1;
    block.inverse_inertia = moments.cwiseInverse().asDiagonal();
    problem_.blocks.push_back(block);
    places_.push_back(place);
    velocities_.push_back(velocity);
    return static_cast<int>(places_.size()) - 1;
  }

  // The normal points from b to a; b = -1 is the floor.
  void add_contact(int a, int b, const Vec3& point, const Vec3& normal, double restitution) {
    const math::Tangents tangents = math::make_tangents(normal);
    contact::ContactRow row;
    row.a = side(a, point);
    row.b = side(b, point);
    row.normal = normal;
    row.tangent1 = tangents.first;
    row.tangent2 = tangents.second;
    row.restitution = restitution;
    const Vec3 relative = velocity(a) - velocity(b);
    row.rate = Vec3(normal.dot(relative), row.tangent1.dot(relative), row.tangent2.dot(relative));
    row.source = static_cast<std::int32_t>(problem_.contacts.size());
    problem_.contacts.push_back(row);
  }

  // Four corners of a level rectangle.
  void add_face(int a, int b, const Vec3& middle, const Vec3& size) {
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5})
        add_contact(a, b, middle + Vec3(x * size.x(), y * size.y(), 0), Vec3::UnitZ(), 0);
    }
  }

  ContactProblem finish() {
    problem_.islands = {{0, static_cast<std::int32_t>(problem_.contacts.size()), 0, 0}};
    return problem_;
  }

 private:
  contact::Side side(int body, const Vec3& point) const {
    if (body < 0) return {};
    return {body, point - places_[static_cast<std::size_t>(body)]};
  }
  Vec3 velocity(int body) const {
    return body < 0 ? Vec3::Zero() : velocities_[static_cast<std::size_t>(body)];
  }

  ContactProblem problem_;
  std::vector<Vec3> places_, velocities_;
};

ContactProblem make_chain(std::int64_t contacts) {
  Pile pile;
  pile.add_body(Vec3::Zero(), Vec3::Ones(), Vec3::UnitX());
  for (int i = 0; i < contacts; ++i) {
    pile.add_body(Vec3(i + 1, 0, 0), Vec3::Ones(), Vec3::Zero());
    pile.add_contact(i + 1, i, Vec3(i + 0.5, 0, 0), Vec3::UnitX(), 1);
  }
  return pile.finish();
}

ContactProblem make_stack(std::int64_t contacts) {
  Pile pile;
  for (int i = 0; 4 * i < contacts; ++i) {
    pile.add_body(Vec3(0, 0, i + 0.5), Vec3::Ones(), -Vec3::UnitZ());
    pile.add_face(i, i - 1, Vec3(0, 0, i), Vec3::Ones());
  }
  return pile.finish();
}

// Bricks of 2 x 1 x 1 in as many courses as there are bricks in one, each on the halves of two.
ContactProblem make_wall(std::int64_t contacts) {
  const double courses = 0.5 + std::sqrt(static_cast<double>(contacts) / 8 - 0.25);  // 8s² - 8s + 4
  const auto side = static_cast<int>(std::lround(courses));
  const Vec3 brick(2, 1, 1), half(1, 1, 0);
  Pile pile;
  for (int course = 0; course < side; ++course) {
    for (int i = 0; i < side; ++i) {
      const double x = 2 * i + course % 2;
      const int body = pile.add_body(Vec3(x, 0, course + 0.5), brick, -Vec3::UnitZ());
      if (course == 0) {
        pile.add_face(body, -1, Vec3(x, 0, 0), brick);
        continue;
      }
      const int below = body - side;
      const int other = course % 2 == 1 ? i + 1 : i - 1;
      const double towards = course % 2 == 1 ? 0.5 : -0.5;
      pile.add_face(body, below, Vec3(x - towards, 0, course), half);
      if (other >= 0 && other < side)
        pile.add_face(body, below + other - i, Vec3(x + towards, 0, course), half);
    }
  }
  return pile.finish();
}

struct Shape {
  const char* name;
  ContactProblem (*make)(std::int64_t contacts);
};
constexpr Shape kShapes[] = {{"chain", make_chain}, {"stack", make_stack}, {"wall", make_wall}};
constexpr double kTooLong = 0.5;  // s for one impact: no more contacts are tried

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// `longest` is what fewer contacts took, in seconds.
void resolve_impact(benchmark::State& state, const Shape& shape, const methods::Law& law,
                    double& longest) {
  if (longest > kTooLong) {
    state.SkipWithError("fewer contacts took too long");
    return;
  }
  const ContactProblem problem = shape.make(state.range(0));
  impact::ImpactWorkspace work;
  contact::Impulses impulses;
  const auto start = std::chrono::steady_clock::now();
  const impact::ImpactResult first = methods::resolve(law, problem, work, impulses);
  longest = seconds_since(start);
  if (first.status != impact::ImpactStatus::Resolved) {
    state.SkipWithError("did not end within its cap");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(methods::resolve(law, problem, work, impulses));
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

void add(const std::string& name, const Shape& shape, const methods::Law& law, std::int64_t most) {
  const std::string full = "impact/" + std::string(shape.name) + "/" + name;
  const auto longest = std::make_shared<double>(0);
  const auto run = [&shape, law, longest](benchmark::State& state) {
    resolve_impact(state, shape, law, *longest);
  };
  grow(benchmark::RegisterBenchmark(full.c_str(), run), most);
}

bool add_all() {
  for (const Shape& shape : kShapes) {
    for (const methods::LawDescription& law : methods::laws()) {
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
