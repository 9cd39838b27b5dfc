#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "carom/base/checksum.h"
#include "carom/base/diagnostics.h"
#include "carom/io/hdf5.h"
#include "carom/io/outputs.h"
#include "carom/io/recording_layout.h"

namespace carom::io {

namespace {

[[noreturn]] void report(const std::string& place, const std::string& found,
                         const std::string& expected) {
  base::Diagnostic diagnostic;
  diagnostic.place = place;
  diagnostic.found = found;
  diagnostic.expected = expected;
  throw base::BadInput({diagnostic});
}

constexpr const char* kUndamaged = "bytes as they were written";

std::string to_text(const hdf5::Shape& shape) {
  std::string text = "shape [";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

// Deflate makes data smaller by 1032 at the most, so that a file holds no more than so many times
// its size: memory is not asked for what a damaged number promises.
void check_extent(const hdf5::Handle& file, const std::string& name, const hdf5::Shape& shape,
                  std::size_t bytes_each) {
  constexpr double kMostDeflated = 1032;
  auto bytes = static_cast<double>(bytes_each);
  for (const auto extent : shape) bytes *= static_cast<double>(extent);
  if (bytes > kMostDeflated * static_cast<double>(hdf5::bytes_on_disk(file)))
    report(name, "damage: " + to_text(shape) + ", more than the file can hold", kUndamaged);
}

// All of a dataset; the first extent may exceed the one asked for, because a killed run may have
// counted a row in some datasets and not yet in others.
template <typename T>
std::vector<T> read_all(const hdf5::Handle& file, const std::string& name, const hdf5::Handle& type,
                        const hdf5::Shape& shape) {
  const hdf5::Handle dataset = hdf5::open_dataset(file, name);
  const hdf5::Shape found = hdf5::shape_of(dataset);
  if (found.size() != shape.size() || found[0] < shape[0] ||
      !std::equal(shape.begin() + 1, shape.end(), found.begin() + 1))
    report(name, to_text(found), to_text(shape));
  check_extent(file, name, found, sizeof(T));
  std::size_t row = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) row *= shape[i];
  std::vector<T> values(found[0] * row);
  try {
    if (!values.empty()) hdf5::read(dataset, type, values.data());
  } catch (const hdf5::Error& error) {
    report(name, std::string("damage: ") + error.what(), kUndamaged);
  }
  values.resize(shape[0] * row);
  return values;
}

std::vector<double> read_numbers(const hdf5::Handle& file, const std::string& name,
                                 const hdf5::Shape& shape) {
  return read_all<double>(file, name, hdf5::number_type<double>(), shape);
}

hdf5::Shape shape_at(const hdf5::Handle& file, const std::string& name, std::size_t rank) {
  const hdf5::Shape shape = hdf5::shape_of(hdf5::open_dataset(file, name));
  if (shape.size() != rank) report(name, to_text(shape), std::to_string(rank) + " dimensions");
  return shape;
}

void check_format(const hdf5::Handle& file) {
  const std::int64_t format = hdf5::read_integer_attribute(file, "carom_format");
  if (format == kRecordingFormat) return;
  report("attribute carom_format", std::to_string(format), std::to_string(kRecordingFormat));
}

// The last checkpoint of a file and what it says about the rows.
struct LastCheckpoint {
  std::int64_t sequence = 0;  // 0: there is none, and nothing vouches for the rows
  ProgressRow row;
};

class RowReader {
 public:
  RowReader(const hdf5::Handle& file, LastCheckpoint last) : file_(file), last_(last) {}

  const LastCheckpoint& last() const { return last_; }
  // Dataset `number` of kRowDatasets. Its first `covered` rows must be those that were written.
  template <typename T>
  std::vector<T> read(std::size_t number, const hdf5::Handle& type, const hdf5::Shape& shape,
                      std::int64_t covered) const {
    const std::string name = kRowDatasets[number];
    std::vector<T> values = read_all<T>(file_, name, type, shape);
    if (last_.sequence == 0) return values;
    if (covered < 0 || static_cast<std::uint64_t>(covered) > shape[0])
      report(name, std::to_string(shape[0]) + " rows",
             "at least " + std::to_string(covered) + ", which the last checkpoint covers");
    base::Checksum sum;
    const std::size_t row = shape[0] > 0 ? values.size() / shape[0] : 0;
    sum.add(values.data(), static_cast<std::size_t>(covered) * row * sizeof(T));
    if (sum.value() != last_.row.covered.checksums[number])
      report(name, "damage: the rows do not give their checksum", kUndamaged);
    return values;
  }
  std::vector<double> numbers(std::size_t number, const hdf5::Shape& shape) const {
    return read<double>(number, hdf5::number_type<double>(), shape, last_.row.covered.outputs);
  }

