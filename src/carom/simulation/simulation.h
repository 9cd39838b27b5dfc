// The front door: a scene, its method, and whoever wants to know. Runs, stops cleanly when asked,
// and goes on from a checkpoint bit for bit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/base/watch.h"
#include "carom/model/method_settings.h"
#include "carom/record/sink.h"
#include "carom/record/trace.h"

namespace carom::simulation {

std::string version();
const model::MethodCatalog& catalog();  // of the methods there are, for io::load_scene()

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

class Simulation {
 public:
  // The scene must outlive the simulation. Throws base::BadInput when the method cannot run it, or
  // when bodies overlap at the start.
  explicit Simulation(const Scene& scene, const RunOptions& options = {});
  explicit Simulation(Scene&& scene, const RunOptions& options = {}) = delete;
  ~Simulation();

  void add(record::Sink& sink);

  // From t = 0, or from a recording's last checkpoint after telling the sinks what came before; a
  // request to stop during that throws base::Stopped. One in mid-step ends the run with the last
  // checkpoint before the step to go on from.
  record::Summary run();
  record::Summary resume(const record::Trace& past);

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace carom::simulation
