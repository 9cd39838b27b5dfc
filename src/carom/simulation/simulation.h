// The front door: a scene, its method, and whoever wants to know. Runs to the scene's end or step
// by step, stops cleanly when asked, and goes on from a checkpoint bit for bit.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/watch.h"
#include "carom/contact/contact_set.h"
#include "carom/dynamics/wrench.h"
#include "carom/model/method_settings.h"
#include "carom/record/sink.h"
#include "carom/record/trace.h"
#include "carom/simulation/options.h"

namespace carom::simulation {

std::string version();
const model::MethodCatalog& catalog();  // all methods, for io::load_scene()

struct RunOptions {
  int threads = 1;
  base::Watch* watch = nullptr;  // tells how far the run has come, and can stop it within a step
  bool audit = true;             // without it the summary's audit is empty
  bool samples_audit = false;    // whether bodies overlap is judged in one of ten flights of pairs
  record::JudgedNumbers tolerated = record::kAsPromised;  // limits instead of the method's
  std::vector<std::string> notes{};                       // first among the summary's
  bool step_error =
      true;  // without it the length of the step is not judged; automatic steps need it
};

// Success, where time went on as asked; else the state is the last good one.
struct [[nodiscard]] Progress {
  bool ok = true;
  std::string reason{};  // at what time, between which bodies, why, and what to try
};

// A force and a couple on a body, world axes. The force acts at `point`, which is in the world now
// and goes with the body from then on; without one at the centre of mass.
struct AppliedWrench {
  Vec3 force = Vec3::Zero();   // N
  Vec3 torque = Vec3::Zero();  // N m
  std::optional<Vec3> point{};
};
enum class Lasting {
  OneCall,       // to the end of the next step(), advance_to() or advance_to_next_event(); adds up
  UntilChanged,  // until another such takes its place; zero ends it
};

class Run;

class Simulation {
 public:
  // Throws base::BadInput when the method cannot run the scene, or when bodies overlap at the
  // start.
  explicit Simulation(Scene scene, const RunOptions& options = {});
  // Runs under this method instead of the scene's: Simulation(scene, ZenoFree{.step = 1e-3}).
  Simulation(Scene scene, const MethodOptions& method, const RunOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const Scene& scene() const;
  void add(record::Sink& sink);  // before time moves on; must outlive all that moves it

  // Goes to the scene's end from where it is, or from a recording's last checkpoint after telling
  // the sinks what came before; a request to stop during that throws base::Stopped. One in mid-step
  // ends the run with the last checkpoint before the step to go on from. The sinks are told the
  // end: nothing can follow.
  record::Summary run();
  record::Summary resume(const record::Trace& past);

  // One step of the method, as run() would make it; also beyond the scene's duration. A step of
  // methods without steps of one length ends where they choose, at the next output at the latest.
  Progress step();
  // Goes to t exactly. A step that it cuts is shorter than the method would make it; times at which
  // a step ends anyway change nothing.
  Progress advance_to(double t);
  // Goes to just after the next event of any kind, or to `latest` where none comes before. Events
  // of `time-stepping` happen at the ends of its steps.
  Progress advance_to_next_event(double latest);

  double time() const;
  const State& state() const;
  // Puts bodies where they are in `state`, with the velocities they have there; the time stays.
  // What the method remembers of contacts is forgotten, and the energy and momentum that come in
  // are booked as a driven body's work. Throws base::BadInput for a state that is not of this scene
  // or in which bodies overlap.
  void set_state(const State& state);

  // Pushes a dynamic body. It acts at every evaluation under `analytic` and `elastic`, else as
  // of the middle of a step, constant over it.
  void apply_wrench(BodyId body, const AppliedWrench& wrench, Lasting lasting = Lasting::OneCall);
  // A law that is asked for the force on each of the bodies, at its centre of mass, and the torque
  // about it, world axes. It must depend on the body and the state alone: methods ask it for states
  // that they only try, and again for the same. An empty one ends it.
  void set_force_law(std::vector<BodyId> bodies, dynamics::ForceLaw law);

  // Events of the last call of step(), advance_to() or advance_to_next_event(), and
  // the forces at its end, one for each contact and each joint; none of methods whose forces are
  // collisions. Valid until the next call.
  std::span<const record::ContactEvent> events() const;
  std::span<const record::CarriedForce> forces() const;
  // The contacts at this moment. Valid until the next call.
  const contact::ContactSet& contacts();
  record::Summary summary() const;  // the summary of a run that ended now

  // All that going on bit for bit needs, for another Simulation of the same scene and options, or
  // this one. Sinks are told nothing of it. restore() throws base::BadInput for bytes that save()
  // of such a simulation has not written.
  std::string save();
  void restore(std::string_view bytes);

 private:
  std::unique_ptr<Run> run_;
};

}  // namespace carom::simulation