 private:
  const hdf5::Handle& file_;
  LastCheckpoint last_;
};

void read_outputs(const hdf5::Handle& file, const RowReader& rows, std::uint64_t bodies,
                  record::Trace& trace) {
  const std::uint64_t n = shape_at(file, kRowDatasets[0], 1)[0];
  const auto time = rows.numbers(0, {n});
  const auto x = rows.numbers(2, {n, bodies, 3});
  const auto q = rows.numbers(3, {n, bodies, 4});
  const auto v = rows.numbers(4, {n, bodies, 3});
  const auto w = rows.numbers(5, {n, bodies, 3});
  for (const std::size_t energy : {6, 7}) rows.numbers(energy, {n});
  trace.outputs.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    State& state = trace.outputs[k];
    state.t = time[k];
    state.bodies.resize(bodies);
    for (std::size_t i = 0; i < bodies; ++i) {
      const std::size_t at = k * bodies + i;
      state.bodies[i] = {Vec3(&x[3 * at]),
                         Quat(q[4 * at], q[4 * at + 1], q[4 * at + 2], q[4 * at + 3]),
                         Vec3(&v[3 * at]), Vec3(&w[3 * at])};
    }
  }
}

bool is_body(std::int32_t id, std::uint64_t bodies) {
  return id >= 0 && static_cast<std::uint64_t>(id) < bodies;
}

bool is_sound(const EventRow& row, std::uint64_t bodies) {
  const bool is_kind = row.kind >= 0 && row.kind < static_cast<std::int32_t>(record::kEventKinds);
  return is_kind && is_body(row.body_a, bodies) && is_body(row.body_b, bodies);
}

void read_events(const hdf5::Handle& file, const RowReader& rows, std::uint64_t bodies,
                 record::Trace& trace) {
  const std::uint64_t count = shape_at(file, kRowDatasets[8], 1)[0];
  for (const EventRow& row :
       rows.read<EventRow>(8, event_row_type(), {count}, rows.last().row.covered.events)) {
    if (!is_sound(row, bodies))
      report("/events", "an event of unknown kind or body", "kinds and bodies of the run");
    trace.events.push_back(from_row(row));
  }
  const auto before =
      rows.read<std::int64_t>(1, hdf5::number_type<std::int64_t>(), {trace.outputs.size()},
                              rows.last().row.covered.outputs);
  trace.events_before.assign(before.begin(), before.end());
  const bool sound =
      std::is_sorted(before.begin(), before.end()) &&
      (before.empty() || (before.front() >= 0 && trace.events_before.back() <= count));
  if (!sound)
    report("/states/events_before", "counts out of order",
           "counts that rise to at most " + std::to_string(count));
}

// Of the outputs that are there: a killed run may have recorded the forces of one more.
void read_forces(const hdf5::Handle& file, const RowReader& rows, std::uint64_t bodies,
                 record::Trace& trace) {
  const double last = trace.outputs.empty() ? -HUGE_VAL : trace.outputs.back().t;
  const std::uint64_t count = shape_at(file, kRowDatasets[9], 1)[0];
  for (const ForceRow& row :
       rows.read<ForceRow>(9, force_row_type(), {count}, rows.last().row.covered.forces)) {
    if (row.time > last) break;
    if (!is_body(row.body_a, bodies) || !is_body(row.body_b, bodies))
      report("/forces", "a force on an unknown body", "bodies of the run");
    trace.forces.push_back(from_row(row));
  }
}

// The slot with the larger sequence number, by its checksum whole and of this run.
LastCheckpoint read_checkpoint(const hdf5::Handle& file, std::uint64_t bodies,
                               std::int64_t identity, record::Trace& trace) {
  const auto sequence = read_all<std::int64_t>(
      file, "/checkpoints/sequence", hdf5::number_type<std::int64_t>(), {kCheckpointSlots});
  const auto slot = static_cast<std::size_t>(std::max_element(sequence.begin(), sequence.end()) -
                                             sequence.begin());
  if (sequence[slot] == 0) return {};
  const ProgressRow row = read_all<ProgressRow>(file, "/checkpoints/progress", progress_row_type(),
                                                {kCheckpointSlots})[slot];
  const auto all =
      read_numbers(file, "/checkpoints/bodies", {kCheckpointSlots, bodies, kBodyNumbers});
  const std::span numbers =
      std::span(all).subspan(slot * bodies * kBodyNumbers, bodies * kBodyNumbers);
  const std::uint64_t capacity = shape_at(file, "/checkpoints/memory", 2)[1];
  const auto memory = read_all<std::uint8_t>(
      file, "/checkpoints/memory", hdf5::number_type<std::uint8_t>(), {kCheckpointSlots, capacity});
  const bool fits =
      row.memory_bytes >= 0 && static_cast<std::uint64_t>(row.memory_bytes) <= capacity;
  const auto start = memory.begin() + static_cast<std::ptrdiff_t>(slot * capacity);
  record::Checkpoint checkpoint = from_row(row);
  checkpoint.sequence = sequence[slot];
  if (fits) checkpoint.memory.assign(start, start + row.memory_bytes);
  if (!fits || row.checksum != checkpoint_checksum(identity, checkpoint.sequence, row, numbers,
                                                   checkpoint.memory))
    report("/checkpoints",
           "damage: the last checkpoint, with the scene, does not give its checksum", kUndamaged);
  for (std::size_t i = 0; i < bodies; ++i)
    checkpoint.state.bodies.push_back(from_numbers(&numbers[i * kBodyNumbers]));
  trace.checkpoint = std::move(checkpoint);
  trace.outputs_at_checkpoint = static_cast<std::size_t>(row.covered.outputs);
  trace.events_at_checkpoint = static_cast<std::size_t>(row.covered.events);
  return {sequence[slot], row};
}

std::vector<record::SceneFile> read_scene_files(const hdf5::Handle& file) {
  std::vector<record::SceneFile> files;
  const std::size_t count = hdf5::members_of(hdf5::open_group(file, "/files")).size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "/files/" + std::to_string(i);
    const auto bytes = read_all<std::uint8_t>(file, name, hdf5::number_type<std::uint8_t>(),
                                              shape_at(file, name, 1));
    files.push_back({hdf5::read_text_attribute(hdf5::open_dataset(file, name), "name"),
                     {bytes.begin(), bytes.end()}});
  }
  return files;
}

