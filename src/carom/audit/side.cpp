#include "carom/audit/side.h"

namespace carom::audit {

const Pose& PoseMemory::find(const RigidMotion& motion, double s) {
  for (std::size_t k = 0; k < kKept; ++k)
    if (times_[k] == s) return poses_[k];
  const std::size_t k = next_;
  next_ = (next_ + 1) % kKept;
  times_[k] = s;
  poses_[k] = math::pose_at(motion, s);
  return poses_[k];
}

void PoseMemory::forget() { times_.fill(kNone); }

Pose Side::pose(double s) const {
  if (solid.is_ball()) return {center(s), Quat::Identity()};
  return body_pose(s);
}

Pose Side::body_pose(double s) const {
  if (ends != nullptr && s == 0) return ends->first;
  if (ends != nullptr && s == ends->duration) return ends->last;
  const double at = since + s;
  if (at == segment.duration) return segment.end.pose();
  return memory != nullptr ? memory->find(segment.motion, at) : math::pose_at(segment.motion, at);
}

Vec3 Side::center(double s) const {
  if (ends != nullptr && s == 0) return ends->first.p;
  if (ends != nullptr && s == ends->duration) return ends->last.p;
  const double at = since + s;
  return at == segment.duration ? segment.end.x : math::position_at(segment.motion, at);
}

Vec3 Side::velocity(double s) const {
  const double at = since + s;
  return at == segment.duration ? segment.end.v : math::velocity_at(segment.motion, at);
}

}  // namespace carom::audit
