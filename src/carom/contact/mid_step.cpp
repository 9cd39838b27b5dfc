#include "carom/contact/mid_step.h"

#include <cmath>

namespace carom::contact {

namespace {

// Of the distance of a contact from a body's centre, beyond how far it slides and rolls. Where two
// edges are almost parallel, their crossing can run off within a step; it stays with the bodies
// then.
constexpr double kFarthest = 0.1;

Vec3 velocity_of_a(const Contact& contact, const State& state) {
  const BodyState& a = state[contact.a];
  return a.twist().at(contact.at.point - a.x);
}

Vec3 velocity_of_b(const Contact& contact, const State& state) {
  const BodyState& b = state[contact.b];
  return b.twist().at(contact.at.point - b.x);
}

bool is_moving(const BodyState& body) { return !body.v.isZero(0) || !body.w.isZero(0); }

}  // namespace

void MidStep::place(const State& start, std::span<const Contact> contacts,
                    std::span<const ContactFeatures> features, double duration) {
  duration_ = duration;
  moves_ = false;
  state_ = start;
  dynamics::drift(0.5 * duration, state_);
  contacts_.assign(contacts.begin(), contacts.end());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Contact& contact = contacts_[i];
    if (!is_moving(start[contact.a]) && !is_moving(start[contact.b])) continue;
    moves_ = true;
    const auto at = point_at(features[i], state_[contact.a].pose(), state_[contact.b].pose());
    contact.at = keep_near(at, start, contact);
  }
}

void MidStep::place(const State& start, std::span<const Contact> contacts, Pairs& pairs,
                    double duration) {
  duration_ = duration;
  state_ = start;
  dynamics::drift(0.5 * duration, state_);
  contacts_.assign(contacts.begin(), contacts.end());
  for (Contact& contact : contacts_)
    contact.at.normal.setConstant(NAN);  // unless it is found again
  pairs.follow_near_contacts(state_, duration, contacts_);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    contacts_[i].at = keep_near(contacts_[i].at, start, contacts[i]);
}

geometry::ContactPoint MidStep::keep_near(const geometry::ContactPoint& at, const State& start,
                                          const Contact& contact) const {
  const Vec3 with_bodies =
      contact.at.point +
      0.25 * duration_ * (velocity_of_a(contact, start) + velocity_of_b(contact, start));
  const BodyId moving = scene_.body(contact.a).is_dynamic() ? contact.a : contact.b;
  const double lever = (contact.at.point - start[moving].x).norm();
  const double slip = (velocity_of_a(contact, start) - velocity_of_b(contact, start)).norm();
  const double spin = start[contact.a].w.norm() + start[contact.b].w.norm();
  const double reach = kFarthest * lever + 0.5 * duration_ * (slip + spin * lever);
  if ((at.point - with_bodies).norm() <= reach && at.normal.allFinite()) return at;
  return {with_bodies, contact.at.normal, contact.at.gap};
}

void MidStep::refer_to_start(const State& start, std::span<const Contact> contacts,
                             std::span<const double> off, ContactProblem& problem) const {
  for (ContactRow& row : problem.contacts) {
    const Contact& contact = contacts[static_cast<std::size_t>(row.source)];
    const Vec3 slip = velocity_of_a(contact, start) - velocity_of_b(contact, start);
    const Vec3 u0{contact.at.normal.dot(slip), row.tangent1.dot(slip), row.tangent2.dot(slip)};
    const double turn = duration_ * (start[contact.a].w.norm() + start[contact.b].w.norm());
    const Vec3 change = 2 * (row.rate - u0);
    row.bias = (change + part_left_by_a_step(u0, turn * change.norm())) / duration_;
    row.rate = u0;
    row.gap = off[static_cast<std::size_t>(row.source)];
  }
}

Vec3 MidStep::part_left_by_a_step(const Vec3& u0, double error) const {
  const auto part = [&](double speed) {
    if (speed >= scene_.tolerances.rest_speed) return 0.0;
    return speed > error ? error / speed : 1.0;
  };
  const double along = part(std::abs(u0.x())), across = part(std::hypot(u0.y(), u0.z()));
  return {along * u0.x(), across * u0.y(), across * u0.z()};
}

}  // namespace carom::contact
