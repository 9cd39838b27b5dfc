// Frames made by hand, in closed form: bodies on parabolas that turn steadily or tumble as free
// tops do, and impulses that change their velocities by Newton's law.
#pragma once

#include <vector>

#include "carom/record/frame.h"

namespace carom::record {

class HandMadeFrame {
 public:
  HandMadeFrame(const Scene& scene, const State& start)
      : scene_(scene), start_(start), last_(start) {
    clocks_.assign(start.bodies.size(), start.t);
  }

  BodyState at(BodyId id, double t) const {
    const double s = t - clocks_[index(id)];
    const BodyState& from = last_[id];
    const Body& body = scene_.body(id);
    const Vec3 a = body.is_dynamic() ? scene_.gravity : Vec3::Zero();
    const math::RotationState turned = turn(body, from, s);
    return {from.x + s * from.v + s * s / 2 * a, turned.q.normalized(), from.v + s * a, turned.w};
  }

  struct Push {
    Vec3 impulse = Vec3::Zero(), couple = Vec3::Zero();  // on a
  };
  Collision& collide(double t, BodyId a, BodyId b, const Vec3& point, const Push& push) {
    Collision collision;
    collision.event = {.t = t,
                       .kind = EventKind::Microcollision,
                       .a = a,
                       .b = b,
                       .point = point,
                       .impulse = push.impulse};
    collision.couple = push.couple;
    collision.a = pushed(a, t, point, push);
    collision.b = pushed(b, t, point, {-push.impulse, -push.couple});
    known(a, t, collision.a);
    known(b, t, collision.b);
    return collisions_.emplace_back(collision);
  }

  // What holds from then on, whatever came before.
  void known(BodyId id, double t, const BodyState& state) {
    last_[id] = state;
    clocks_[index(id)] = t;
  }

  Frame finish(double t) {
    end_.t = t;
    end_.bodies.clear();
    for (std::size_t i = 0; i < clocks_.size(); ++i) end_.bodies.push_back(at(id_of<BodyId>(i), t));
    return {start_, collisions_, end_};
  }

 private:
  static math::RotationState turn(const Body& body, const BodyState& from, double s) {
    const bool tumbles = body.is_dynamic() && !body.principal.is_spherical() && !from.w.isZero(0);
    if (tumbles) return math::FreeTop(body.principal, from.q, from.w).at(s);
    return {math::quat_exp(s * from.w) * from.q, from.w, Vec3::Zero()};
  }

  BodyState pushed(BodyId id, double t, const Vec3& point, const Push& push) const {
    BodyState state = at(id, t);
    const Body& body = scene_.body(id);
    state.v += body.inverse_mass * push.impulse;
    state.w += dynamics::world_inverse_inertia(body, state.q) *
               ((point - state.x).cross(push.impulse) + push.couple);
    return state;
  }

  const Scene& scene_;
  State start_, last_, end_;
  std::vector<double> clocks_;
  std::vector<Collision> collisions_;
};

}  // namespace carom::record
