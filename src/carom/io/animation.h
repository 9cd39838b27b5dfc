// The motion as a binary glTF file (.glb) that any glTF viewer plays: one node per shape, positions
// and attitudes as key frames at the output times.
#pragma once

#include <filesystem>
#include <memory>

#include "carom/record/sink.h"

namespace carom::io {

class AnimationSink : public record::Sink {
 public:
  explicit AnimationSink(std::filesystem::path path);
  ~AnimationSink() override;
  void begin(const Scene& scene) override;
  void output(const State& state) override;
  void end(const record::Summary& summary) override;

 private:
  struct Animation;
  std::unique_ptr<Animation> animation_;
};

}  // namespace carom::io