std::string read_names(const hdf5::Handle& file, std::uint64_t bodies) {
  const hdf5::Handle dataset = hdf5::open_dataset(file, "/bodies/name");
  const hdf5::Handle type = hdf5::type_of(dataset);
  check_extent(file, "/bodies/name", {bodies}, hdf5::bytes_of(type));
  std::string names(bodies * hdf5::bytes_of(type), '\0');
  if (!names.empty()) hdf5::read(dataset, type, names.data());
  return names;
}

record::Trace read_trace(const std::string& path) {
  const hdf5::Handle file = hdf5::open_file(path);
  check_format(file);
  record::Trace trace;
  trace.version = hdf5::read_text_attribute(file, "carom_version");
  trace.scene_json = hdf5::read_text(file, "/scene");
  trace.scene_files = read_scene_files(file);
  const std::uint64_t bodies = shape_at(file, "/bodies/name", 1)[0];
  const std::int64_t identity = identity_checksum(trace.version, trace.scene_json,
                                                  trace.scene_files, read_names(file, bodies));
  const RowReader rows(file, read_checkpoint(file, bodies, identity, trace));
  read_outputs(file, rows, bodies, trace);
  read_events(file, rows, bodies, trace);
  read_forces(file, rows, bodies, trace);
  return trace;
}

}  // namespace

record::Trace read_recording(const std::filesystem::path& path) {
  const hdf5::Quiet quiet;
  std::vector<base::Diagnostic> diagnostics(1);
  try {
    return read_trace(path.string());
  } catch (const hdf5::Error& error) {
    diagnostics[0].found = error.what();
    diagnostics[0].expected = "a carom recording";
  } catch (const base::BadInput& error) {
    diagnostics = error.diagnostics();
  }
  for (base::Diagnostic& diagnostic : diagnostics) diagnostic.file = path.string();
  throw base::BadInput(diagnostics);
}

}  // namespace carom::io
