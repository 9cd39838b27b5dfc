#include "carom/methods/elastic/body_tracks.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

BodyTracks::BodyTracks(const Scene& scene, std::vector<double> lever_bounds)
    : scene_(scene), lever_bounds_(std::move(lever_bounds)), tracks_(scene.bodies.size()) {}

double BodyTracks::speed_of(BodyId id, const RigidMotion& motion, double duration) const {
  return speed_bound(motion, lever_bound(id), duration);
}

void BodyTracks::begin(const State& from) {
  until_ = from.t;
  tracks_.assign(from.bodies.size(), {});
  for (std::size_t i = 0; i < tracks_.size(); ++i) fly(id_of<BodyId>(i), from.bodies[i], from.t);
}

void BodyTracks::fly(BodyId id, const BodyState& from, double t) {
  const double so_far = travelled(id, t);
  const RigidMotion motion = dynamics::fly_freely(scene_, scene_.body(id), from);
  const Vec3 fall = scene_.body(id).is_dynamic() ? scene_.gravity : Vec3(Vec3::Zero());
  tracks_[index(id)] = {.way = {t, motion, speed_of(id, motion, std::max(0.0, until_ - t))},
                        .t1 = HUGE_VAL,
                        .end = {},
                        .pushed = {fall, Vec3::Zero()},
                        .marked = t,
                        .travelled = so_far};
}

void BodyTracks::look_ahead(double t, double until) {
  until_ = until;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    Track& track = tracks_[i];
    if (!std::isinf(track.t1)) continue;
    track.travelled = travelled(id_of<BodyId>(i), t);
    track.marked = t;
    track.way.speed = speed_of(id_of<BodyId>(i), track.way.motion, until - track.way.t0);
  }
}

void BodyTracks::hold(BodyId id, const BodyState& now, double t, const math::Twist& pushed) {
  tracks_[index(id)] = {.way = {t, {}, 0},
                        .t1 = t,
                        .end = now,
                        .pushed = pushed,
                        .marked = t,
                        .travelled = travelled(id, t)};
}

void BodyTracks::step(BodyId id, Times times, const RigidMotion& motion,
                      const math::Twist& pushed) {
  const double h = times.t1 - times.t0;
  tracks_[index(id)] = {.way = {times.t0, motion, speed_of(id, motion, h)},
                        .t1 = times.t1,
                        .end = dynamics::state_on(motion, h),
                        .pushed = pushed,
                        .marked = times.t0,
                        .travelled = travelled(id, times.t0)};
}

BodyState BodyTracks::at(BodyId id, double t) const {
  const Track& track = tracks_[index(id)];
  if (t < track.t1) return track.way.at(t);
  BodyState body = track.end;
  body.x += (t - track.t1) * body.v;
  return body;
}

double BodyTracks::travelled(BodyId id, double t) const {
  const Track& track = tracks_[index(id)];
  return track.travelled + track.way.speed * (t - track.marked);
}

double BodyTracks::travelled(BodyId id, const BodyState& now) const {
  const Track& track = tracks_[index(id)];
  const double cosine = std::min(1.0, std::abs(now.q.dot(track.end.q)));
  const double turned = lever_bound(id) > 0 ? 2 * std::sqrt(1 - cosine * cosine) : 0;
  return travelled(id, track.t1) + (now.x - track.end.x).norm() + lever_bound(id) * turned;
}

}  // namespace carom::methods
