// A thousand boxes and a thousand balls dropped into a container, with time-stepping and with
// Bullet in double precision: the same scene file, one thread each, Bullet with its usual step of
// 1/240 s and carom with twice that, at which its overlaps are still smaller. Time is that of
// the steps alone; the deepest overlap after each step is measured by one routine for both, outside
// of it, before and after the pile has come to rest.
#include <benchmark/benchmark.h>
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <ctime>
#include <memory>

#include "carom/base/workers.h"
#include "carom/contact/pairs.h"
#include "carom/io/scene_file.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"

namespace {

using namespace carom;

constexpr double kAtRestAfter = 4;         // s
constexpr double kBulletStep = 1.0 / 240;  // s; carom's is in the scene

Scene load(const std::string& name) {
  const auto file = std::string(CAROM_SOURCE_DIR) + "/benchmarks/piles/" + name + ".json";
  Scene scene = io::load_scene(file, {}, methods::catalog()).scene;
  scene.output_every = methods::step_of(scene);
  return scene;
}

struct Duration {
  double wall = 0, processor = 0;  // s
};

class Stopwatch {
 public:
  void go() {
    start_ = std::chrono::steady_clock::now();
    start_processor_ = std::clock();
  }
  void halt() {
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
    const auto ticks = static_cast<double>(std::clock() - start_processor_);
    total_.wall += wall.count();
    total_.processor += ticks / CLOCKS_PER_SEC;
  }
  const Duration& total() const { return total_; }

 private:
  std::chrono::steady_clock::time_point start_;
  std::clock_t start_processor_ = 0;
  Duration total_;
};

class Overlaps {
 public:
  explicit Overlaps(const Scene& scene) : workers_(1), pairs_(scene, workers_) {}

  void measure(const State& state) {
    const auto overlaps = pairs_.find_overlaps(state);
    const double depth = overlaps.empty() ? 0 : overlaps.front().depth;
    double& deepest = state.t < kAtRestAfter ? falling_ : at_rest_;
    deepest = std::max(deepest, depth);
  }
  void report(benchmark::State& state) const {
    state.counters["overlap_falling_mm"] = 1e3 * falling_;
    state.counters["overlap_at_rest_mm"] = 1e3 * at_rest_;
  }

