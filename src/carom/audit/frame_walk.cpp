#include "carom/audit/frame_walk.h"

#include <algorithm>
#include <ranges>
#include <tuple>

#include "carom/base/check.h"
#include "carom/dynamics/flight.h"

namespace carom::audit {

void FrameWalk::begin(const Scene& scene, std::span<const double> levers,
                      const record::Frame& frame) {
  scene_ = &scene;
  frame_ = &frame;
  levers_ = levers;
  list_turns();
  find_next_pieces();
  bound_displacements();
  pieces_.resize(scene.bodies.size());
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    pieces_[i].t0 = pieces_[i].t1 = frame.start.t;
    pieces_[i].travelled = pieces_[i].speed = 0;
    open(first_[i], frame.start.t);
  }
}

void FrameWalk::list_turns() {
  turns_.clear();
  double last = frame_->start.t;
  const auto add = [&](double t, TurnKind kind, std::size_t number) {
    base::check(last <= t && t <= frame_->end.t,
                "the collisions and the ends of segments of a frame come in the order of time");
    turns_.push_back({t, kind, number});
    last = t;
  };
  for (std::size_t k = 0; k < frame_->collisions.size(); ++k)
    add(frame_->collisions[k].event.t, TurnKind::Collision, k);
  for (std::size_t k = 0; k < frame_->segments.size(); ++k)
    add(frame_->segments[k].t1, TurnKind::SegmentEnd, k);
  for (std::size_t k = 0; k < frame_->segments.size(); ++k)
    turns_.push_back({frame_->segments[k].t0, TurnKind::SegmentStart, k});
  std::ranges::sort(turns_, {},
                    [](const Turn& turn) { return std::tuple(turn.t, turn.kind, turn.number); });
}

// From the last turn back: a body flies until its next one.
void FrameWalk::find_next_pieces() {
  first_.clear();
  for (std::size_t i = 0; i < scene_->bodies.size(); ++i)
    first_.push_back({id_of<BodyId>(i), frame_->end.t, &frame_->start.bodies[i]});
  next_.clear();
  for (Turn& turn : std::views::reverse(turns_)) {
    turn.first = next_.size();
    append_next_pieces(turn);
    turn.last = next_.size();
    for (const NextPiece& next : next_pieces(turn)) first_[index(next.body)].t1 = turn.t;
  }
}

void FrameWalk::append_next_pieces(const Turn& turn) {
  const auto until = [&](BodyId id) { return first_[index(id)].t1; };
  if (turn.kind == TurnKind::Collision) {
    const record::Collision& collision = frame_->collisions[turn.number];
    const BodyId a = collision.event.a, b = collision.event.b;
    if (is_dynamic(a)) next_.push_back({a, until(a), &collision.a});
    if (is_dynamic(b)) next_.push_back({b, until(b), &collision.b});
    return;
  }
  const record::ClusterSegment& segment = frame_->segments[turn.number];
  for (std::size_t i = 0; i < segment.bodies.size(); ++i) {
    const BodyId id = segment.bodies[i];
    if (turn.kind == TurnKind::SegmentStart)
      next_.push_back({id, segment.t1, nullptr, &segment.motions[i], &segment.ends[i]});
    else if (until(id) > segment.t1)
      next_.push_back({id, until(id), &segment.ends[i]});
  }
}

void FrameWalk::bound_displacements() {
  const std::size_t n = scene_->bodies.size();
  displacements_.resize(n);
  excursions_.resize(n);
  const State &start = frame_->start, &end = frame_->end;
  for (std::size_t i = 0; i < n; ++i) {
    displacements_[i] = (end.bodies[i].x - start.bodies[i].x).norm();
    excursions_[i] = bound_excursion(first_[i], start.t);
  }
  for (const Turn& turn : turns_) {
    for (const NextPiece& next : next_pieces(turn)) {
      const std::size_t i = index(next.body);
      const Vec3& x = next.motion == nullptr ? next.start->x : next.motion->x0;
      displacements_[i] = std::max(displacements_[i], (x - start.bodies[i].x).norm());
      excursions_[i] = std::max(excursions_[i], bound_excursion(next, turn.t));
    }
  }
  for (std::size_t i = 0; i < n; ++i) displacements_[i] += excursions_[i];
}

