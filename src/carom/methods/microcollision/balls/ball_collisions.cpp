// What BallClock does when two meet.
#include <algorithm>

#include "carom/math/rotation.h"
#include "carom/methods/microcollision/balls/ball_clock.h"

namespace carom::methods {

void BallClock::collide(std::int32_t ball) {
  const std::int32_t partner = outlooks_[at(ball)].partner;
  Meeting meeting = partner >= 0 ? meet_ball(ball, partner) : meet_plane(ball, partner);
  const model::PairProperties& between =
      scene_.pairs(kind_of(balls_[at(ball)]).material,
                   partner >= 0 ? kind_of(balls_[at(partner)]).material : plane(partner).material);
  BallImpact impact;
  if (is_smooth(between)) {
    impact = collide_smooth(meeting.a, meeting.b, meeting.normal, between.restitution, hop_);
    bounce(impact, meeting);
  } else {
    turn_to_now(ball, meeting.a);
    if (partner >= 0) turn_to_now(partner, meeting.b);
    impact = collide_rough(meeting.a, meeting.b, meeting.normal, between, hop_);
    bounce(impact, meeting);
    spins_[at(ball)].w = meeting.a.w;
    if (partner >= 0) spins_[at(partner)].w = meeting.b.w;
  }
  if (listener_) record_collision(impact, meeting);
  look_out(ball);
  if (partner >= 0) look_out(partner);
}

ContactSide BallClock::side_of(std::int32_t ball) const {
  const Ball& own = balls_[at(ball)];
  const BallKind& kind = kind_of(own);
  return {own.v + now_ * scene_.gravity, Vec3::Zero(), kind.radius, kind.inverse_mass,
          kind.inverse_inertia};
}

BallClock::Meeting BallClock::meet_ball(std::int32_t ball, std::int32_t partner) const {
  const Vec3 x_a = balls_[at(ball)].position_at(now_);
  const Vec3 x_b = balls_[at(partner)].position_at(now_);
  return {ball, partner, (x_a - x_b).normalized(), x_a, x_b, side_of(ball), side_of(partner)};
}

BallClock::Meeting BallClock::meet_plane(std::int32_t ball, std::int32_t partner) const {
  const Vec3 x_a = balls_[at(ball)].position_at(now_);
  return {ball, partner, plane(partner).normal, x_a, Vec3::Zero(), side_of(ball), {}};
}

void BallClock::turn_to_now(std::int32_t ball, ContactSide& side) {
  Spin& spin = spins_[at(ball)];
  spin.q = math::quat_exp((now_ - spin.clock) * spin.w) * spin.q;
  spin.clock = now_;
  side.w = spin.w;
}

void BallClock::bounce(const BallImpact& impact, Meeting& meeting) {
  ++collisions_;
  if (impact.lift > 0) {
    ++vibration_.lifts;
    vibration_.energy_in += impact.lift;
    vibration_.greatest_lift = std::max(vibration_.greatest_lift, impact.lift);
  }
  push(impact.impulse, impact.couple, -meeting.normal, meeting.a);
  set_way(meeting.ball, meeting.x_a, meeting.a.v);
  if (meeting.partner >= 0) {
    push(-impact.impulse, -impact.couple, meeting.normal, meeting.b);
    set_way(meeting.partner, meeting.x_b, meeting.b.v);
  }
}

void BallClock::set_way(std::int32_t ball, const Vec3& x, const Vec3& v) {
  Ball& own = balls_[at(ball)];
  own.x = x;
  own.v = v - now_ * scene_.gravity;
  own.clock = now_;
  ++own.hits;
}

BodyState BallClock::standing(BodyId plane) const {
  const model::InitialMotion& there = scene_.initial[index(plane)];
  return {there.x, there.q, there.v, there.w};
}

// The body with the lower number is a.
void BallClock::record_collision(const BallImpact& impact, const Meeting& meeting) {
  const bool both = meeting.partner >= 0;
  const BodyId id_a = body_of(meeting.ball);
  const BodyId id_b = both ? body_of(meeting.partner) : plane(meeting.partner).body;
  const bool turned = id_b < id_a;
  const double sign = turned ? -1 : 1;
  record::Collision told{
      .event = {.t = start_ + now_,
                .kind =
                    impact.micro ? record::EventKind::Microcollision : record::EventKind::Impact,
                .a = id_a,
                .b = id_b,
                .point = seen_standing(meeting.x_a, now_) - meeting.a.radius * meeting.normal,
                .normal = sign * meeting.normal,
                .approach_speed = impact.approach,
                .separation_speed = impact.separation,
                .impulse = sign * impact.impulse,
                .iterations = 1},
      .couple = sign * impact.couple,
      .a = state_of(meeting.ball, now_),
      .b = both ? state_of(meeting.partner, now_) : standing(id_b)};
  if (turned) {
    std::swap(told.event.a, told.event.b);
    std::swap(told.a, told.b);
  }
  listener_->push_back(told);
}

}  // namespace carom::methods
