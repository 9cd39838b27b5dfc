// The files that a scene names, from the folder the scene lies in or from the recording that
// carries them; keeps what was read, for recordings.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "carom/io/file_bytes.h"
#include "carom/record/trace.h"

namespace carom::io {

class SceneFiles {
 public:
  explicit SceneFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
  explicit SceneFiles(const std::vector<record::SceneFile>& recorded) : recorded_(&recorded) {}

  FileBytes read(const std::string& name);
  // In the order of the scene, each once.
  const std::vector<record::SceneFile>& all_read() const { return read_; }

 private:
  std::filesystem::path folder_;
  const std::vector<record::SceneFile>* recorded_ = nullptr;  // instead of the folder
  std::vector<record::SceneFile> read_;
};

}  // namespace carom::io
