// States, events, forces and contacts as CSV, 17 significant digits: what was computed is what is
// read back.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "carom/record/contact_statistics.h"

namespace carom::io {

// A buffered text file that reports every failure as OutputError and is flushed to the system at
// each checkpoint.
class TextFile {
 public:
  explicit TextFile(std::filesystem::path path);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  void write(std::string_view text);
  void flush();
  void close();  // throws when the last bytes cannot be written; the destructor cannot

 private:
  std::filesystem::path path_;
  std::FILE* file_;
};

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
  explicit ContactsCsv(const std::filesystem::path& path);
  void begin(const Scene& scene) override;
  void event(const record::ContactEvent& event) override { statistics_.event(event); }
  void end(const record::Summary& summary) override;

 private:
  TextFile file_;
  std::vector<std::string> names_;
  record::ContactStatistics statistics_;
};

}  // namespace carom::io