// How far the centre comes from the nearer end of a piece: on a parabola an eighth of acceleration
// · duration², on any path half its length.
double FrameWalk::bound_excursion(const NextPiece& next, double t0) const {
  if (!is_dynamic(next.body)) return 0;
  const double h = next.t1 - t0;
  if (next.motion == nullptr) return scene_->gravity.norm() * h * h / 8;
  return math::speed_bound(*next.motion, h) * h / 2;
}

// Of the centre, as for a free flight's parabola.
double FrameWalk::bound_speed(const NextPiece& next, double t0) const {
  const double h = next.t1 - t0;
  if (next.motion != nullptr) return math::speed_bound(*next.motion, h);
  return std::max(next.start->v.norm(), (next.start->v + h * scene_->gravity).norm());
}

void FrameWalk::bound_paths(std::size_t turn, double t, double t1, State& at,
                            std::vector<double>& paths) {
  const std::size_t n = pieces_.size();
  at.bodies.resize(n);
  paces_.resize(n);
  paths.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Piece& piece = pieces_[i];
    at.bodies[i].x = math::position_at(piece.motion, t - piece.t0);
    paces_[i] = {t, piece.center_speed};
  }
  for (; turn < turns_.size() && turns_[turn].t <= t1; ++turn) {
    for (const NextPiece& next : next_pieces(turns_[turn])) {
      Pace& pace = paces_[index(next.body)];
      paths[index(next.body)] += pace.speed * (turns_[turn].t - pace.since);
      pace = {turns_[turn].t, bound_speed(next, turns_[turn].t)};
    }
  }
  for (std::size_t i = 0; i < n; ++i) paths[i] += paces_[i].speed * (t1 - paces_[i].since);
}

void FrameWalk::pass(const Turn& turn) {
  for (const NextPiece& next : next_pieces(turn)) open(next, turn.t);
}

void FrameWalk::open(const NextPiece& next, double t0) {
  Piece& piece = pieces_[index(next.body)];
  base::check(t0 == piece.t1, "a body goes on where its last piece ended");
  piece.travelled = piece.travelled_at(t0);
  piece.t0 = t0;
  piece.t1 = next.t1;
  piece.is_free = next.motion == nullptr;
  if (piece.is_free) {
    piece.start = *next.start;
    piece.motion = dynamics::fly_freely(*scene_, scene_->body(next.body), piece.start);
    piece.end = dynamics::state_on(piece.motion, piece.duration());
  } else {
    piece.motion = *next.motion;
    piece.start = dynamics::state_on(piece.motion, 0);
    piece.end = *next.end;
  }
  bound(next.body, piece);
}

void FrameWalk::bound(BodyId id, Piece& piece) const {
  piece.bounds = {};
  piece.speed = piece.center_speed = 0;
  if (!(piece.duration() > 0)) return;
  if (levers_[index(id)] > 0)
    piece.bounds = compute_motion_bounds(segment(id));
  else  // balls: their turning moves nothing
    piece.bounds.jerk = math::jerk_bound(piece.motion, piece.duration());
  piece.speed = piece.center_speed = math::speed_bound(piece.motion, piece.duration());
  if (piece.bounds.spin > 0) piece.speed += piece.bounds.spin * levers_[index(id)];
}

BodySegment FrameWalk::segment(BodyId id) const {
  const Piece& piece = pieces_[index(id)];
  return {scene_->body(id), piece.motion, piece.start, piece.end, piece.duration()};
}

}  // namespace carom::audit
