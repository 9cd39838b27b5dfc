// A run in memory: what an HDF5 recording holds, and what --resume replays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/record/sink.h"

namespace carom::record {

// A contact's or a joint's force at an output time.
struct ForceAt {
  double t = 0;
  CarriedForce force;
};

// A file that the scene names: the points of a hull, the triangles of a mesh.
struct SceneFile {
  std::string name;  // as the scene has it
  std::string bytes;
};

struct Trace {
  std::string version;     // carom's, when it recorded this
  std::string scene_json;  // the scene as run, overrides applied
  std::vector<SceneFile> scene_files;
  std::vector<State> outputs;
  std::vector<std::size_t> events_before;  // per output: how many events had been recorded by then
  std::vector<ContactEvent> events;
  std::vector<ForceAt> forces;            // sorted by the outputs' times
  std::optional<Checkpoint> checkpoint;   // the last one
  std::size_t outputs_at_checkpoint = 0;  // how much of the above it covers
  std::size_t events_at_checkpoint = 0;
};

// Keeps everything; for tests, bindings and short runs.
class TraceSink : public Sink {
 public:
  void output(const State& state) override;
  void event(const ContactEvent& event) override;
  void forces(double t, std::span<const CarriedForce> forces) override;
  void checkpoint(const Checkpoint& checkpoint) override;
  void end(const Summary& summary) override;
  const Trace& trace() const { return trace_; }
  const Summary& summary() const { return summary_; }

 private:
  Trace trace_;
  Summary summary_;
};

}  // namespace carom::record
