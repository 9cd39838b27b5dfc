// What implicit impulses did, contact by contact and joint by joint, for the record.
#include <algorithm>
#include <cmath>

#include "carom/methods/elastic/implicit_impulses.h"

namespace carom::methods {

// Of a point, the mean of before and after the impulses.
Vec3 ImplicitImpulses::mean_velocity(BodyId id, const Vec3& point) const {
  const Vec3 lever = point - before_[id].x;
  return 0.5 * (before_[id].twist().at(lever) + scratch_.now[id].twist().at(lever));
}

// Springs share what they have taken by what they hold.
void ImplicitImpulses::write_effects(double stored) {
  double held = 0;
  for (const Contact& contact : contacts_) held += contact.held;
  acted_.clear();
  write_contacts(held > 0 ? stored / held : 0);
  write_joints();
}

void ImplicitImpulses::write_contacts(double share) {
  std::size_t pair = pairs_.all.size();  // none
  double load = 0;
  Vec3 drag = Vec3::Zero();
  for (const Contact& contact : contacts_) {
    const contact::Contact& at = contact.spring.at;
    if (contact.pair != pair) {
      pair = contact.pair;
      load = 0;
      drag.setZero();
      Acted& next = acted_.emplace_back();
      next.force.a = at.a;
      next.force.b = at.b;
      next.touch = pairs_.all[pair];
      acted_.back().force.point = at.at.point;
    }
    Acted& acted = acted_.back();
    const Vec3 n = at.at.normal;
    // The tangents as they were turned: from the rows' linear parts.
    const BodyId moving = scene_.body(at.a).is_dynamic() ? at.a : at.b;
    const int part = moving == at.a ? 0 : 1;
    const double scale =
        (part == 0 ? 1 : -1) * root_masses_[static_cast<std::size_t>(stretch_of(moving))];
    const Vec3 first = scale * rows_.part(contact.row + 1, part).head<3>();
    const Vec3 second = scale * rows_.part(contact.row + 2, part).head<3>();
    const Vec3 across = contact.impulse.y() * first + contact.impulse.z() * second;
    const Vec3 impulse = contact.impulse.x() * n + across;
    acted.effect.impulse += impulse;
    acted.effect.moment += at.at.point.cross(impulse);
    acted.effect.work_a += impulse.dot(mean_velocity(at.a, at.at.point));
    acted.effect.work_b += impulse.dot(mean_velocity(at.b, at.at.point));
    const double sum = load + contact.impulse.x();
    if (sum > 0) acted.force.point += contact.impulse.x() / sum * (at.at.point - acted.force.point);
    load = sum;
    drag += across;
    acted.force.force = acted.effect.impulse / h_;
    acted.force.torque = (acted.effect.moment - acted.force.point.cross(acted.effect.impulse)) / h_;
    const double depth = std::max(0.0, -at.at.gap);
    acted.depth = std::max(acted.depth, depth);
    acted.touch.stored += share * contact.held;
    const double most = contact.spring.law.friction * load;
    const Vec3 bristle = most > 0 ? Vec3(-drag / most) : Vec3(Vec3::Zero());
    const Vec3 kept = bristle / std::max(1.0, bristle.norm());
    std::copy_n(kept.data(), 3, acted.touch.bristle.begin());
  }
}

void ImplicitImpulses::write_joints() {
  for (std::size_t i = 0; i < holds_.size(); ++i) {
    const dynamics::JointRow& row = holds_[i].joint;
    if (i == 0 || holds_[i - 1].joint.joint != row.joint) {
      const model::Joint& joint = scene_.joints[static_cast<std::size_t>(row.joint)];
      Acted& next = acted_.emplace_back();
      next.force.a = joint.a;
      next.force.b = joint.b;
      acted_.back().force.joint = row.joint;
      acted_.back().force.point = before_[joint.a].pose() * joint.X_AJ.p;
    }
    Acted& acted = acted_.back();
    const double size = holds_[i].impulse;
    const auto work = [&](BodyId id, const Vec3& linear, const Vec3& angular) {
      const BodyState &from = before_[id], &to = scratch_.now[id];
      return 0.5 * size * (linear.dot(from.v + to.v) + angular.dot(from.w + to.w));
    };
    acted.effect.impulse += size * row.linear_a;
    acted.effect.moment += size * (row.angular_a + before_[row.a].x.cross(row.linear_a));
    acted.effect.work_a += work(row.a, row.linear_a, row.angular_a);
    acted.effect.work_b -= work(row.b, row.linear_b, row.angular_b);
    acted.force.force = acted.effect.impulse / h_;
    acted.force.torque = (acted.effect.moment - acted.force.point.cross(acted.effect.impulse)) / h_;
  }
}

}  // namespace carom::methods
