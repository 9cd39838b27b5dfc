// The front door: a scene, its method, and whoever wants to know. Runs, stops cleanly when asked,
// and goes on from a checkpoint bit for bit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/audit/audit.h"
#include "carom/base/workers.h"
#include "carom/methods/stepper.h"
#include "carom/record/recorder.h"
#include "carom/record/trace.h"
#include "carom/simulation/step_error.h"

namespace carom::simulation {

std::string version();

struct RunOptions {
  int threads = 1;
  base::Watch* watch = nullptr;  // tells how far the run has come, and can stop it within a step
  bool audit = true;             // without it the summary's audit is empty
  record::JudgedNumbers tolerated = record::kAsPromised;  // limits instead of the method's
  std::vector<std::string> notes{};                       // first among the summary's
  bool step_error =
      true;  // without it the length of the step is not judged; automatic steps need it
};

class Simulation {
 public:
  // The scene must outlive the simulation. Throws base::BadInput when the method cannot run it, or
  // when bodies overlap at the start.
  explicit Simulation(const Scene& scene, const RunOptions& options = {});

  void add(record::Sink& sink) { recorder_.add(sink); }

  // From t = 0, or from a recording's last checkpoint after telling the sinks what came before; a
  // request to stop during that throws base::Stopped. One in mid-step ends the run with the last
  // checkpoint before the step to go on from.
  record::Summary run();
  record::Summary resume(const record::Trace& past);

 private:
  void refuse_overlap();
  void replay(const record::Trace& past);
  void replay_forces(const record::Trace& past, double t, std::size_t& next);
  record::Summary advance_to_end();
  methods::AdvanceResult advance_one_step();
  double end_of_step() const;
  void choose_step();
  void set_step(double length);
  bool is_checkpoint_due() const;
  void write_checkpoint(std::int64_t sequence);
  std::string remember() const;
  void recall(std::string_view bytes);
  record::Summary summarise(const methods::AdvanceResult& last) const;

  const Scene& scene_;
  std::vector<std::string> notes_;
  bool judges_step_;
  base::Workers workers_;
  record::Recorder recorder_;
  audit::Audit audit_;
  record::JudgedNumbers tolerated_;
  methods::Stepper stepper_;
  StepError step_error_;
  struct {              // automatic steps: number `count` ends at from + count · length
    double length = 0;  // s; 0: not yet chosen
    double from = 0;    // s
    std::int64_t count = 0;
  } automatic_;
  State state_, last_good_;
  std::string memory_;  // the stepper's, before a step
  std::int64_t checkpoints_ = 0;
  std::int64_t outputs_at_checkpoint_ = 0;
  double wall_seconds_ = 0;
};

}  // namespace carom::simulation
