#include "stepping.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <utility>

#include "carom/dynamics/joint_axis.h"

namespace carom::python {

namespace {

using io::LoadedScene;

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

simulation::RunOptions run_options(const SteppingOptions& options, base::Watch& watch) {
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

// One call at a time: another thread may hold the interpreter while this one computes.
class Turn {
 public:
  explicit Turn(std::atomic<bool>& taken) : taken_(taken) {
    if (taken_.exchange(true))
      throw std::runtime_error("another thread, or a law of forces, is using this simulation");
  }
  ~Turn() { taken_ = false; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic<bool>& taken_;
};

}  // namespace

void Interrupts::hear() {
  constexpr std::chrono::milliseconds kOften{50};
  const Clock::time_point now = Clock::now();
  if (now - heard_ < kOften) return;
  heard_ = now;
  const nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) watch_.stop = true;
}

Stepping::Stepping(std::shared_ptr<const LoadedScene> loaded, SteppingOptions options)
    : loaded_(std::move(loaded)),
      options_(std::move(options)),
      interrupts_(watch_),
      simulation_(loaded_->scene, run_options(options_, watch_)) {
  simulation_.add(interrupts_);
}

template <typename Call>
void Stepping::alone(const Call& call) {
  const Turn turn(taken_);
  watch_.stop = false;
  {
    const nb::gil_scoped_release release;
    call();
  }
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  if (PyErr_Occurred() != nullptr) throw nb::python_error();  // of a signal's handler
}

template <typename Call>
void Stepping::move(const Call& call) {
  if (end_) throw std::runtime_error("the run has ended: run() told its files the end");
  simulation::Progress progress;
  alone([&] { progress = call(); });
  if (!progress.ok) throw CannotGoOn(progress.reason);
}

template <typename Call>
nb::object Stepping::end(const Call& call) {
  if (end_) throw std::runtime_error("the run has ended: run() told its files the end");
  alone([&] { end_ = call(); });
  return make_summary(*end_);
}

const simulation::Queries& Stepping::queries() {
  if (!queries_) queries_.emplace(simulation_.scene());
  return *queries_;
}

void Stepping::add(std::unique_ptr<record::Sink> file) {
  simulation_.add(*file);
  files_.push_back(std::move(file));
}

void Stepping::step() {
  move([this] { return simulation_.step(); });
}
void Stepping::advance_to(double t) {
  move([=, this] { return simulation_.advance_to(t); });
}
void Stepping::advance_to_next_event(double latest) {
  move([=, this] { return simulation_.advance_to_next_event(latest); });
}
void Stepping::set_state(const State& state) {
  alone([&] { simulation_.set_state(state); });
}
nb::object Stepping::run() {
  return end([this] { return simulation_.run(); });
}
nb::object Stepping::resume(const Recording& past) {
  return end([&] { return simulation_.resume(past.trace); });
}

void Stepping::apply_wrench(BodyId body, const simulation::AppliedWrench& wrench,
                            simulation::Lasting lasting) {
  alone([&] { simulation_.apply_wrench(body, wrench, lasting); });
}

void Stepping::push(BodyId body, const simulation::AppliedWrench& wrench) {
  if (simulation_.scene().body(body).is_dynamic()) simulation_.apply_wrench(body, wrench);
}

void Stepping::apply_joint_force(std::size_t number, double force) {
  const model::Joint& joint = simulation_.scene().joints[number];
  if (!dynamics::has_axis(joint.type))
    refuse("apply_joint_force(): joint \"" + joint.name + '"', "a joint without an axis",
           "a hinge or a slider");
  const dynamics::JointRow row = dynamics::compute_axis_row(joint, simulation_.state());
  alone([&] {
    if (joint.type == model::JointType::Hinge) {
      push(joint.a, {.torque = force * row.angular_a});
      push(joint.b, {.torque = force * row.angular_b});
    } else {
      const BodyState& a = simulation_.state()[joint.a];
      const Vec3 anchor = a.x + a.q * joint.X_AJ.p;
      push(joint.a, {.force = force * row.linear_a, .point = anchor});
      push(joint.b, {.force = force * row.linear_b, .point = anchor});
    }
  });
}

void Stepping::set_force_law(std::vector<BodyId> bodies, nb::handle law) {
  dynamics::ForceLaw asked;
  if (!law.is_none())
    asked = [this, law](BodyId body, const State& state) { return ask(law, body, state); };
  alone([&] { simulation_.set_force_law(std::move(bodies), std::move(asked)); });
}

// What goes wrong in a law must not pass through a method: it waits until the call has ended.
Wrench Stepping::ask(nb::handle law, BodyId body, const State& state) {
  const nb::gil_scoped_acquire acquire;
  if (raised_ || PyErr_Occurred() != nullptr) return {};
  try {
    const auto [force, torque] = wrench_of(law(index(body), State(state)));
    return {force, torque, torque.norm()};
  } catch (const std::exception&) {
    raised_ = std::current_exception();
    watch_.stop = true;
  }
  return {};
}

nb::object Stepping::contacts() {
  const contact::ContactSet* found = nullptr;
  alone([&] { found = &simulation_.contacts(); });
  return make_rows(std::span<const contact::Contact>(*found));
}

Recording Stepping::recording() const {
  if (!kept_) refuse("recording()", "a simulation that keeps nothing", "Simulation(…, keep=True)");
  Recording recording{loaded_, kept_->trace(), current_summary()};
  recording.trace.version = simulation::version();
  recording.trace.scene_json = loaded_->json;
  recording.trace.scene_files = loaded_->files;
  return recording;
}

std::string Stepping::save() {
  std::string bytes;
  alone([&] { bytes = simulation_.save(); });
  return bytes;
}
void Stepping::restore(const std::string& bytes) {
  alone([&] { simulation_.restore(bytes); });
}

}  // namespace carom::python
