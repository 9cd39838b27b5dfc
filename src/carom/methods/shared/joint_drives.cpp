#include "carom/methods/shared/joint_drives.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

int sign(double x) { return x > 0 ? 1 : -1; }

}  // namespace

JointDrives::JointDrives(const Scene& scene) : scene_(scene) {
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const model::Joint& joint = scene.joints[i];
    const auto number = static_cast<std::int32_t>(i);
    if (joint.motor && joint.motor->max_torque > 0)
      drives_.push_back({number, joint.motor->speed, joint.motor->max_torque, true});
    if (joint.friction > 0) drives_.push_back({number, 0, joint.friction, false});
  }
}

double JointDrives::rate_off(const Drive& drive, const State& state) const {
  return dynamics::row_rate(drive.row, state) - drive.speed;
}

// Of angles.
double JointDrives::lever(const Drive& drive) const {
  const bool turns = drive.row.linear_a.isZero(0);
  return turns ? scene_.tolerances.length : 1;
}

bool JointDrives::is_at_speed(const Drive& drive, double off) const {
  return lever(drive) * std::abs(off) <= scene_.tolerances.rest_speed;
}

void JointDrives::place(const State& state) {
  for (Drive& drive : drives_) {
    const model::Joint& joint = scene_.joints[static_cast<std::size_t>(drive.joint)];
    drive.row = dynamics::compute_axis_row(joint, state);
    drive.row.joint = drive.joint;
    drive.row.speed = drive.speed;
    drive.row.motor = drive.motor;
    drive.row.drive = static_cast<std::int32_t>(&drive - drives_.data());
  }
}

void JointDrives::begin(const State& middle, bool located) {
  rounds_ = 0;
  place(middle);
  for (Drive& drive : drives_) {
    drive.off = rate_off(drive, middle);
    drive.located = located && !is_at_speed(drive, drive.off);
    drive.pull = -sign(drive.off);
  }
  for (Drive& drive : drives_) {
    if (!drive.located && !rival_holds(drive)) drive.pull = 0;
  }
}

// Two speeds cannot both be held.
bool JointDrives::rival_holds(const Drive& drive) const {
  return std::ranges::any_of(drives_, [&](const Drive& other) {
    return other.joint == drive.joint && other.pull == 0 && other.speed != drive.speed;
  });
}

void JointDrives::append_rows(std::vector<dynamics::JointRow>& rows) const {
  for (const Drive& drive : drives_)
    if (drive.pull == 0) rows.push_back(drive.row);
}

void JointDrives::apply(std::span<Wrench> wrenches) const {
  const auto push = [&](BodyId id, const Vec3& force, const Vec3& torque) {
    if (!scene_.body(id).is_dynamic()) return;
    Wrench& wrench = wrenches[index(id)];
    wrench.force += force;
    wrench.torque += torque;
    wrench.leverage += torque.norm();
  };
  for (const auto& [row, force] : pulls()) {
    push(row.a, force * row.linear_a, force * row.angular_a);
    push(row.b, force * row.linear_b, force * row.angular_b);
  }
}

// First all that hold with too much, together; from some round on they are only taken away, so that
// bounds are kept whatever the others do.
bool JointDrives::revise(const Solved& solved) {
  bool changed = false;
  for (std::size_t i = 0; i < solved.joints.problem.equalities.size(); ++i) {
    const auto source = static_cast<std::size_t>(solved.joints.problem.equalities[i].source);
    const std::int32_t number = solved.joints.rows[source].drive;
    if (number < 0) continue;
    Drive& drive = drives_[static_cast<std::size_t>(number)];
    const double force = solved.joints.impulses.equalities[i] / solved.duration;
    if (std::abs(force) <= drive.bound) continue;
    drive.pull = sign(force);
    changed = true;
  }
  if (changed || ++rounds_ > kMaxRounds) return changed;
  for (Drive& drive : drives_) {
    if (drive.located || !is_past(drive, solved.end) || rival_holds(drive)) continue;
    drive.pull = 0;
    changed = true;
  }
  return changed;
}

bool JointDrives::is_past(const Drive& drive, const State& end) const {
  const double off = rate_off(drive, end);
  return drive.pull * off > 0 && !is_at_speed(drive, off);
}

double JointDrives::reach(const State& end) const {
  double first = 1;
  for (const Drive& drive : drives_) {
    if (drive.located && is_past(drive, end))
      first = std::min(first, drive.off / (drive.off - rate_off(drive, end)));
  }
  return first;
}

double JointDrives::missed(const State& end) const {
  double most = 0;
  for (const Drive& drive : drives_) {
    if (!drive.located && is_past(drive, end))
      most = std::max(most, lever(drive) * std::abs(rate_off(drive, end)));
  }
  return most;
}

double JointDrives::room(std::size_t i, const State& state) const {
  const Drive& drive = drives_[i];
  const dynamics::JointRow row =
      dynamics::compute_axis_row(scene_.joints[static_cast<std::size_t>(drive.joint)], state);
  const double off = dynamics::row_rate(row, state) - drive.speed;
  const double allowed = drive.located ? 0 : scene_.tolerances.rest_speed;
  return allowed - lever(drive) * drive.pull * off;
}

}  // namespace carom::methods
