// One of two solids that approach each other: where it is at any time of the approach, and how
// sharply it can turn.
#pragma once

#include <array>
#include <limits>

#include "carom/audit/motion_bounds.h"
#include "carom/audit/overlap.h"

namespace carom::audit {

struct Interval {
  double from, to;
};

// The last poses on one path that were asked for: a body's neighbours ask for the same ones.
class PoseMemory {
 public:
  const Pose& find(const RigidMotion& motion, double s);
  void forget();

 private:
  static constexpr std::size_t kKept = 8;
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::array<double, kKept> times_{kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  std::array<Pose, kKept> poses_;
  std::size_t next_ = 0;
};

// Where a body is as an approach begins and ends, for whoever knows.
struct Ends {
  double duration;
  Pose first, last;
};

struct Side {
  const Solid& solid;
  const BodySegment& segment;
  MotionBounds bounds;
  double since = 0;  // s; of the body's segment that had passed when the approach began
  const MotionBounds* of_surface = nullptr;  // where what the solid fills turns less than the body
  const Ends* ends = nullptr;
  PoseMemory* memory = nullptr;

  const MotionBounds& surface() const { return of_surface != nullptr ? *of_surface : bounds; }
  Pose pose(double s) const;  // of the body, s after that; a ball does not turn
  Vec3 velocity(double s) const;
  Vec3 acceleration() const { return math::acceleration_at(segment.motion, since); }  // at first
  PlacedSolid at(double s) const { return {solid, pose(s) * solid.X_BS}; }

 private:
  Pose body_pose(double s) const;
  Vec3 center(double s) const;
};

}  // namespace carom::audit
