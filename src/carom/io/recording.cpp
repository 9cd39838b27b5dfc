#include "carom/io/recording.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/dynamics/energy.h"
#include "carom/io/checkpoint_slots.h"
#include "carom/io/crash_safe_file.h"
#include "carom/io/output_error.h"
#include "carom/io/output_file.h"
#include "carom/io/recording_head.h"
#include "carom/io/recording_layout.h"
#include "carom/io/recording_pack.h"
#include "carom/io/row_writer.h"

namespace carom::io {

namespace {

constexpr std::uint64_t kManyRows = 1000000;

RowFormat numbers(hdf5::Shape shape) {
  return {hdf5::number_type<double>(), sizeof(double), std::move(shape)};
}
RowFormat integers() { return {hdf5::number_type<std::int64_t>(), sizeof(std::int64_t), {}}; }
RowFormat event_rows() { return {event_row_type(), sizeof(EventRow), {}}; }
RowFormat force_rows() { return {force_row_type(), sizeof(ForceRow), {}}; }
RowFormat contact_rows() { return {contact_row_type(), sizeof(ContactRow), {}}; }

std::uint64_t expected_outputs(const Scene& scene) {
  const double count = std::ceil(scene.duration / scene.output_every) + 2;
  return count < static_cast<double>(kManyRows) ? static_cast<std::uint64_t>(count) : kManyRows;
}

// The output times are made first, so that their count is the last to grow on disk: rows that have
// a time are complete.
struct StateRows {
  StateRows(const hdf5::Handle& file, const Scene& scene)
      : group(hdf5::make_group(file, "states")),
        energy_group(hdf5::make_group(file, "energy")),
        time(group, "time", numbers({}), expected_outputs(scene)),
        events_before(group, "events_before", integers(), expected_outputs(scene)),
        position(group, "position", numbers({scene.bodies.size(), 3}), expected_outputs(scene)),
        orientation(group, "orientation", numbers({scene.bodies.size(), 4}),
                    expected_outputs(scene)),
        velocity(group, "velocity", numbers({scene.bodies.size(), 3}), expected_outputs(scene)),
        angular_velocity(group, "angular_velocity", numbers({scene.bodies.size(), 3}),
                         expected_outputs(scene)),
        kinetic(energy_group, "kinetic", numbers({}), expected_outputs(scene)),
        potential(energy_group, "potential", numbers({}), expected_outputs(scene)) {}

  void add(const State& state, const dynamics::Energy& energy, std::uint64_t events) {
    *static_cast<double*>(time.add_row()) = state.t;
    *static_cast<std::int64_t*>(events_before.add_row()) = static_cast<std::int64_t>(events);
    *static_cast<double*>(kinetic.add_row()) = energy.kinetic;
    *static_cast<double*>(potential.add_row()) = energy.potential;
    auto* x = static_cast<double*>(position.add_row());
    auto* q = static_cast<double*>(orientation.add_row());
    auto* v = static_cast<double*>(velocity.add_row());
    auto* w = static_cast<double*>(angular_velocity.add_row());
    for (const BodyState& body : state.bodies) {
      x = std::copy_n(body.x.data(), 3, x);
      *q++ = body.q.w();
      q = std::copy_n(body.q.vec().data(), 3, q);
      v = std::copy_n(body.v.data(), 3, v);
      w = std::copy_n(body.w.data(), 3, w);
    }
  }

  // In the order of kRowDatasets.
  std::array<RowWriter*, 8> all() {
    return {&time,     &events_before,    &position, &orientation,
            &velocity, &angular_velocity, &kinetic,  &potential};
  }

  hdf5::Handle group, energy_group;
  RowWriter time, events_before, position, orientation, velocity, angular_velocity, kinetic,
      potential;
};

struct Contents {
  Contents(const hdf5::Handle& file, const Scene& scene_in, std::int64_t identity)
      : scene(scene_in),
        states(file, scene_in),
        events(file, "events", event_rows(), kManyRows),
        forces(file, "forces", force_rows(), kManyRows),
        contacts(file, "contacts", contact_rows(), kManyRows),
        checkpoints(file, scene_in.bodies.size(), identity),
        summary(hdf5::make_group(file, "summary")),
        audit(hdf5::make_group(file, "audit")) {
    set_summary(summary, unfinished_summary());
    set_audit(audit, unfinished_summary().audit, "");
  }

  Covered write_out() {
    Covered covered;
    auto next = covered.checksums.begin();
    const auto write = [&next](RowWriter& rows) {
      rows.write_out();
      *next++ = rows.checksum();
      return static_cast<std::int64_t>(rows.rows());
    };
    for (RowWriter* rows : states.all()) covered.outputs = write(*rows);
    covered.events = write(events);
    covered.forces = write(forces);
    return covered;
  }

  void write_contacts(const record::Summary& of_run) {
    statistics.end(of_run);
    for (const record::ContactTotals& pair : statistics.pairs())
      *static_cast<ContactRow*>(contacts.add_row()) = to_row(pair);
    contacts.write_out();
  }

