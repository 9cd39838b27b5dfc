// Frames made by hand, in closed form: bodies on parabolas that turn steadily or tumble as free
// tops do, and impulses or lasting forces that change their velocities by Newton's law.
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "carom/record/frame.h"

namespace carom::record {

// All that a segment refers to.
struct HandMadeSegment {
  double t0, t1;
  std::vector<BodyId> bodies{};
  std::vector<RigidMotion> motions{};
  std::vector<BodyState> ends{};
  std::vector<CarriedForce> start{}, middle{}, end{};
  std::vector<ForceEffect> effects{};
  double stored_start = 0, stored_end = 0;

  void move(BodyId id, const math::MotionEnd& from, const math::MotionEnd& to) {
    bodies.push_back(id);
    motions.push_back(math::make_hermite_motion(from, to, t1 - t0));
    ends.push_back({to.X.p, to.X.q, to.V.v, to.V.w});
  }
  ClusterSegment view() const {
    return {t0, t1, bodies, motions, ends, {start, middle, end, effects, stored_start, stored_end}};
  }
};

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

  // A segment in which `by` pushes `on` by a constant force at the centre and a constant couple,
  // along which both spin if at all, and is pushed back. Balls alone: x = x₀ + v s + a s²/2, and
  // angles alike.
  struct Load {
    Vec3 force = Vec3::Zero(), couple = Vec3::Zero();  // on the first
  };
  HandMadeSegment& press(double t0, double t1, BodyId on, BodyId by, const Load& load) {
    const Path a = path(on, t0, t1 - t0, load),
               b = path(by, t0, t1 - t0, {-load.force, -load.couple});
    const double h = t1 - t0;
    const Vec3 area = h * a.start.x + h * h / 2 * a.start.v + h * h * h / 6 * a.linear;
    HandMadeSegment segment{t0, t1};
    segment.effects = {
        {h * load.force, area.cross(load.force) + h * load.couple, a.work(load), b.work(load)}};
    segment.start = {{on, by, a.start.x, load.force, load.couple}};
    segment.middle = {{on, by, a.at(h / 2).x, load.force, load.couple}};
    segment.end = {{on, by, a.at(h).x, load.force, load.couple}};
    for (const auto& [id, way] : {std::pair(on, &a), std::pair(by, &b)})
      if (scene_.body(id).is_dynamic()) segment.move(id, way->end_at(0), way->end_at(h));
    return add(segment);
  }

  // Bodies move as it says, whatever came before.
  HandMadeSegment& add(const HandMadeSegment& segment) {
    for (std::size_t i = 0; i < segment.bodies.size(); ++i)
      known(segment.bodies[i], segment.t1, segment.ends[i]);
    return segments_.emplace_back(segment);
  }
  void tell(const ContactEvent& event) { events_.push_back(event); }

  // What holds from then on, whatever came before.
  void known(BodyId id, double t, const BodyState& state) {
    last_[id] = state;
    clocks_[index(id)] = t;
  }

  Frame finish(double t) {
    end_.t = t;
    end_.bodies.clear();
    for (std::size_t i = 0; i < clocks_.size(); ++i) end_.bodies.push_back(at(id_of<BodyId>(i), t));
    views_.clear();
    for (const HandMadeSegment& segment : segments_) views_.push_back(segment.view());
    std::ranges::stable_sort(views_, {}, &ClusterSegment::t1);
    return {start_, collisions_, end_, views_, events_};
  }

 private:
  struct Path {
    BodyState start;
    double duration;
    Vec3 linear, angular;  // accelerations

    BodyState at(double s) const {
      return {start.x + s * start.v + s * s / 2 * linear,
              math::quat_exp(s * start.w + s * s / 2 * angular) * start.q, start.v + s * linear,
              start.w + s * angular};
    }
    math::MotionEnd end_at(double s) const {
      const BodyState state = at(s);
      return {state.pose(), state.twist(), {linear, angular}};
    }
    double work(const Load& load) const {
      const Vec3 turn = duration * start.w + duration * duration / 2 * angular;
      return load.force.dot(at(duration).x - start.x) + load.couple.dot(turn);
    }
  };
  Path path(BodyId id, double t0, double duration, const Load& load) const {
    const Body& body = scene_.body(id);
    if (!body.is_dynamic()) return {at(id, t0), duration, Vec3::Zero(), Vec3::Zero()};
    return {at(id, t0), duration, scene_.gravity + body.inverse_mass * load.force,
            body.inverse_inertia * load.couple};
  }

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
  std::deque<HandMadeSegment> segments_;
  std::vector<ClusterSegment> views_;
  std::vector<ContactEvent> events_;
};

}  // namespace carom::record
