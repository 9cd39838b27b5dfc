#include "carom/io/recording_layout.h"

#include <cstddef>

#include "carom/base/checksum.h"

namespace carom::io {

namespace {

std::array<double, 3> to_array(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 to_vector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

hdf5::Field number(const std::string& name, std::size_t offset, std::size_t count = 1) {
  return {name, offset, hdf5::number_type<double>(), count};
}
hdf5::Field integer(const std::string& name, std::size_t offset, std::size_t count = 1) {
  return {name, offset, hdf5::number_type<std::int64_t>(), count};
}

}  // namespace

EventRow to_row(const record::ContactEvent& event) {
  EventRow row;
  row.time = event.t;
  row.kind = static_cast<std::int32_t>(event.kind);
  row.body_a = static_cast<std::int32_t>(event.a);
  row.body_b = static_cast<std::int32_t>(event.b);
  row.point = to_array(event.point);
  row.normal = to_array(event.normal);
  row.approach_speed = event.approach_speed;
  row.separation_speed = event.separation_speed;
  row.impulse = to_array(event.impulse);
  row.iterations = event.iterations;
  row.lineality = event.lineality;
  return row;
}

record::ContactEvent from_row(const EventRow& row) {
  record::ContactEvent event;
  event.t = row.time;
  event.kind = static_cast<record::EventKind>(row.kind);
  event.a = BodyId{row.body_a};
  event.b = BodyId{row.body_b};
  event.point = to_vector(row.point);
  event.normal = to_vector(row.normal);
  event.approach_speed = row.approach_speed;
  event.separation_speed = row.separation_speed;
  event.impulse = to_vector(row.impulse);
  event.iterations = row.iterations;
  event.lineality = row.lineality;
  return event;
}

hdf5::Handle event_row_type() {
  std::vector<hdf5::Field> fields;
  fields.push_back(number("time", offsetof(EventRow, time)));
  fields.push_back({"event", offsetof(EventRow, kind), hdf5::enum_type(record::kEventNames)});
  fields.push_back({"body_a", offsetof(EventRow, body_a), hdf5::number_type<std::int32_t>()});
  fields.push_back({"body_b", offsetof(EventRow, body_b), hdf5::number_type<std::int32_t>()});
  fields.push_back(number("point", offsetof(EventRow, point), 3));
  fields.push_back(number("normal", offsetof(EventRow, normal), 3));
  fields.push_back(number("approach_speed", offsetof(EventRow, approach_speed)));
  fields.push_back(number("separation_speed", offsetof(EventRow, separation_speed)));
  fields.push_back(number("impulse", offsetof(EventRow, impulse), 3));
  fields.push_back(
      {"iterations", offsetof(EventRow, iterations), hdf5::number_type<std::int32_t>()});
  fields.push_back({"lineality", offsetof(EventRow, lineality), hdf5::number_type<std::int32_t>()});
  return hdf5::compound_type(sizeof(EventRow), fields);
}

ForceRow to_row(const record::ForceAt& at) {
  ForceRow row;
  row.time = at.t;
  row.joint = at.force.joint;
  row.body_a = static_cast<std::int32_t>(at.force.a);
  row.body_b = static_cast<std::int32_t>(at.force.b);
  row.point = to_array(at.force.point);
  row.force = to_array(at.force.force);
  row.torque = to_array(at.force.torque);
  return row;
}

record::ForceAt from_row(const ForceRow& row) {
  return {row.time,
          {BodyId{row.body_a}, BodyId{row.body_b}, to_vector(row.point), to_vector(row.force),
           to_vector(row.torque), row.joint}};
}

hdf5::Handle force_row_type() {
  std::vector<hdf5::Field> fields;
  fields.push_back(number("time", offsetof(ForceRow, time)));
  fields.push_back({"joint", offsetof(ForceRow, joint), hdf5::number_type<std::int32_t>()});
  fields.push_back({"body_a", offsetof(ForceRow, body_a), hdf5::number_type<std::int32_t>()});
  fields.push_back({"body_b", offsetof(ForceRow, body_b), hdf5::number_type<std::int32_t>()});
  fields.push_back(number("point", offsetof(ForceRow, point), 3));
  fields.push_back(number("force", offsetof(ForceRow, force), 3));
  fields.push_back(number("torque", offsetof(ForceRow, torque), 3));
  return hdf5::compound_type(sizeof(ForceRow), fields);
}

ContactRow to_row(const record::ContactTotals& totals) {
  return {.body_a = static_cast<std::int32_t>(totals.a),
          .body_b = static_cast<std::int32_t>(totals.b),
          .impacts = totals.impacts,
          .microcollisions = totals.microcollisions,
          .first_time = totals.first_time,
          .last_time = totals.last_time,
          .impulse = to_array(totals.impulse),
          .normal_impulse = totals.normal_impulse,
          .greatest_impulse = totals.greatest_impulse,
          .mean_force = to_array(totals.mean_force)};
}

hdf5::Handle contact_row_type() {
  std::vector<hdf5::Field> fields;
  fields.push_back({"body_a", offsetof(ContactRow, body_a), hdf5::number_type<std::int32_t>()});
  fields.push_back({"body_b", offsetof(ContactRow, body_b), hdf5::number_type<std::int32_t>()});
  fields.push_back(integer("impacts", offsetof(ContactRow, impacts)));
  fields.push_back(integer("microcollisions", offsetof(ContactRow, microcollisions)));
  fields.push_back(number("first_time", offsetof(ContactRow, first_time)));
  fields.push_back(number("last_time", offsetof(ContactRow, last_time)));
  fields.push_back(number("impulse", offsetof(ContactRow, impulse), 3));
  fields.push_back(number("normal_impulse", offsetof(ContactRow, normal_impulse)));
  fields.push_back(number("greatest_impulse", offsetof(ContactRow, greatest_impulse)));
  fields.push_back(number("mean_force", offsetof(ContactRow, mean_force), 3));
  return hdf5::compound_type(sizeof(ContactRow), fields);
}

ProgressRow to_row(const record::Checkpoint& checkpoint) {
  const record::Counters& counters = checkpoint.counters;
  ProgressRow row;
  row.time = checkpoint.state.t;
  row.next_output = checkpoint.next_output;
  row.memory_bytes = std::ssize(checkpoint.memory);
  row.steps = counters.steps;
  row.event_counts = counters.events;
  row.impact_iterations_total = counters.impact_iterations_total;
  row.impact_iterations_max = counters.impact_iterations_max;
  row.lineality_detected = counters.lineality_detected;
  row.lineality_dimension_max = counters.lineality_dimension_max;
  return row;
}

record::Checkpoint from_row(const ProgressRow& row) {
  record::Checkpoint checkpoint;
  checkpoint.state.t = row.time;
  checkpoint.next_output = row.next_output;
  checkpoint.counters = {row.steps,
                         row.event_counts,
                         row.impact_iterations_total,
                         row.impact_iterations_max,
                         row.lineality_detected,
                         row.lineality_dimension_max};
  return checkpoint;
}

hdf5::Handle progress_row_type() {
  std::vector<hdf5::Field> fields;
  fields.push_back(number("time", offsetof(ProgressRow, time)));
  fields.push_back(integer("next_output", offsetof(ProgressRow, next_output)));
  constexpr std::size_t kCovered = offsetof(ProgressRow, covered);
  fields.push_back(integer("outputs", kCovered + offsetof(Covered, outputs)));
  fields.push_back(integer("events", kCovered + offsetof(Covered, events)));
  fields.push_back(integer("forces", kCovered + offsetof(Covered, forces)));
  fields.push_back(
      integer("row_checksums", kCovered + offsetof(Covered, checksums), kRowDatasets.size()));
  fields.push_back(integer("memory_bytes", offsetof(ProgressRow, memory_bytes)));
  fields.push_back(integer("steps", offsetof(ProgressRow, steps)));
  fields.push_back(
      integer("event_counts", offsetof(ProgressRow, event_counts), record::kEventKinds));
  fields.push_back(
      integer("impact_iterations_total", offsetof(ProgressRow, impact_iterations_total)));
  fields.push_back(integer("impact_iterations_max", offsetof(ProgressRow, impact_iterations_max)));
  fields.push_back(integer("lineality_detected", offsetof(ProgressRow, lineality_detected)));
  fields.push_back(
      integer("lineality_dimension_max", offsetof(ProgressRow, lineality_dimension_max)));
  fields.push_back(integer("checksum", offsetof(ProgressRow, checksum)));
  return hdf5::compound_type(sizeof(ProgressRow), fields);
}

std::array<double, kBodyNumbers> to_numbers(const BodyState& body) {
  return {body.x.x(), body.x.y(), body.x.z(), body.q.w(), body.q.x(), body.q.y(), body.q.z(),
          body.v.x(), body.v.y(), body.v.z(), body.w.x(), body.w.y(), body.w.z()};
}

BodyState from_numbers(const double* n) {
  return {Vec3(n[0], n[1], n[2]), Quat(n[3], n[4], n[5], n[6]), Vec3(n[7], n[8], n[9]),
          Vec3(n[10], n[11], n[12])};
}

std::int64_t identity_checksum(const std::string& version, const std::string& scene_json,
                               std::span<const record::SceneFile> files,
                               const std::string& body_names) {
  base::Checksum sum;
  sum.add(version);
  sum.add(scene_json);
  for (const record::SceneFile& file : files) {
    sum.add(file.name);
    sum.add(file.bytes);
  }
  sum.add(body_names);
  return sum.value();
}

std::int64_t checkpoint_checksum(std::int64_t identity, std::int64_t sequence, ProgressRow row,
                                 std::span<const double> bodies, std::string_view memory) {
  row.checksum = 0;
  base::Checksum sum;
  sum.add(&identity, sizeof identity);
  sum.add(&sequence, sizeof sequence);
  sum.add(&row, sizeof row);
  sum.add(bodies.data(), bodies.size_bytes());
  sum.add(memory);
  return sum.value();
}

}  // namespace carom::io
