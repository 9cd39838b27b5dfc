// Holonomic connections between two bodies, placed in the frames of the bodies they connect.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "carom/base/ids.h"
#include "carom/math/pose.h"

namespace carom::model {

enum class JointType { Ball, Hinge, Slider, Universal, Fixed, Distance };

struct Motor {
  double speed = 0;       // rad/s or m/s
  double max_torque = 0;  // N m or N
};

// A spring that pulls a joint back to where it rests.
struct JointSpring {
  double stiffness = 0;  // N m/rad or N/m
  double damping = 0;    // N m s/rad or N s/m
  double rest = 0;       // rad or m
};

struct Joint {
  std::string name;
  JointType type = JointType::Ball;
  BodyId a{}, b{};
  // Joint frame on either body, from its centre of mass; the frames coincide at t = 0, except that
  // those of a distance joint stand at its two anchors. The frame's z is the axis of a hinge or a
  // slider, a universal joint's first axis (fixed in a; its x, fixed in b, is the second), and
  // points from a's to b's anchor in a distance joint.
  Pose X_AJ, X_BJ;
  double length = 0;  // m; between the anchors of a distance joint
  // Bounds of a hinge's angle or a slider's way, which are zero at t = 0; of the distance of a
  // distance joint, which is free between them.
  std::optional<std::pair<double, double>> limits;
  double restitution = 0;  // coefficient of blows against limits
  std::optional<Motor> motor;
  std::optional<JointSpring> spring;
  double friction = 0;  // N m or N; dry
  bool collide = false;
};

}  // namespace carom::model