 private:
  base::Workers workers_;
  contact::Pairs pairs_;
  double falling_ = 0, at_rest_ = 0;
};

void report_steps(benchmark::State& state, const Duration& duration, double steps) {
  state.SetIterationTime(duration.wall);
  state.counters["steps_per_second"] = steps / duration.wall;
  state.counters["steps_per_processor_second"] = steps / duration.processor;
}

class OverlapSink : public record::Sink {
 public:
  explicit OverlapSink(const Scene& scene) : overlaps(scene) {}
  void output(const State& state) override {
    watch.go();
    overlaps.measure(state);
    watch.halt();
  }
  Overlaps overlaps;
  Stopwatch watch;
};

void run_carom(benchmark::State& state, const std::string& name) {
  const Scene scene = load(name);
  for (auto _ : state) {
    simulation::Simulation simulation(scene, {.audit = false});
    OverlapSink sink(scene);
    simulation.add(sink);
    Stopwatch watch;
    watch.go();
    const record::Summary summary = simulation.run();
    watch.halt();
    if (!summary.finished) return state.SkipWithError(summary.reason.value_or("").c_str());
    const Duration all = watch.total(), measuring = sink.watch.total();
    report_steps(state, {all.wall - measuring.wall, all.processor - measuring.processor},
                 static_cast<double>(summary.counters.steps));
    state.counters["residual_m_per_s"] = summary.force_residual;
    sink.overlaps.report(state);
  }
}

btVector3 bullet_of(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 carom_of(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

// Bullet multiplies coefficients where carom's scenes give them for pairs.
constexpr double kFrictionOfEach = 0.70710678118654752;

class BulletPile {
 public:
  explicit BulletPile(const Scene& scene) : scene_(scene) {
    world_.setGravity(bullet_of(scene.gravity));
    const State state = dynamics::make_initial_state(scene);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) add(scene.bodies[i], state.bodies[i]);
  }
  ~BulletPile() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletPile(const BulletPile&) = delete;
  BulletPile& operator=(const BulletPile&) = delete;

  void step(double h) { world_.stepSimulation(h, 0); }

  void read(double t, State& out) const {
    out.t = t;
    out.bodies.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const btTransform& X = bodies_[i]->getWorldTransform();
      const btQuaternion q = X.getRotation();
      out.bodies[i] = {carom_of(X.getOrigin()), Quat(q.w(), q.x(), q.y(), q.z()),
                       carom_of(bodies_[i]->getLinearVelocity()),
                       carom_of(bodies_[i]->getAngularVelocity())};
    }
  }

 private:
  std::unique_ptr<btCollisionShape> make_shape(const geometry::Shape& shape) const {
    if (const auto* box = std::get_if<geometry::Box>(&shape)) {
      return std::make_unique<btBoxShape>(bullet_of(box->half));
    }
    if (const auto* ball = std::get_if<geometry::Sphere>(&shape)) {
      return std::make_unique<btSphereShape>(ball->radius);
    }
    const auto& plane = std::get<geometry::Plane>(shape);
    return std::make_unique<btStaticPlaneShape>(bullet_of(plane.normal), plane.offset);
  }

  void add(const Body& body, const BodyState& at) {
    shapes_.push_back(make_shape(body.shapes[0].shape));
    btVector3 inertia(0, 0, 0);
    const double mass = body.is_dynamic() ? body.mass : 0;
    if (mass > 0) shapes_.back()->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
    info.m_startWorldTransform =
        btTransform(btQuaternion(at.q.x(), at.q.y(), at.q.z(), at.q.w()), bullet_of(at.x));
    info.m_friction = kFrictionOfEach;
    info.m_restitution = 0;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    world_.addRigidBody(bodies_.back().get());
  }

  const Scene& scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

void run_bullet(benchmark::State& state, const std::string& name) {
  const Scene scene = load(name);
  const double h = kBulletStep;
  const int steps = static_cast<int>(std::lround(scene.duration / h));
  for (auto _ : state) {
    BulletPile pile(scene);
    Overlaps overlaps(scene);
    Stopwatch watch;
    State now;
    for (int i = 1; i <= steps; ++i) {
      watch.go();
      pile.step(h);
      watch.halt();
      pile.read(i * h, now);
      overlaps.measure(now);
    }
    report_steps(state, watch.total(), steps);
    overlaps.report(state);
  }
}

// Over the last steps of a pile that Bullet brought to rest.
void find_contacts_of(benchmark::State& state, const std::string& name) {
  const Scene scene = load(name);
  const double h = methods::step_of(scene);
  BulletPile pile(scene);
  std::vector<State> last(64);
  double t = 0;
  for (; t < scene.duration; t += h) pile.step(h);
  for (State& one : last) {
    pile.step(h);
    pile.read(t, one);
  }
  base::Workers workers(1);
  contact::Pairs pairs(scene, workers);
  contact::ContactSet found;
  std::size_t i = 0;
  for (auto _ : state) pairs.find_near_contacts(last[i++ % last.size()], h, found);
  state.counters["contacts"] = static_cast<double>(found.size());
}

#define PILE(run, name, scene)          \
  BENCHMARK_CAPTURE(run, scene, #scene) \
      ->Name(name)                      \
      ->UseManualTime()                 \
      ->Iterations(1)                   \
      ->Unit(benchmark::kSecond)

PILE(run_carom, "pile/boxes/carom", boxes);
PILE(run_bullet, "pile/boxes/bullet", boxes);
PILE(run_carom, "pile/balls/carom", balls);
PILE(run_bullet, "pile/balls/bullet", balls);
BENCHMARK_CAPTURE(find_contacts_of, boxes, "boxes")->Name("pile/boxes/contacts")->Iterations(1000);
BENCHMARK_CAPTURE(find_contacts_of, balls, "balls")->Name("pile/balls/contacts")->Iterations(1000);

}  // namespace
