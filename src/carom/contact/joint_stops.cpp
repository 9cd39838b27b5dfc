#include "carom/contact/joint_stops.h"

namespace carom::contact {

namespace {

using geometry::FeaturePair;
using model::Joint;
using model::JointType;

FeaturePair make_stop(const Scene& scene, const Joint& joint, double bound, double sign) {
  if (joint.type == JointType::Hinge) {
    const double middle = 0.5 * (joint.limits->first + joint.limits->second);
    return geometry::HingeStop{joint.X_AJ, joint.X_BJ, middle,
                               bound,      sign,       stop_lever(scene, joint)};
  }
  const Vec3 n = sign * (joint.X_BJ.q * Vec3::UnitZ());
  return geometry::PointPlane{joint.X_AJ.p, 0, n, sign * bound + n.dot(joint.X_BJ.p)};
}

std::vector<FeaturePair> make_distance_stops(const Joint& joint) {
  const auto [low, high] = *joint.limits;
  std::vector<FeaturePair> stops;
  if (low > 0)
    stops.push_back(geometry::BallBall{joint.X_AJ.p, joint.X_BJ.p, 0.5 * low, 0.5 * low});
  stops.push_back(geometry::Tether{joint.X_AJ.p, joint.X_BJ.p, high});
  return stops;
}

}  // namespace

std::vector<FeaturePair> make_stops(const Scene& scene, const Joint& joint) {
  if (!joint.limits) return {};
  if (joint.type == JointType::Distance) return make_distance_stops(joint);
  return {make_stop(scene, joint, joint.limits->first, 1),
          make_stop(scene, joint, joint.limits->second, -1)};
}

double stop_lever(const Scene& scene, const Joint& joint) {
  if (joint.type != JointType::Hinge) return 0;
  return scene.body(scene.body(joint.a).is_dynamic() ? joint.a : joint.b).radius;
}

}  // namespace carom::contact
