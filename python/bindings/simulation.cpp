// Simulations that Python steps. Time moves on without the interpreter's lock; Ctrl-C is heard.
#include "carom/simulation/simulation.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "bindings.h"
#include "carom/io/outputs.h"

namespace carom::python {

namespace {

namespace fs = std::filesystem;
using io::LoadedScene;

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

  void hear() {
    constexpr std::chrono::milliseconds kOften{50};
    const Clock::time_point now = Clock::now();
    if (now - heard_ < kOften) return;
    heard_ = now;
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) watch_.stop = true;
  }

  base::Watch& watch_;
  Clock::time_point heard_ = Clock::now();
};

struct Options {
  int threads = 1;
  std::string audit;
  bool step_error = true;
  std::map<std::string, double> tolerate;
};

record::JudgedNumbers limits_of(const std::map<std::string, double>& tolerate) {
  record::JudgedNumbers limits = record::kAsPromised;
  std::vector<std::string> names;
  for (const record::JudgedName& known : record::kJudgedNames) names.emplace_back(known.key);
  for (const auto& [name, limit] : tolerate) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      throw base::BadInput({{.place = "tolerate",
                             .found = '"' + name + '"',
                             .expected = "one of the names of the summary's audit",
                             .hint = base::find_nearest_name(name, names)}});
    if (!(limit >= 0)) refuse("tolerate: " + name, std::to_string(limit), "a number >= 0");
    limits[static_cast<std::size_t>(found - names.begin())] = limit;
  }
  return limits;
}

simulation::RunOptions run_options(const Options& options, base::Watch& watch) {
  const auto& names = record::kAuditCoverageNames;
  if (std::ranges::find(names, options.audit) == names.end())
    refuse("audit", '"' + options.audit + '"', "\"full\", \"sampled\" or \"off\"");
  if (options.threads < 1 || options.threads > 1024)
    refuse("threads", std::to_string(options.threads), "a number from 1 to 1024");
  return {.threads = options.threads,
          .watch = &watch,
          .audit = options.audit != "off",
          .samples_audit = options.audit == "sampled",
          .tolerated = limits_of(options.tolerate),
          .step_error = options.step_error};
}

// A simulation with the scene's text, whoever listens, and the watch, which must live as long.
class Stepping {
 public:
  Stepping(std::shared_ptr<const LoadedScene> loaded, Options options)
      : loaded_(std::move(loaded)),
        options_(std::move(options)),
        interrupts_(watch_),
        simulation_(loaded_->scene, run_options(options_, watch_)) {
    simulation_.add(interrupts_);
  }

  const std::shared_ptr<const LoadedScene>& loaded() const { return loaded_; }
  const Options& options() const { return options_; }
  bool has_files() const { return !files_.empty(); }
  const simulation::Simulation& get() const { return simulation_; }

  void keep() { simulation_.add(kept_.emplace()); }
  void add(std::unique_ptr<record::Sink> file) {
    simulation_.add(*file);
    files_.push_back(std::move(file));
  }

  void step() {
    move([this] { return simulation_.step(); });
  }
  void advance_to(double t) {
    move([=, this] { return simulation_.advance_to(t); });
  }
  void advance_to_next_event(double latest) {
    move([=, this] { return simulation_.advance_to_next_event(latest); });
  }
  void set_state(const State& state) {
    alone([&] { simulation_.set_state(state); });
  }

  void stop() { watch_.stop = true; }

  nb::object run() {
    return end([this] { return simulation_.run(); });
  }
  nb::object resume(const Recording& past) {
    return end([&] { return simulation_.resume(past.trace); });
  }

  nb::object contacts() {
    const contact::ContactSet* found = nullptr;
    alone([&] { found = &simulation_.contacts(); });
    return make_rows(std::span<const contact::Contact>(*found));
  }
  nb::object summary() const { return make_summary(current_summary()); }
  Recording recording() const {
    if (!kept_)
      refuse("recording()", "a simulation that keeps nothing", "Simulation(…, keep=True)");
    Recording recording{loaded_, kept_->trace(), current_summary()};
    recording.trace.version = simulation::version();
    recording.trace.scene_json = loaded_->json;
    recording.trace.scene_files = loaded_->files;
    return recording;
  }

