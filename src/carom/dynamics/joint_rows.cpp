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
};

Placement place(const Joint& joint, const State& state) {
  const BodyState& a = state[joint.a];
  const BodyState& b = state[joint.b];
  const Vec3 r_a = a.q * joint.X_AJ.p;
  const Vec3 r_b = b.q * joint.X_BJ.p;
  return {joint, r_a, r_b, a.x + r_a - b.x - r_b, a.q * joint.X_AJ.q, b.q * joint.X_BJ.q};
}

class Rows {
 public:
  Rows(const Placement& at, std::vector<JointRow>& out) : at_(at), out_(out) {}

  // The anchors keep their distance along `direction`; error is what is too much of it.
  void along(const Vec3& direction, double error) {
    out_.push_back({at_.joint.a, at_.joint.b, direction, at_.r_a.cross(direction), -direction,
                    -at_.r_b.cross(direction), error});
  }
  // The bodies do not turn against each other about `axis`.
  void about(const Vec3& axis, double error) {
    out_.push_back({at_.joint.a, at_.joint.b, Vec3::Zero(), axis, Vec3::Zero(), -axis, error});
  }
  void anchors_meet() {
    for (int i = 0; i < 3; ++i) along(Vec3::Unit(i), at_.apart[i]);
  }
  // With z_a = z_b + θ × z_b for a small rotation θ of a against b, z_b × z_a = θ without its part
  // along the axis.
  void axes_align() {
    const Vec3 z_a = at_.q_a * Vec3::UnitZ();
    const Vec3 z_b = at_.q_b * Vec3::UnitZ();
    const math::Tangents across = math::make_tangents(z_a);
    about(across.first, across.first.dot(z_b.cross(z_a)));
    about(across.second, across.second.dot(z_b.cross(z_a)));
  }
  void frames_align() {
    const Quat difference = at_.q_a * at_.q_b.conjugate();
    const Vec3 turn = (difference.w() < 0 ? -2.0 : 2.0) * difference.vec();
    for (int i = 0; i < 3; ++i) about(Vec3::Unit(i), turn[i]);
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
      held.along(across.first, across.first.dot(at.apart));
      held.along(across.second, across.second.dot(at.apart));
      return held.frames_align();
    }
    case JointType::Universal: {  // the first axis, z on a, stays square to the second, x on b
      rows.anchors_meet();
      const Vec3 first = at.q_a * Vec3::UnitZ();
      const Vec3 second = at.q_b * Vec3::UnitX();
      return rows.about(first.cross(second), first.dot(second));
    }
    case JointType::Distance: {
      const double distance = at.apart.norm();
      const Vec3 direction = distance > 0 ? Vec3(at.apart / distance) : Vec3(Vec3::UnitZ());
      return rows.along(direction, distance - at.joint.length);
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
  for (const Joint& joint : scene.joints) {
    if (!scene.body(joint.a).is_dynamic() && !scene.body(joint.b).is_dynamic()) continue;
    append_rows(place(joint, state), out);
  }
}

}  // namespace carom::dynamics
