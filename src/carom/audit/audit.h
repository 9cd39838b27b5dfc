// The judge. From the recorded motion alone it recomputes what must hold: no penetration, energy
// accounted for, momentum conserved, joints closed. It shares no code with the methods, laws and
// contact detection that produced the motion, distance routines included.
#pragma once

#include <memory>
#include <string>

#include "carom/record/sink.h"

namespace carom::audit {

class Audit : public record::Sink {
 public:
  Audit();
  ~Audit() override;
  void begin(const Scene& scene) override;
  void output(const State& state) override;
  void impact(const record::ResolvedImpact& impact) override;
  void stretch(const record::Stretch& stretch) override;
  void frame(const record::Frame& frame) override;

  // With limits for what the scene's method promises, but for those tolerated (record::kAsPromised:
  // none is).
  record::AuditResult result(const record::JudgedNumbers& tolerated = record::kAsPromised) const;
  std::string save() const;                // accumulators as bytes, for checkpoints
  void restore(const std::string& bytes);  // after begin()

 private:
  struct Books;
  std::unique_ptr<Books> books_;
};

}  // namespace carom::audit
