#include "carom/io/csv_sinks.h"

#include <fmt/compile.h>

#include <iterator>
#include <utility>

namespace carom::io {

namespace {

// RFC 4180: a field with a comma, a quote or a line break stands in quotes, inner quotes doubled.
std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

// Of bodies or joints.
template <typename Named>
std::vector<std::string> quoted_names(const std::vector<Named>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Named& each : all) names.push_back(quoted(each.name));
  return names;
}

void append(std::string& row, double value) {
  fmt::format_to(std::back_inserter(row), FMT_COMPILE(",{:.17g}"), value);
}

void append(std::string& row, const Vec3& value) {
  fmt::format_to(std::back_inserter(row), FMT_COMPILE(",{:.17g},{:.17g},{:.17g}"), value.x(),
                 value.y(), value.z());
}

void append(std::string& row, const Quat& value) {
  append(row, value.w());
  append(row, Vec3(value.vec()));
}

void start_row(std::string& row, double time) {
  row.clear();
  fmt::format_to(std::back_inserter(row), FMT_COMPILE("{:.17g},"), time);
}

}  // namespace

StatesCsv::StatesCsv(const std::filesystem::path& path) : file_(path, Writing::Growing) {}

void StatesCsv::begin(const Scene& scene) {
  names_ = quoted_names(scene.bodies);
  file_.write("time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n");
}

void StatesCsv::output(const State& state) {
  start_row(row_, state.t);
  const std::size_t time_length = row_.size();
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyState& body = state.bodies[i];
    row_.resize(time_length);
    row_ += names_[i];
    append(row_, body.x);
    append(row_, body.q);
    append(row_, body.v);
    append(row_, body.w);
    row_ += '\n';
    file_.write(row_);
  }
}

void StatesCsv::checkpoint(const record::Checkpoint& /*checkpoint*/) { file_.flush(); }

void StatesCsv::end(const record::Summary& /*summary*/) { file_.close(); }

EventsCsv::EventsCsv(const std::filesystem::path& path) : file_(path, Writing::Growing) {}

void EventsCsv::begin(const Scene& scene) {
  names_ = quoted_names(scene.bodies);
  file_.write("time,event,body_a,body_b,x,y,z,nx,ny,nz,approach_speed,separation_speed,jx,jy,jz\n");
}

void EventsCsv::event(const record::ContactEvent& event) {
  start_row(row_, event.t);
  row_ += record::kEventNames[static_cast<std::size_t>(event.kind)];
  row_ += ',';
  row_ += names_[index(event.a)];
  row_ += ',';
  row_ += names_[index(event.b)];
  append(row_, event.point);
  append(row_, event.normal);
  append(row_, event.approach_speed);
  append(row_, event.separation_speed);
  append(row_, event.impulse);
  row_ += '\n';
  file_.write(row_);
}

void EventsCsv::checkpoint(const record::Checkpoint& /*checkpoint*/) { file_.flush(); }

void EventsCsv::end(const record::Summary& /*summary*/) { file_.close(); }

ForcesCsv::ForcesCsv(const std::filesystem::path& path) : file_(path, Writing::Growing) {}

void ForcesCsv::begin(const Scene& scene) {
  names_ = quoted_names(scene.bodies);
  joint_names_ = quoted_names(scene.joints);
  file_.write("time,kind,joint,body_a,body_b,x,y,z,fx,fy,fz,tx,ty,tz\n");
}

void ForcesCsv::forces(double t, std::span<const record::CarriedForce> forces) {
  for (const record::CarriedForce& force : forces) {
    start_row(row_, t);
    if (force.joint < 0) {
      row_ += "contact,,";
    } else {
      row_ += "joint,";
      row_ += joint_names_[static_cast<std::size_t>(force.joint)];
      row_ += ',';
    }
    row_ += names_[index(force.a)];
    row_ += ',';
    row_ += names_[index(force.b)];
    append(row_, force.point);
    append(row_, force.force);
    append(row_, force.torque);
    row_ += '\n';
    file_.write(row_);
  }
}

void ForcesCsv::checkpoint(const record::Checkpoint& /*checkpoint*/) { file_.flush(); }

void ForcesCsv::end(const record::Summary& /*summary*/) { file_.close(); }

ContactsCsv::ContactsCsv(std::filesystem::path path) : path_(std::move(path)) {
  check_writable(path_);
}

void ContactsCsv::begin(const Scene& scene) { names_ = quoted_names(scene.bodies); }

void ContactsCsv::end(const record::Summary& summary) {
  statistics_.end(summary);
  std::string text =
      "body_a,body_b,impacts,microcollisions,first_time,last_time,jx,jy,jz,normal_impulse,"
      "greatest_impulse,fx,fy,fz\n";
  for (const record::ContactTotals& pair : statistics_.pairs()) {
    text += fmt::format("{},{},{},{}", names_[index(pair.a)], names_[index(pair.b)], pair.impacts,
                        pair.microcollisions);
    append(text, pair.first_time);
    append(text, pair.last_time);
    append(text, pair.impulse);
    append(text, pair.normal_impulse);
    append(text, pair.greatest_impulse);
    append(text, pair.mean_force);
    text += '\n';
  }
  write_file(path_, text);
}

}  // namespace carom::io
