// How a recording lies in its HDF5 file, shared by its writer and its reader; docs/recordings.md
// says what each dataset means.
#pragma once

#include <array>
#include <cstdint>

#include "carom/io/hdf5.h"
#include "carom/record/contact_statistics.h"
#include "carom/record/trace.h"

namespace carom::io {

constexpr std::int64_t kRecordingFormat = 11;
constexpr std::uint64_t kBodyNumbers = 13;     // position, orientation, velocity, angular velocity
constexpr std::uint64_t kCheckpointSlots = 2;  // written in turn, so that one is always whole

// One row of /events.
struct EventRow {
  double time = 0;
  std::int32_t kind = 0, body_a = 0, body_b = 0, iterations = 0;
  std::array<double, 3> point{}, normal{};
  double approach_speed = 0, separation_speed = 0;
  std::array<double, 3> impulse{};
  std::int32_t lineality = 0;
  std::int32_t unused = 0;  // stands in the gap, so that its bytes are the same on every run
};
EventRow to_row(const record::ContactEvent& event);
record::ContactEvent from_row(const EventRow& row);
hdf5::Handle event_row_type();

// One row of /forces.
struct ForceRow {
  double time = 0;
  std::int32_t joint = -1, body_a = 0, body_b = 0;
  std::int32_t unused = 0;  // stands in the gap
  std::array<double, 3> point{}, force{}, torque{};
};
ForceRow to_row(const record::ForceAt& force);
record::ForceAt from_row(const ForceRow& row);
hdf5::Handle force_row_type();

// One row of /contacts.
struct ContactRow {
  std::int32_t body_a = 0, body_b = 0;
  std::int64_t impacts = 0, microcollisions = 0;
  double first_time = 0, last_time = 0;
  std::array<double, 3> impulse{};
  double normal_impulse = 0, greatest_impulse = 0;
  std::array<double, 3> mean_force{};
};
ContactRow to_row(const record::ContactTotals& totals);
hdf5::Handle contact_row_type();

// The datasets that grow by rows and that a checkpoint vouches for: those of /states and /energy
// have a row for each output.
constexpr std::array<const char*, 10> kRowDatasets = {
    "/states/time",     "/states/events_before",
    "/states/position", "/states/orientation",
    "/states/velocity", "/states/angular_velocity",
    "/energy/kinetic",  "/energy/potential",
    "/events",          "/forces"};
using RowChecksums = std::array<std::int64_t, kRowDatasets.size()>;

// What a checkpoint covers.
struct Covered {
  std::int64_t outputs = 0, events = 0, forces = 0;  // rows recorded before it
  RowChecksums checksums{};                          // of those rows
};

// One row of /checkpoints/progress.
struct ProgressRow {
  double time = 0;
  std::int64_t next_output = 0;
  Covered covered;
  std::int64_t memory_bytes = 0;
  std::int64_t steps = 0;
  std::array<std::int64_t, record::kEventKinds> event_counts{};
  std::int64_t impact_iterations_total = 0, impact_iterations_max = 0;
  std::int64_t lineality_detected = 0, lineality_dimension_max = 0;
  std::int64_t checksum = 0;  // of the checkpoint and of what the run is (checkpoint_checksum)
};
ProgressRow to_row(const record::Checkpoint& checkpoint);
record::Checkpoint from_row(const ProgressRow& row);  // without bodies and memory
hdf5::Handle progress_row_type();

// A body in /checkpoints/bodies: x, q (w, x, y, z), v, w.
std::array<double, kBodyNumbers> to_numbers(const BodyState& body);
BodyState from_numbers(const double* numbers);

// Of what stays the same during a run: version, scene and its files, names of bodies one after the
// other.
std::int64_t identity_checksum(const std::string& version, const std::string& scene_json,
                               std::span<const record::SceneFile> files,
                               const std::string& body_names);
// Of everything a checkpoint is made of; row.checksum does not count. `bodies` are 13 numbers each.
std::int64_t checkpoint_checksum(std::int64_t identity, std::int64_t sequence, ProgressRow row,
                                 std::span<const double> bodies, std::string_view memory);

}  // namespace carom::io
