#include "carom/audit/frame_walk.h"

#include <algorithm>

#include "carom/base/check.h"
#include "carom/dynamics/flight.h"

namespace carom::audit {

void FrameWalk::begin(const Scene& scene, std::span<const double> levers,
                      const record::Frame& frame) {
  scene_ = &scene;
  frame_ = &frame;
  levers_ = levers;
  find_ends();
  bound_displacements();
  pieces_.resize(scene.bodies.size());
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    pieces_[i].t0 = frame.start.t;
    pieces_[i].travelled = pieces_[i].speed = 0;
    open(id_of<BodyId>(i), frame.start.bodies[i], frame.start.t, first_until_[i]);
  }
}

void FrameWalk::find_ends() {
  const auto& collisions = frame_->collisions;
  first_until_.assign(scene_->bodies.size(), frame_->end.t);
  until_.resize(collisions.size());
  double later = frame_->end.t;
  for (std::size_t k = collisions.size(); k-- > 0;) {
    const record::ContactEvent& event = collisions[k].event;
    base::check(frame_->start.t <= event.t && event.t <= later,
                "the collisions of a frame come in the order of time");
    until_[k] = {first_until_[index(event.a)], first_until_[index(event.b)]};
    for (const BodyId id : {event.a, event.b})
      if (scene_->body(id).is_dynamic()) first_until_[index(id)] = event.t;
    later = event.t;
  }
}

// A parabola stays within an eighth of acceleration · duration² of its chord.
void FrameWalk::bound_displacements() {
  const std::size_t n = scene_->bodies.size();
  displacements_.resize(n);
  longest_.resize(n);
  const State &start = frame_->start, &end = frame_->end;
  for (std::size_t i = 0; i < n; ++i) {
    displacements_[i] = (end.bodies[i].x - start.bodies[i].x).norm();
    longest_[i] = first_until_[i] - start.t;
  }
  const auto visit = [&](BodyId id, const Vec3& x, double duration) {
    const std::size_t i = index(id);
    displacements_[i] = std::max(displacements_[i], (x - start.bodies[i].x).norm());
    longest_[i] = std::max(longest_[i], duration);
  };
  for (std::size_t k = 0; k < until_.size(); ++k) {
    const record::Collision& collision = frame_->collisions[k];
    visit(collision.event.a, collision.a.x, until_[k][0] - collision.event.t);
    visit(collision.event.b, collision.b.x, until_[k][1] - collision.event.t);
  }
  const double g = scene_->gravity.norm();
  for (std::size_t i = 0; i < n; ++i)
    if (scene_->bodies[i].is_dynamic()) displacements_[i] += g * longest_[i] * longest_[i] / 8;
}

void FrameWalk::pass(std::size_t k) {
  const record::Collision& collision = frame_->collisions[k];
  const record::ContactEvent& event = collision.event;
  if (scene_->body(event.a).is_dynamic()) open(event.a, collision.a, event.t, until_[k][0]);
  if (scene_->body(event.b).is_dynamic()) open(event.b, collision.b, event.t, until_[k][1]);
}

void FrameWalk::open(BodyId id, const BodyState& start, double t0, double t1) {
  Piece& piece = pieces_[index(id)];
  piece.travelled = piece.travelled_at(t0);
  piece.t0 = t0;
  piece.t1 = t1;
  piece.start = start;
  piece.motion = dynamics::fly_freely(*scene_, scene_->body(id), start);
  piece.end = dynamics::state_on(piece.motion, piece.duration());
  bound(id, piece);
}

void FrameWalk::bound(BodyId id, Piece& piece) const {
  piece.bounds = {};
  piece.speed = 0;
  if (!(piece.duration() > 0)) return;
  piece.bounds = compute_motion_bounds(stretch(id));
  piece.speed = std::max(piece.start.v.norm(), piece.end.v.norm());
  if (piece.bounds.spin > 0) piece.speed += piece.bounds.spin * levers_[index(id)];
}

BodyStretch FrameWalk::stretch(BodyId id) const {
  const Piece& piece = pieces_[index(id)];
  return {scene_->body(id), piece.motion, piece.start, piece.end, piece.duration()};
}

}  // namespace carom::audit
