// The one motion that a hinge or a slider leaves free: its coordinate and the row whose rate is the
// coordinate's. What drives or brakes a joint acts along it.
#pragma once

#include "carom/dynamics/joint_rows.h"

namespace carom::dynamics {

constexpr bool has_axis(model::JointType type) {
  return type == model::JointType::Hinge || type == model::JointType::Slider;
}

// Of a joint that has an axis: rad/s or m/s of the first body against the second, about the axis or
// along it.
JointRow compute_axis_row(const model::Joint& joint, const State& state);

}  // namespace carom::dynamics
