// How far two bodies that hold on to each other have slipped and turned, from collision to
// collision and in checkpoints.
#include <algorithm>
#include <cmath>

#include "carom/dynamics/state_bytes.h"
#include "carom/methods/microcollision/collision_law.h"

namespace carom::methods {

namespace {

constexpr double kRecent = 0.125;  // weight of the last interval between collisions in their mean
constexpr double kLetGo = 20;      // hops without a collision that end a grip
constexpr double kFarthest = 10;   // hop heights that a grip stretches

// The angle by which `to` is turned about n against `from`; small.
double turned(const BodyState& from, const BodyState& to, const Vec3& n) {
  return n.dot(math::quat_log(to.q * from.q.conjugate()));
}

// The numbers of a record in a fixed order.
template <typename Each, typename Visit>
void visit_numbers(Each& stick, const Visit& visit) {
  const auto visit_all = [&](auto& vector) {
    for (auto& number : vector) visit(number);
  };
  visit(stick.t);
  dynamics::visit_numbers(stick.a, visit);
  dynamics::visit_numbers(stick.b, visit);
  visit_all(stick.foot);
  visit_all(stick.drift);
  visit(stick.turn);
  visit(stick.interval);
}

}  // namespace

StickRecord& CollisionLaw::find_stick_record(const Encounter& meeting) {
  const std::pair key(meeting.id_a, meeting.id_b);
  auto at = std::lower_bound(sticks_.begin(), sticks_.end(), key,
                             [](const StickRecord& each, const auto& k) { return each.key() < k; });
  if (at == sticks_.end() || at->key() != key) {
    at = sticks_.insert(at, StickRecord{});
    at->id_a = meeting.id_a;
    at->id_b = meeting.id_b;
    at->t = -HUGE_VAL;
  }
  return *at;
}

// Right under the centre of the smaller body that moves freely: there a body that walks from corner
// to corner slips, though its corners do not.
Vec3 CollisionLaw::find_foot(const Encounter& meeting) const {
  const Body &a = scene_.body(meeting.id_a), &b = scene_.body(meeting.id_b);
  const bool on_a = a.is_dynamic() && (!b.is_dynamic() || a.radius <= b.radius);
  const Vec3& x = on_a ? meeting.a.x : meeting.b.x;
  const Vec3& n = meeting.at.normal;
  return x + n.dot(meeting.at.point - x) * n;
}

// How far a body has carried a point of its own that was under the foot. Others may have pushed it
// meanwhile, so where it is counts, not how fast it was; what is driven goes round in circles.
Vec3 CollisionLaw::moved(BodyId id, const BodyState& from, const BodyState& to,
                         const Vec3& foot_from, const Vec3& foot_to, double dt) const {
  const Vec3 lever_from = foot_from - from.x, lever_to = foot_to - to.x;
  if (!scene_.body(id).is_dynamic())
    return 0.5 * dt * (from.twist().at(lever_from) + to.twist().at(lever_to));
  const Vec3 turn = math::quat_log(to.q * from.q.conjugate());
  return to.x - from.x + turn.cross(0.5 * (lever_from + lever_to));
}

void CollisionLaw::update_stick(StickRecord& stick, double t, const Encounter& meeting,
                                double hop_time) const {
  const Vec3 foot = find_foot(meeting);
  const Vec3& n = meeting.at.normal;
  const double dt = t - stick.t;
  if (dt < kLetGo * hop_time) {
    const Vec3 slip = moved(meeting.id_a, stick.a, meeting.a, stick.foot, foot, dt) -
                      moved(meeting.id_b, stick.b, meeting.b, stick.foot, foot, dt);
    stick.drift += slip - n.dot(slip) * n;
    stick.turn += turned(stick.a, meeting.a, n) - turned(stick.b, meeting.b, n);
    stick.interval += kRecent * (std::min(dt, hop_time) - stick.interval);
  } else {
    stick.drift.setZero();
    stick.turn = stick.interval = 0;
  }
  const double radius =
      std::min(scene_.body(meeting.id_a).radius, scene_.body(meeting.id_b).radius);
  const double farthest = kFarthest * rule_.epsilon * 2 * radius;
  const double drift = stick.drift.norm();
  if (drift > farthest) stick.drift *= farthest / drift;
  stick.turn = std::clamp(stick.turn, -farthest / radius, farthest / radius);
  stick.foot = foot;
  stick.t = t;
}

void MicrocollisionMemory::save(std::string& bytes) const {
  base::append_bytes(bytes, vibration);
  base::append_bytes(bytes, undivided);
  base::append_bytes(bytes, sticks.size());
  for (const StickRecord& each : sticks) {
    base::append_bytes(bytes, each.id_a);
    base::append_bytes(bytes, each.id_b);
    visit_numbers(each, [&](const double& number) { base::append_bytes(bytes, number); });
  }
}

void MicrocollisionMemory::restore(std::string_view& bytes) {
  base::take_bytes(bytes, vibration);
  base::take_bytes(bytes, undivided);
  std::size_t count = 0;
  base::take_bytes(bytes, count);
  sticks.assign(count, {});
  for (StickRecord& each : sticks) {
    base::take_bytes(bytes, each.id_a);
    base::take_bytes(bytes, each.id_b);
    visit_numbers(each, [&](double& number) { base::take_bytes(bytes, number); });
  }
}

}  // namespace carom::methods
