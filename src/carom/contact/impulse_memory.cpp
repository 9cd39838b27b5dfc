#include "carom/contact/impulse_memory.h"

#include <algorithm>
#include <tuple>

namespace carom::contact {

bool ImpulseMemory::Force::operator<(const Force& other) const {
  return std::tie(a, b, feature) < std::tie(other.a, other.b, other.feature);
}

void ImpulseMemory::recall(const ContactSet& contacts, const ContactProblem& problem,
                           double duration, Impulses& out) const {
  out.contacts.assign(problem.contacts.size(), Vec3::Zero());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ContactRow& row = problem.contacts[i];
    const Contact& contact = contacts[static_cast<std::size_t>(row.source)];
    const Force key{contact.a, contact.b, contact.feature, {}};
    const auto found = std::lower_bound(forces_.begin(), forces_.end(), key);
    if (found == forces_.end() || key < *found) continue;
    const Vec3 p = duration * Vec3(found->on_a[0], found->on_a[1], found->on_a[2]);
    const double normal = row.normal.dot(p);
    if (!(normal > 0)) continue;
    out.contacts[i].x() = normal;
    if (row.friction > 0) out.contacts[i].tail<2>() << row.tangent1.dot(p), row.tangent2.dot(p);
  }
}

void ImpulseMemory::remember(const ContactSet& contacts, const ContactProblem& problem,
                             double duration, const Impulses& impulses) {
  forces_.clear();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (impulses.contacts[i].isZero(0)) continue;
    const ContactRow& row = problem.contacts[i];
    const Contact& contact = contacts[static_cast<std::size_t>(row.source)];
    const Vec3 force = world_impulse(row, impulses.contacts[i]) / duration;
    forces_.push_back({contact.a, contact.b, contact.feature, {force.x(), force.y(), force.z()}});
  }
  std::sort(forces_.begin(), forces_.end());
}

}  // namespace carom::contact
