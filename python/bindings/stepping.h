// A simulation that Python steps: with the scene's text, whoever listens, and the watch by which it
// is stopped. Time moves on without the interpreter's lock; Ctrl-C is heard; one thread at a time.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.h"
#include "carom/record/trace.h"
#include "carom/simulation/queries.h"
#include "carom/simulation/simulation.h"

namespace carom::python {

// Time cannot go on; the state is the last good one.
struct CannotGoOn : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Lets Python hear a signal now and then, and asks the run to stop where its handler raises.
class Interrupts : public record::Sink {
 public:
  explicit Interrupts(base::Watch& watch) : watch_(watch) {}
  bool reads_outputs() const override { return false; }
  void event(const record::ContactEvent& /*event*/) override { hear(); }
  void segment(const record::Segment& /*segment*/) override { hear(); }
  void frame(const record::Frame& /*frame*/) override { hear(); }

 private:
  using Clock = std::chrono::steady_clock;

  void hear();

  base::Watch& watch_;
  Clock::time_point heard_ = Clock::now();
};

struct SteppingOptions {
  int threads = 1;
  std::string audit;
  bool step_error = true;
  std::map<std::string, double> tolerate;
};

class Stepping {
 public:
  Stepping(std::shared_ptr<const io::LoadedScene> loaded, SteppingOptions options);

  const std::shared_ptr<const io::LoadedScene>& loaded() const { return loaded_; }
  const SteppingOptions& options() const { return options_; }
  bool has_files() const { return !files_.empty(); }
  const simulation::Simulation& get() const { return simulation_; }
  const simulation::Queries& queries();

  void keep() { simulation_.add(kept_.emplace()); }
  void add(std::unique_ptr<record::Sink> file);

  void step();
  void advance_to(double t);
  void advance_to_next_event(double latest);
  void set_state(const State& state);
  void stop() { watch_.stop = true; }
  nb::object run();
  nb::object resume(const Recording& past);

  void apply_wrench(BodyId body, const simulation::AppliedWrench& wrench,
                    simulation::Lasting lasting);
  // On the first body of a hinge or a slider about or along its axis, and the opposite on the other
  // one; to the end of the next call.
  void apply_joint_force(std::size_t joint, double force);
  // `law` is borrowed: whoever sets it keeps it alive. What it raises ends the call and comes out
  // of it.
  void set_force_law(std::vector<BodyId> bodies, nb::handle law);

  nb::object contacts();
  nb::object summary() const { return make_summary(current_summary()); }
  Recording recording() const;

  std::string save();
  void restore(const std::string& bytes);

 private:
  template <typename Call>
  void alone(const Call& call);
  template <typename Call>
  void move(const Call& call);
  template <typename Call>
  nb::object end(const Call& call);

  Wrench ask(nb::handle law, BodyId body, const State& state);
  void push(BodyId body, const simulation::AppliedWrench& wrench);
  record::Summary current_summary() const { return end_ ? *end_ : simulation_.summary(); }

  std::shared_ptr<const io::LoadedScene> loaded_;
  SteppingOptions options_;
  base::Watch watch_;
  Interrupts interrupts_;
  std::optional<record::TraceSink> kept_;
  std::vector<std::unique_ptr<record::Sink>> files_;
  std::atomic<bool> taken_ = false;
  std::exception_ptr raised_;  // by a law; guarded by the interpreter's lock
  std::optional<record::Summary> end_;
  simulation::Simulation simulation_;
  std::optional<simulation::Queries> queries_;
};

void bind_forces(nb::class_<Stepping>& simulation);
void bind_queries(nb::module_& module, nb::class_<Stepping>& simulation);

}  // namespace carom::python
