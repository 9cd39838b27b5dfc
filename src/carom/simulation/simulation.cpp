#include "carom/simulation/simulation.h"

#include "carom/simulation/run.h"

namespace carom::simulation {

std::string version() { return CAROM_VERSION; }

const model::MethodCatalog& catalog() { return methods::catalog(); }

namespace {

Scene with_method(Scene scene, model::MethodSettings method) {
  scene.method = std::move(method);
  return scene;
}

}  // namespace

Simulation::Simulation(Scene scene, const RunOptions& options)
    : run_(std::make_unique<Run>(std::move(scene), options)) {}
Simulation::Simulation(Scene scene, const MethodOptions& method, const RunOptions& options)
    : Simulation(with_method(std::move(scene), settings_of(method)), options) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Scene& Simulation::scene() const { return run_->scene(); }
void Simulation::add(record::Sink& sink) { run_->add(sink); }

record::Summary Simulation::run() { return run_->run(); }
record::Summary Simulation::resume(const record::Trace& past) { return run_->resume(past); }

Progress Simulation::step() { return run_->step(); }
Progress Simulation::advance_to(double t) { return run_->advance_to(t); }
Progress Simulation::advance_to_next_event(double latest) {
  return run_->advance_to_next_event(latest);
}

double Simulation::time() const { return run_->state().t; }
const State& Simulation::state() const { return run_->state(); }
void Simulation::set_state(const State& state) { run_->set_state(state); }

void Simulation::apply_wrench(BodyId body, const AppliedWrench& wrench, Lasting lasting) {
  run_->apply_wrench(body, wrench, lasting);
}
void Simulation::set_force_law(std::vector<BodyId> bodies, dynamics::ForceLaw law) {
  run_->set_force_law(std::move(bodies), std::move(law));
}

std::span<const record::ContactEvent> Simulation::events() const {
  return run_->last_call().events();
}
std::span<const record::CarriedForce> Simulation::forces() const { return run_->forces(); }
const contact::ContactSet& Simulation::contacts() { return run_->contacts(); }
record::Summary Simulation::summary() const { return run_->summarise(); }

std::string Simulation::save() { return run_->save(); }
void Simulation::restore(std::string_view bytes) { run_->restore(bytes); }

}  // namespace carom::simulation
