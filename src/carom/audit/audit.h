// The judge. From the recorded motion alone it recomputes what must hold: no penetration, energy
// accounted for, momentum conserved, joints closed. It shares no code with the methods, laws and
// contact detection that produced the motion, distance routines included.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "carom/record/sink.h"

namespace carom::audit {

class Audit : public record::Sink {
 public:
  explicit Audit(record::AuditCoverage coverage = record::AuditCoverage::Full);
  ~Audit() override;
  void begin(const Scene& scene) override;
  bool reads_outputs() const override;
  void output(const State& state) override;
  void impact(const record::ResolvedImpact& impact) override;
  void segment(const record::Segment& segment) override;
  void frame(const record::Frame& frame) override;
  void set(const State& before, const State& after) override;

  // With limits for what the scene's method promises, but for those tolerated (record::kAsPromised:
  // none is).
  record::AuditResult result(const record::JudgedNumbers& tolerated = record::kAsPromised) const;
  record::AuditCoverage coverage() const { return coverage_; }
  std::string save() const;                // accumulators as bytes, for checkpoints
  void restore(const std::string& bytes);  // after begin(), of the same coverage; else nothing
  record::AuditCoverage find_coverage(std::string_view bytes) const;  // of one that saved them

 private:
  record::AuditCoverage coverage_;
  struct Books;
  std::unique_ptr<Books> books_;
};

}  // namespace carom::audit
