#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "carom/base/diagnostics.h"
#include "carom/io/hdf5.h"
#include "carom/io/recording.h"
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

std::string to_text(const hdf5::Shape& shape) {
  std::string text = "shape [";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
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
  std::size_t row = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) row *= shape[i];
  std::vector<T> values(found[0] * row);
  if (!values.empty()) hdf5::read(dataset, type, values.data());
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

void read_outputs(const hdf5::Handle& file, std::uint64_t bodies, record::Trace& trace) {
  const std::uint64_t n = shape_at(file, "/states/time", 1)[0];
  const auto time = read_numbers(file, "/states/time", {n});
  const auto x = read_numbers(file, "/states/position", {n, bodies, 3});
  const auto q = read_numbers(file, "/states/orientation", {n, bodies, 4});
  const auto v = read_numbers(file, "/states/velocity", {n, bodies, 3});
  const auto w = read_numbers(file, "/states/angular_velocity", {n, bodies, 3});
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

void read_events(const hdf5::Handle& file, std::uint64_t bodies, record::Trace& trace) {
  const std::uint64_t count = shape_at(file, "/events", 1)[0];
  for (const EventRow& row : read_all<EventRow>(file, "/events", event_row_type(), {count})) {
    if (!is_sound(row, bodies))
      report("/events", "an event of unknown kind or body", "kinds and bodies of the run");
    trace.events.push_back(from_row(row));
  }
  const auto before = read_all<std::int64_t>(
      file, "/states/events_before", hdf5::number_type<std::int64_t>(), {trace.outputs.size()});
  trace.events_before.assign(before.begin(), before.end());
  const bool sound =
      std::is_sorted(before.begin(), before.end()) &&
      (before.empty() || (before.front() >= 0 && trace.events_before.back() <= count));
  if (!sound)
    report("/states/events_before", "counts out of order",
           "counts that rise to at most " + std::to_string(count));
}

// Of the outputs that are there: a killed run may have recorded the forces of one more.
void read_forces(const hdf5::Handle& file, std::uint64_t bodies, record::Trace& trace) {
  const double last = trace.outputs.empty() ? -HUGE_VAL : trace.outputs.back().t;
  const std::uint64_t count = shape_at(file, "/forces", 1)[0];
  for (const ForceRow& row : read_all<ForceRow>(file, "/forces", force_row_type(), {count})) {
    if (row.time > last) break;
    if (!is_body(row.body_a, bodies) || !is_body(row.body_b, bodies))
      report("/forces", "a force on an unknown body", "bodies of the run");
    trace.forces.push_back(from_row(row));
  }
}

void read_checkpoint(const hdf5::Handle& file, std::uint64_t bodies, record::Trace& trace) {
  const auto sequence = read_all<std::int64_t>(
      file, "/checkpoints/sequence", hdf5::number_type<std::int64_t>(), {kCheckpointSlots});
  const auto slot = static_cast<std::size_t>(std::max_element(sequence.begin(), sequence.end()) -
                                             sequence.begin());
  if (sequence[slot] == 0) return;
  const ProgressRow row = read_all<ProgressRow>(file, "/checkpoints/progress", progress_row_type(),
                                                {kCheckpointSlots})[slot];
  const auto numbers =
      read_numbers(file, "/checkpoints/bodies", {kCheckpointSlots, bodies, kBodyNumbers});
  const std::uint64_t capacity = shape_at(file, "/checkpoints/memory", 2)[1];
  const auto memory = read_all<std::uint8_t>(
      file, "/checkpoints/memory", hdf5::number_type<std::uint8_t>(), {kCheckpointSlots, capacity});
  const auto within = [](std::int64_t count, std::size_t limit) {
    return count >= 0 && static_cast<std::size_t>(count) <= limit;
  };
  if (!within(row.outputs, trace.outputs.size()) || !within(row.events, trace.events.size()) ||
      !within(row.memory_bytes, capacity))
    report("/checkpoints/progress", "counts beyond the recorded rows", "a checkpoint of this run");
  trace.checkpoint = from_row(row);
  trace.checkpoint->sequence = sequence[slot];
  for (std::size_t i = 0; i < bodies; ++i)
    trace.checkpoint->state.bodies.push_back(
        from_numbers(&numbers[(slot * bodies + i) * kBodyNumbers]));
  trace.checkpoint->memory.assign(
      memory.begin() + static_cast<std::ptrdiff_t>(slot * capacity),
      memory.begin() + static_cast<std::ptrdiff_t>(slot * capacity) + row.memory_bytes);
  trace.outputs_at_checkpoint = static_cast<std::size_t>(row.outputs);
  trace.events_at_checkpoint = static_cast<std::size_t>(row.events);
}

record::Trace read_trace(const std::string& path) {
  const hdf5::Handle file = hdf5::open_file(path);
  check_format(file);
  record::Trace trace;
  trace.scene_json = hdf5::read_text(file, "/scene");
  const std::uint64_t bodies = shape_at(file, "/bodies/name", 1)[0];
  read_outputs(file, bodies, trace);
  read_events(file, bodies, trace);
  read_forces(file, bodies, trace);
  read_checkpoint(file, bodies, trace);
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