  std::string save() {
    std::string bytes;
    alone([&] { bytes = simulation_.save(); });
    return bytes;
  }
  void restore(const std::string& bytes) {
    alone([&] { simulation_.restore(bytes); });
  }

 private:
  // One call at a time: another thread may hold the interpreter while this one computes.
  class Turn {
   public:
    explicit Turn(std::atomic<bool>& taken) : taken_(taken) {
      if (taken_.exchange(true))
        throw std::runtime_error("another thread is using this simulation");
    }
    ~Turn() { taken_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    std::atomic<bool>& taken_;
  };

  template <typename Call>
  void alone(const Call& call) {
    const Turn turn(taken_);
    watch_.stop = false;
    {
      const nb::gil_scoped_release release;
      call();
    }
    if (PyErr_Occurred() != nullptr) throw nb::python_error();  // of a signal's handler
  }

  template <typename Call>
  void move(const Call& call) {
    if (end_) throw std::runtime_error("the run has ended: run() told its files the end");
    simulation::Progress progress;
    alone([&] { progress = call(); });
    if (!progress.ok) throw CannotGoOn(progress.reason);
  }

  template <typename Call>
  nb::object end(const Call& call) {
    if (end_) throw std::runtime_error("the run has ended: run() told its files the end");
    alone([&] { end_ = call(); });
    return make_summary(*end_);
  }

  record::Summary current_summary() const { return end_ ? *end_ : simulation_.summary(); }

