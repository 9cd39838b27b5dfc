#include "carom/methods/elastic/body_tracks.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

BodyTracks::BodyTracks(const Scene& scene, std::vector<double> lever_bounds)
    : scene_(scene), lever_bounds_(std::move(lever_bounds)), ways_(scene.bodies.size()) {}

double BodyTracks::speed_of(BodyId id, const RigidMotion& motion, double duration) const {
  double speed = math::speed_bound(motion, duration);
  if (lever_bound(id) > 0)
    speed += lever_bound(id) * math::spin_bounds(motion.rotation, duration).speed;
  return speed;
}

void BodyTracks::begin(const State& from) {
  until_ = from.t;
  ways_.assign(from.bodies.size(), {});
  for (std::size_t i = 0; i < ways_.size(); ++i) fly(id_of<BodyId>(i), from.bodies[i], from.t);
}

void BodyTracks::fly(BodyId id, const BodyState& from, double t) {
  const double so_far = travelled(id, t);
  const RigidMotion motion = dynamics::fly_freely(scene_, scene_.body(id), from);
  const Vec3 fall = scene_.body(id).is_dynamic() ? scene_.gravity : Vec3(Vec3::Zero());
  ways_[index(id)] = {.t0 = t,
                      .t1 = HUGE_VAL,
                      .motion = motion,
                      .end = {},
                      .pushed = {fall, Vec3::Zero()},
                      .marked = t,
                      .travelled = so_far,
                      .speed = speed_of(id, motion, std::max(0.0, until_ - t))};
}

void BodyTracks::look_ahead(double t, double until) {
  until_ = until;
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    Way& way = ways_[i];
    if (!std::isinf(way.t1)) continue;
    way.travelled = travelled(id_of<BodyId>(i), t);
    way.marked = t;
    way.speed = speed_of(id_of<BodyId>(i), way.motion, until - way.t0);
  }
}

void BodyTracks::hold(BodyId id, const BodyState& now, double t, const math::Twist& pushed) {
  ways_[index(id)] = {.t0 = t,
                      .t1 = t,
                      .motion = {},
                      .end = now,
                      .pushed = pushed,
                      .marked = t,
                      .travelled = travelled(id, t),
                      .speed = 0};
}

void BodyTracks::step(BodyId id, Times times, const RigidMotion& motion,
                      const math::Twist& pushed) {
  const double h = times.t1 - times.t0;
  ways_[index(id)] = {.t0 = times.t0,
                      .t1 = times.t1,
                      .motion = motion,
                      .end = dynamics::state_on(motion, h),
                      .pushed = pushed,
                      .marked = times.t0,
                      .travelled = travelled(id, times.t0),
                      .speed = speed_of(id, motion, h)};
}

BodyState BodyTracks::at(BodyId id, double t) const {
  const Way& way = ways_[index(id)];
  if (t < way.t1) return dynamics::state_on(way.motion, t - way.t0);
  BodyState body = way.end;
  body.x += (t - way.t1) * body.v;
  return body;
}

double BodyTracks::travelled(BodyId id, double t) const {
  const Way& way = ways_[index(id)];
  return way.travelled + way.speed * (t - way.marked);
}

double BodyTracks::travelled(BodyId id, const BodyState& now) const {
  const Way& way = ways_[index(id)];
  const double cosine = std::min(1.0, std::abs(now.q.dot(way.end.q)));
  const double turned = lever_bound(id) > 0 ? 2 * std::sqrt(1 - cosine * cosine) : 0;
  return travelled(id, way.t1) + (now.x - way.end.x).norm() + lever_bound(id) * turned;
}

}  // namespace carom::methods
