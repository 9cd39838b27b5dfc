#include "carom/methods/shared/crowd.h"

#include <algorithm>
#include <cmath>

#include "carom/base/bytes.h"

namespace carom::methods {

namespace {

constexpr double kLongest = 0.02;  // of the time in which a body crosses its own size
constexpr int kFew = 10;           // impacts of a body in a step
constexpr double kFast = 2;        // of what falling gives in a step
constexpr double kSlow = 10;       // rest speeds
constexpr int kMostCalm = 10;      // steps, in each of which the room between bodies is halved

}  // namespace

Crowd::Crowd(const Scene& scene)
    : scene_(scene),
      impacts_(scene.bodies.size()),
      crowded_(scene.bodies.size()),
      touches_(scene.bodies.size()) {
  for (const Body& body : scene.bodies) may_join_.push_back(body.is_dynamic() ? 1 : 0);
  for (const model::Joint& joint : scene.joints)
    may_join_[index(joint.a)] = may_join_[index(joint.b)] = 0;
}

double Crowd::longest_step(const Scene& scene) {
  return kLongest * scene.tolerances.length / scene.tolerances.speed;
}

void Crowd::begin_step(double duration, const State& state) {
  std::ranges::fill(impacts_, 0);
  const base::Tolerances& scale = scene_.tolerances;
  fast_ = kFast * duration * scale.speed * scale.speed / scale.length;
  if (!any_) return;
  const bool rests = !closes_ && is_slow(state);
  calm_ = rests ? calm_ + 1 : std::max(calm_ - 1, 0);
  closes_ = false;
  std::swap(crowded_, touches_);
  std::ranges::fill(touches_, 0);
  if (calm_ > kMostCalm) {
    std::ranges::fill(crowded_, 0);
    calm_ = 0;
  }
  any_ = std::ranges::find(crowded_, 1) != crowded_.end();
}

bool Crowd::is_slow(const State& state) const {
  for (std::size_t i = 0; i < crowded_.size(); ++i) {
    const BodyState& body = state.bodies[i];
    const double speed = body.v.norm() + scene_.bodies[i].radius * body.w.norm();
    if (crowded_[i] != 0 && speed > kSlow * scene_.tolerances.rest_speed) return false;
  }
  return true;
}

void Crowd::mark(BodyId id) {
  if (may_join_[index(id)] == 0) return;
  crowded_[index(id)] = touches_[index(id)] = 1;
  any_ = true;
}

void Crowd::join(BodyId a, BodyId b) {
  closes_ = true;
  mark(a);
  mark(b);
}

void Crowd::note_impact(const contact::ContactSet& contacts, double slow) {
  for (const contact::Contact& contact : contacts) {
    if (contact.approach_rate >= -slow) continue;
    const int most = std::max(++impacts_[index(contact.a)], ++impacts_[index(contact.b)]);
    const bool both_move =
        scene_.body(contact.a).is_dynamic() && scene_.body(contact.b).is_dynamic();
    if (most > kFew && both_move) join(contact.a, contact.b);
  }
}

void Crowd::note_pushing(const contact::ContactSet& contacts, double near) {
  for (const contact::Contact& contact : contacts) {
    mark(contact.a);
    mark(contact.b);
    closes_ |= contact.at.gap > near;
  }
}

bool Crowd::is_hit_often(const contact::Contact& contact) const {
  const auto often = [&](BodyId id) {
    return scene_.body(id).is_dynamic() && impacts_[index(id)] > kFew;
  };
  return often(contact.a) || often(contact.b);
}

bool Crowd::holds(const contact::Contact& contact) const {
  return crowded_[index(contact.a)] != 0 || crowded_[index(contact.b)] != 0;
}

double Crowd::part_of_room() const { return std::ldexp(1.0, -calm_); }

void Crowd::save(std::string& bytes) const {
  base::append_bytes(bytes, crowded_);
  base::append_bytes(bytes, touches_);
  base::append_bytes(bytes, closes_);
  base::append_bytes(bytes, calm_);
}

void Crowd::restore(std::string_view& bytes) {
  base::take_bytes(bytes, crowded_);
  base::take_bytes(bytes, touches_);
  base::take_bytes(bytes, closes_);
  base::take_bytes(bytes, calm_);
  any_ = std::ranges::find(crowded_, 1) != crowded_.end();
}

}  // namespace carom::methods