  std::shared_ptr<const LoadedScene> loaded_;
  Options options_;
  base::Watch watch_;
  Interrupts interrupts_;
  std::optional<record::TraceSink> kept_;
  std::vector<std::unique_ptr<record::Sink>> files_;
  std::atomic<bool> taken_ = false;
  std::optional<record::Summary> end_;
  simulation::Simulation simulation_;
};

// A view of what the simulation has now, which follows it; nobody may write.
template <Vec3 BodyState::* member>
auto view(nb::handle_t<Stepping> self) {
  const std::vector<BodyState>& bodies = nb::cast<const Stepping&>(self).get().state().bodies;
  return view_of((bodies.front().*member).data(), bodies.size(), self);
}

void make(Stepping* self, const std::shared_ptr<LoadedScene>& scene, int threads,
          const std::string& audit, bool step_error,
          const std::map<std::string, double>& tolerate) {
  new (self) Stepping(scene, {threads, audit, step_error, tolerate});
}

nb::tuple state_of(Stepping& self) {
  if (self.has_files())
    refuse("pickle", "a simulation that writes files", "one without: files cannot go elsewhere");
  const std::string bytes = self.save();
  const Options& options = self.options();
  nb::dict tolerate;
  for (const auto& [name, limit] : options.tolerate) tolerate[name.c_str()] = limit;
  return nb::make_tuple(options.threads, options.audit, options.step_error, tolerate,
                        nb::bytes(bytes.data(), bytes.size()));
}

void bind_time(nb::class_<Stepping>& simulation) {
  simulation
      .def("step", &Stepping::step,
           "One step of the method, as run() would make it; also beyond the duration.")
      .def("advance_to", &Stepping::advance_to, nb::arg("t"),
           "To t (s) exactly. A step that it cuts is shorter than the method would make it.")
      .def("advance_to_next_event", &Stepping::advance_to_next_event, nb::arg("latest"),
           "To just after the next event of any kind, or to `latest` (s) if there is none before.")
      .def("run", &Stepping::run,
           "To the scene's duration; files are then complete, and nothing can follow. Gives the\n"
           "summary.")
      .def("stop", &Stepping::stop,
           "From another thread: ends the call that moves time on, within its step.")
      .def("_resume", &Stepping::resume, nb::arg("past"))
      .def_prop_ro("time", [](const Stepping& self) { return self.get().time(); }, "s");
}

void bind_state(nb::class_<Stepping>& simulation) {
  simulation
      .def_prop_ro("position", &view<&BodyState::x>,
                   "Centres of mass now, n x 3, m: a view that follows the simulation, read-only.")
      .def_prop_ro("velocity", &view<&BodyState::v>,
                   "Of the centres of mass, n x 3, m/s: such a view.")
      .def_prop_ro("angular_velocity", &view<&BodyState::w>,
                   "World frame, n x 3, rad/s: such a view.")
      .def_prop_ro(
          "orientation",
          [](const Stepping& self) { return nb::cast(make_orientations(self.get().state())); },
          "Unit quaternions [w, x, y, z], body to world, n x 4: a copy.")
      .def(
          "state", [](const Stepping& self) { return State(self.get().state()); },
          "A copy of the state, to change and to hand to set_state().")
      .def(
          "set_state", &Stepping::set_state, nb::arg("state"),
          "Puts bodies elsewhere or gives them other velocities; the time stays. What comes in of\n"
          "energy and momentum is booked as work from outside. Overlaps are refused.")
      .def(
          "save",
          [](Stepping& self) {
            const std::string bytes = self.save();
            return nb::bytes(bytes.data(), bytes.size());
          },
          "Bytes from which restore() goes on bit for bit.")
      .def(
          "restore",
          [](Stepping& self, const nb::bytes& bytes) {
            self.restore(std::string(bytes.c_str(), bytes.size()));
          },
          nb::arg("saved"),
          "Goes on from what save() gave, in this simulation or another of the same scene,\n"
          "options and version. Files are told nothing of it.");
}

void bind_questions(nb::class_<Stepping>& simulation) {
  simulation
      .def("contacts", &Stepping::contacts,
           "Where bodies touch now: a structured array of body_a, body_b, point (m), normal (from "
           "b\n"
           "to a), gap (m), approach_rate (m/s), restitution, friction.")
      .def(
          "events", [](const Stepping& self) { return make_rows(self.get().events()); },
          "Events of the last call that moved time on: time (s), event (a number in\n"
          "carom.EVENTS), body_a, body_b, point (m), normal (from b to a), approach_speed and\n"
          "separation_speed (m/s), impulse (N s, on a).")
      .def(
          "forces", [](const Stepping& self) { return make_rows(self.get().forces()); },
          "Forces at the end of that call, a row for each contact and each joint: joint (-1 for a\n"
          "contact), body_a, body_b, point (m), force (N, on a), torque (N m, on a).")
      .def("summary", &Stepping::summary,
           "Counters and the audit's verdict so far, as docs/outputs.md describes them.")
      .def("_recording", &Stepping::recording);
}

}  // namespace

void bind_simulation(nb::module_& module) {
  nb::exception<CannotGoOn>(module, "CannotGoOn", PyExc_RuntimeError);
  module.attr("__version__") = simulation::version();
  nb::class_<Stepping> simulation(module, "Stepping", "A scene, its method, and time.");
  simulation
      .def("__init__", &make, nb::arg("scene"), nb::arg("threads"), nb::arg("audit"),
           nb::arg("step_error"), nb::arg("tolerate"), nb::call_guard<nb::gil_scoped_release>())
      .def("_keep", &Stepping::keep)
      .def("_add_file",
           [](Stepping& self, const fs::path& path) {
             self.add(io::make_output(path, *self.loaded(), simulation::version()));
           })
      .def("_add_events",
           [](Stepping& self, const fs::path& path) { self.add(io::make_events_csv(path)); })
      .def("_add_forces",
           [](Stepping& self, const fs::path& path) { self.add(io::make_forces_csv(path)); })
      .def("_add_contacts",
           [](Stepping& self, const fs::path& path) { self.add(io::make_contacts_csv(path)); })
      .def("_state_of_pickle", &state_of);
  bind_time(simulation);
  bind_state(simulation);
  bind_questions(simulation);
}

}  // namespace carom::python
