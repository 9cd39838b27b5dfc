// States, events, forces and contacts as CSV, 17 significant digits: what was computed is what is
// read back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/io/output_file.h"
#include "carom/record/contact_statistics.h"

namespace carom::io {

class StatesCsv : public record::Sink {
 public:
  explicit StatesCsv(const std::filesystem::path& path);
  void begin(const Scene& scene) override;
  void output(const State& state) override;
  void checkpoint(const record::Checkpoint& checkpoint) override;
  void end(const record::Summary& summary) override;

 private:
  TextFile file_;
  std::vector<std::string> names_;  // quoted where CSV asks for it
  std::string row_;
};

class EventsCsv : public record::Sink {
 public:
  explicit EventsCsv(const std::filesystem::path& path);
  void begin(const Scene& scene) override;
  void event(const record::ContactEvent& event) override;
  void checkpoint(const record::Checkpoint& checkpoint) override;
  void end(const record::Summary& summary) override;

 private:
  TextFile file_;
  std::vector<std::string> names_;
  std::string row_;
};

class ForcesCsv : public record::Sink {
 public:
  explicit ForcesCsv(const std::filesystem::path& path);
  void begin(const Scene& scene) override;
  void forces(double t, std::span<const record::CarriedForce> forces) override;
  void checkpoint(const record::Checkpoint& checkpoint) override;
  void end(const record::Summary& summary) override;

 private:
  TextFile file_;
  std::vector<std::string> names_, joint_names_;
  std::string row_;
};

// One row for every two bodies that touched, written at the end.
class ContactsCsv : public record::Sink {
 public:
  explicit ContactsCsv(std::filesystem::path path);
  bool reads_outputs() const override { return false; }
  void begin(const Scene& scene) override;
  void event(const record::ContactEvent& event) override { statistics_.event(event); }
  void end(const record::Summary& summary) override;

 private:
  std::filesystem::path path_;
  std::vector<std::string> names_;
  record::ContactStatistics statistics_;
};

}  // namespace carom::io