  Scene scene;  // the energies need it
  StateRows states;
  RowWriter events, forces, contacts;
  record::ContactStatistics statistics;
  CheckpointSlots checkpoints;
  hdf5::Handle summary, audit;
};

}  // namespace

// The file gets its own name as soon as it can be opened, so that under that name there is never
// one that does not open; where another file stands there, not before the run has ended.
struct RecordingSink::File {
  File(std::filesystem::path path_in, std::string scene_json_in, std::string version_in,
       std::vector<record::SceneFile> scene_files_in)
      : path(std::move(path_in)),
        place(path, Writing::AtOnce),
        replaces(std::filesystem::exists(place.own())),
        scene_json(std::move(scene_json_in)),
        version(std::move(version_in)),
        scene_files(std::move(scene_files_in)) {}

  ~File() {
    const hdf5::Quiet quiet;
    contents.reset();
    file = hdf5::Handle();
    std::error_code ignored;
    if (!begun) std::filesystem::remove(place.working(), ignored);
  }

  // Runs one step of writing; whatever goes wrong in it becomes OutputError.
  template <typename Step>
  void write(Step step) {
    const hdf5::Quiet quiet;
    try {
      step();
    } catch (const hdf5::Error& error) {
      if (status.error_number == 0) throw make_output_error(path, error.what());
    }
    if (status.error_number != 0) throw make_output_error(path, status.error_number);
  }

  void write_beginning(const Scene& scene) {
    hdf5::set_attribute(file, "carom_format", kRecordingFormat);
    hdf5::set_attribute(file, "carom_version", version, kNameCapacity);
    hdf5::set_attribute(file, "method", scene.method.name, kNameCapacity);
    write_text(file, "scene", scene_json);
    write_scene_files(file, scene_files);
    const std::string names = write_body_names(file, scene);
    contents.emplace(file, scene, identity_checksum(version, scene_json, scene_files, names));
    hdf5::flush(file);
  }

  // What has grown stays where it is should this fail.
  void pack() {
    const std::filesystem::path packed = place.own().native() + ".packed";
    std::error_code error;
    try {
      write([&] { pack_recording(place.working(), packed, status); });
    } catch (const OutputError&) {
      std::filesystem::remove(packed, error);
      throw;
    }
    std::filesystem::rename(packed, place.own(), error);
    if (error) throw make_output_error(path, error.value());
    if (!place.is_published()) std::filesystem::remove(place.working(), error);
  }

  std::filesystem::path path;
  OutputPlace place;
  bool replaces, begun = false;
  std::string scene_json, version;
  std::vector<record::SceneFile> scene_files;
  WriteStatus status;
  hdf5::Handle file;
  std::optional<Contents> contents;
};

RecordingSink::RecordingSink(std::filesystem::path path, std::string scene_json,
                             std::string version, std::vector<record::SceneFile> scene_files)
    : file_(std::make_unique<File>(std::move(path), std::move(scene_json), std::move(version),
                                   std::move(scene_files))) {
  file_->write([&] {
    file_->file = hdf5::Handle(create_crash_safe_file(file_->place.working(), file_->status));
  });
}

RecordingSink::~RecordingSink() = default;

void RecordingSink::begin(const Scene& scene) {
  file_->write([&] { file_->write_beginning(scene); });
  file_->begun = true;
  if (!file_->replaces) file_->place.publish();
}

void RecordingSink::output(const State& state) {
  file_->write([&] {
    Contents& contents = *file_->contents;
    contents.states.add(state, dynamics::compute_energy(contents.scene, state),
                        contents.events.rows());
  });
}

void RecordingSink::event(const record::ContactEvent& event) {
  file_->contents->statistics.event(event);
  file_->write([&] { *static_cast<EventRow*>(file_->contents->events.add_row()) = to_row(event); });
}

void RecordingSink::forces(double t, std::span<const record::CarriedForce> forces) {
  file_->write([&] {
    for (const record::CarriedForce& force : forces)
      *static_cast<ForceRow*>(file_->contents->forces.add_row()) =
          to_row(record::ForceAt{t, force});
  });
}

void RecordingSink::checkpoint(const record::Checkpoint& checkpoint) {
  file_->write([&] {
    Contents& contents = *file_->contents;
    contents.checkpoints.write(checkpoint, contents.write_out());
    hdf5::flush(file_->file);
    contents.checkpoints.confirm();
    hdf5::flush(file_->file);
  });
}

void RecordingSink::end(const record::Summary& summary) {
  file_->write([&] {
    Contents& contents = *file_->contents;
    contents.write_out();
    contents.write_contacts(summary);
    contents.checkpoints.forget_older();
    set_summary(contents.summary, summary);
    const bool is_off = summary.audit.coverage == record::AuditCoverage::Off;
    record::AuditResult audit = is_off ? unfinished_summary().audit : summary.audit;
    audit.coverage = summary.audit.coverage;
    set_audit(contents.audit, audit, std::string(audit.verdict()));
    file_->contents.reset();
    file_->file = hdf5::Handle();
  });
  file_->pack();
}

}  // namespace carom::io
