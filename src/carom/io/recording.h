// HDF5 recordings: states, events, forces, contacts, energies, audit, the scene itself with the
// files it names, version and settings, and checkpoints. Readable with h5py alone
// (docs/recordings.md lists the datasets) and by read_recording() of outputs.h. The file is flushed
// at every checkpoint, so that a killed run leaves one that opens; when a run ends it is
// compressed. The same run gives the same bytes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "carom/record/trace.h"

namespace carom::io {

class RecordingSink : public record::Sink {
 public:
  // A file that stands there stays until the run has ended; the new one is FILE.partial until then.
  RecordingSink(std::filesystem::path path, std::string scene_json, std::string version,
                std::vector<record::SceneFile> scene_files = {});
  ~RecordingSink() override;
  void begin(const Scene& scene) override;
  void output(const State& state) override;
  void event(const record::ContactEvent& event) override;
  void forces(double t, std::span<const record::CarriedForce> forces) override;
  void checkpoint(const record::Checkpoint& checkpoint) override;
  void end(const record::Summary& summary) override;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace carom::io
