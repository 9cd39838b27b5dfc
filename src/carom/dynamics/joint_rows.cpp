#include "carom/dynamics/joint_rows.h"

namespace carom::dynamics {

namespace {

using model::Joint;
using model::JointType;

// A joint's frames and anchors at one state, world axes.
struct Placement {
  const Joint& joint;
  Vec3 r_a, r_b;  // levers of the anchors
  Vec3 apart;     // anchor on a minus anchor on b
  Quat q_a, q_b;  // attitudes of the joint frames
  Twist V_a, V_b;

  Vec3 apart_rate() const { return V_a.at(r_a) - V_b.at(r_b); }
  // From velocities alone: what turning does to the levers.
  Vec3 apart_acceleration() const {
    return V_a.w.cross(V_a.w.cross(r_a)) - V_b.w.cross(V_b.w.cross(r_b));
  }
};

Placement place(const Joint& joint, const State& state) {
  const BodyState& a = state[joint.a];
  const BodyState& b = state[joint.b];
  const Vec3 r_a = a.q * joint.X_AJ.p;
  const Vec3 r_b = b.q * joint.X_BJ.p;
  return {joint,     r_a,      r_b, a.x + r_a - b.x - r_b, a.q * joint.X_AJ.q, b.q * joint.X_BJ.q,
          a.twist(), b.twist()};
}

class Rows {
 public:
  Rows(const Placement& at, std::vector<JointRow>& out) : at_(at), out_(out) {}

  // The anchors keep their distance along `direction`; error is what is too much of it.
  void along(const Vec3& direction, double error, double bias) {
    out_.push_back({at_.joint.a, at_.joint.b, direction, at_.r_a.cross(direction), -direction,
                    -at_.r_b.cross(direction), error, bias});
  }
  // The bodies do not turn against each other about `axis`.
  void about(const Vec3& axis, double error, double bias) {
    out_.push_back(
        {at_.joint.a, at_.joint.b, Vec3::Zero(), axis, Vec3::Zero(), -axis, error, bias});
  }
  void anchors_meet() {
    const Vec3 bias = at_.apart_acceleration();
    for (int i = 0; i < 3; ++i) along(Vec3::Unit(i), at_.apart[i], bias[i]);
  }
  // With z_a = z_b + θ × z_b for a small rotation θ of a against b, z_b × z_a = θ without its part
  // along the axis. Across the axis, which turns with a, ω_a - ω_b stays zero: its rate there is
  // that of ω_a - ω_b less ω_a × (ω_a - ω_b).
  void axes_align() {
    const Vec3 z_a = at_.q_a * Vec3::UnitZ();
    const Vec3 z_b = at_.q_b * Vec3::UnitZ();
    const math::Tangents across = math::make_tangents(z_a);
    const Vec3 bias = at_.V_a.w.cross(at_.V_b.w);
    about(across.first, across.first.dot(z_b.cross(z_a)), across.first.dot(bias));
    about(across.second, across.second.dot(z_b.cross(z_a)), across.second.dot(bias));
  }
  void frames_align() {
    const Quat difference = at_.q_a * at_.q_b.conjugate();
    const Vec3 turn = (difference.w() < 0 ? -2.0 : 2.0) * difference.vec();
    for (int i = 0; i < 3; ++i) about(Vec3::Unit(i), turn[i], 0);
  }

 private:
  const Placement& at_;
  std::vector<JointRow>& out_;
};

void append_rows(const Placement& at, std::vector<JointRow>& out) {
  Rows rows(at, out);
  switch (at.joint.type) {
    case JointType::Ball:
      return rows.anchors_meet();
    case JointType::Hinge:
      rows.anchors_meet();
      return rows.axes_align();
    case JointType::Fixed:
      rows.anchors_meet();
      return rows.frames_align();
    case JointType::Slider: {
      Placement slid = at;  // b is held where a's anchor is now, so that both feel one force
      slid.r_b += at.apart;
      Rows held(slid, out);
      const math::Tangents across = math::make_tangents(at.q_b * Vec3::UnitZ());
      const Vec3 slide = at.apart_rate() - at.V_b.w.cross(at.apart);  // as b sees it
      const Vec3 bias = at.apart_acceleration() - at.V_b.w.cross(at.apart_rate() + slide);
      held.along(across.first, across.first.dot(at.apart), across.first.dot(bias));
      held.along(across.second, across.second.dot(at.apart), across.second.dot(bias));
      return held.frames_align();
    }
    case JointType::Universal: {  // the first axis, z on a, stays square to the second, x on b
      rows.anchors_meet();
      const Vec3 first = at.q_a * Vec3::UnitZ();
      const Vec3 second = at.q_b * Vec3::UnitX();
      const Vec3 axis_rate =
          at.V_a.w.cross(first).cross(second) + first.cross(at.V_b.w.cross(second));
      return rows.about(first.cross(second), first.dot(second), axis_rate.dot(at.V_a.w - at.V_b.w));
    }
    case JointType::Distance: {
      if (at.joint.limits) return;  // free between them
      const double distance = at.apart.norm();
      const Vec3 direction = distance > 0 ? Vec3(at.apart / distance) : Vec3(Vec3::UnitZ());
      const Vec3 rate = at.apart_rate();
      const Vec3 across = rate - direction.dot(rate) * direction;
      const double turning = distance > 0 ? across.squaredNorm() / distance : 0;
      return rows.along(direction, distance - at.joint.length,
                        direction.dot(at.apart_acceleration()) + turning);
    }
  }
}

}  // namespace

double row_rate(const JointRow& row, const State& state) {
  const BodyState& a = state[row.a];
  const BodyState& b = state[row.b];
  return row.linear_a.dot(a.v) + row.angular_a.dot(a.w) + row.linear_b.dot(b.v) +
         row.angular_b.dot(b.w);
}

void compute_joint_rows(const Scene& scene, const State& state, std::vector<JointRow>& out) {
  out.clear();
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const Joint& joint = scene.joints[i];
    if (!scene.body(joint.a).is_dynamic() && !scene.body(joint.b).is_dynamic()) continue;
    const std::size_t first = out.size();
    append_rows(place(joint, state), out);
    for (std::size_t k = first; k < out.size(); ++k) out[k].joint = static_cast<std::int32_t>(i);
  }
}

}  // namespace carom::dynamics
