#include "carom/audit/frame_watch.h"

#include <algorithm>
#include <limits>

namespace carom::audit {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

BodyId id(int number) { return static_cast<BodyId>(number); }

MotionBounds bound_surface(const Solid& solid, const BodyStretch& stretch, const Piece& piece) {
  return solid.axis && piece.is_free ? compute_axis_bounds(stretch, *solid.axis) : piece.bounds;
}

}  // namespace

void FrameWatch::begin(const FrameWalk& walk) {
  walk_ = &walk;
  const auto pairs = watch_.neighbours().find(walk.frame().start, walk.displacements());
  pair_count_ = pairs.size();
  if (pairs_.size() < pair_count_) pairs_.resize(pair_count_);
  for (std::size_t k = 0; k < pair_count_; ++k) {
    pairs_[k].bodies = pairs[k];
    pairs_[k].judged_until = walk.frame().start.t;
    pairs_[k].far_until = kNever;
    pairs_[k].near.clear();
  }
  list_pairs_of_bodies();
  recent_.assign(walk.displacements().size(), {{kNever, kNever}, {}, 0});
  memories_.assign(walk.displacements().size(), {});
}

void FrameWatch::list_pairs_of_bodies() {
  first_.assign(walk_->displacements().size() + 1, 0);
  const auto visit = [&](auto take) {
    for (std::size_t k = 0; k < pair_count_; ++k) {
      take(static_cast<std::size_t>(pairs_[k].bodies.first), k);
      take(static_cast<std::size_t>(pairs_[k].bodies.second), k);
    }
  };
  visit([&](std::size_t i, std::size_t) { ++first_[i + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  next_ = first_;
  pairs_of_.resize(2 * pair_count_);
  visit([&](std::size_t i, std::size_t k) { pairs_of_[next_[i]++] = k; });
}

void FrameWatch::end_piece(BodyId body, double t) {
  const std::size_t i = index(body);
  for (std::size_t k = first_[i]; k < first_[i + 1]; ++k) check(pairs_[pairs_of_[k]], t);
  memories_[i].forget();
}

void FrameWatch::end(double t) {
  for (std::size_t k = 0; k < pair_count_; ++k) check(pairs_[k], t);
}

double FrameWatch::travelled(const BodyPair& bodies, double t) const {
  return walk_->piece(id(bodies.first)).travelled_at(t) +
         walk_->piece(id(bodies.second)).travelled_at(t);
}

// A body's neighbours ask for the same ones, and for the last one again when they go on from it.
const Pose& FrameWatch::pose(BodyId body, double t) {
  Recent& recent = recent_[index(body)];
  for (std::size_t k = 0; k < 2; ++k)
    if (recent.t[k] == t) return recent.X[k];
  const std::size_t k = recent.oldest;
  recent.oldest = 1 - k;
  const Piece& piece = walk_->piece(body);
  recent.t[k] = t;
  recent.X[k] = t == piece.t1 ? piece.end.pose() : math::pose_at(piece.motion, t - piece.t0);
  return recent.X[k];
}

// Over what the present pieces of the two have in common, up to now: since the last turn of either.
void FrameWatch::check(PairWatch& pair, double t) {
  const Interval times{pair.judged_until, t};
  if (!(times.to > times.from)) return;
  pair.judged_until = t;
  if (!watch_.is_chosen(pair.bodies, times.from)) return;
  const double way = travelled(pair.bodies, t);
  if (!(way <= pair.far_until)) find_near(pair, times);
  for (Near& near : pair.near)
    if (!(way <= near.safe_until)) check_solids(pair, near, times);
}

// Apart by balls around them, by more than there is room for.
void FrameWatch::find_near(PairWatch& pair, Interval times) {
  constexpr double kRoom = 0.1;
  const auto [a, b] = pair.bodies;
  const std::vector<Solid>&solids_a = watch_.solids(a), &solids_b = watch_.solids(b);
  const double now = travelled(pair.bodies, times.from);
  const double room = std::max(kRoom * std::min(watch_.radius(a), watch_.radius(b)),
                               travelled(pair.bodies, times.to) - now);
  const Pose X_a = pose(id(a), times.from), X_b = pose(id(b), times.from);
  pair.near.clear();
  for (std::size_t i = 0; i < solids_a.size(); ++i) {
    for (std::size_t j = 0; j < solids_b.size(); ++j) {
      const Vec3 apart = X_a * solids_a[i].X_BS.p - X_b * solids_b[j].X_BS.p;
      if (apart.norm() > solids_a[i].radius + solids_b[j].radius + room) continue;
      pair.near.push_back({.a = i, .b = j});
    }
  }
  const bool are_all = pair.near.size() == solids_a.size() * solids_b.size();
  pair.far_until = are_all ? std::numeric_limits<double>::infinity() : now + room;
}

void FrameWatch::check_solids(const PairWatch& pair, Near& near, Interval times) {
  const BodyId a = id(pair.bodies.first), b = id(pair.bodies.second);
  const BodyStretch s_a = walk_->stretch(a), s_b = walk_->stretch(b);
  const Piece &p_a = walk_->piece(a), &p_b = walk_->piece(b);
  const double duration = times.to - times.from;
  const Solid &solid_a = watch_.solids(pair.bodies.first)[near.a],
              &solid_b = watch_.solids(pair.bodies.second)[near.b];
  const MotionBounds surface_a = bound_surface(solid_a, s_a, p_a),
                     surface_b = bound_surface(solid_b, s_b, p_b);
  const Ends ends_a{duration, pose(a, times.from), pose(a, times.to)},
      ends_b{duration, pose(b, times.from), pose(b, times.to)};
  const double since_a = times.from - p_a.t0, since_b = times.from - p_b.t0;
  const Approach approach{
      {solid_a, s_a, p_a.bounds, since_a, &surface_a, &ends_a, &memories_[index(a)]},
      {solid_b, s_b, p_b.bounds, since_b, &surface_b, &ends_b, &memories_[index(b)]},
      duration};
  const double now = travelled(pair.bodies, times.from),
               way = travelled(pair.bodies, times.to) - now;
  const double gap = gap_at_start(approach, near);
  if (gap > way) {
    near.safe_until = now + gap;
    return;
  }
  if (near.has_witness && is_harmless(approach, near)) return;
  const Overlap last = watch_.look(approach, duration);
  remember(approach, last.direction, near);
  if (last.depth < 0) near.safe_until = now + way - last.depth;
  if (!is_harmless(approach, near)) watch_.chase(approach, last.direction);
}

// Along the line of the centres while nothing better is known.
double FrameWatch::gap_at_start(const Approach& approach, const Near& near) {
  const PlacedSolid a = approach.a.at(0), b = approach.b.at(0);
  const Vec3 d = near.has_witness ? approach.a.pose(0).q * near.face_a
                                  : Vec3((b.X_WS.p - a.X_WS.p).normalized());
  return -compute_overlap_along(a, b, d);
}

bool FrameWatch::is_harmless(const Approach& approach, const Near& near) const {
  const double floor = watch_.harmless_gap();
  const auto is_apart = [&](const Side& side, const Vec3& d) {
    return approach.stays_above(floor, side, d);
  };
  const Side &a = approach.a, &b = approach.b;
  if (b.solid.is_plane()) return is_apart(b, near.d_B);
  if (a.solid.is_plane()) return is_apart(a, near.d_A);
  return is_apart(a, near.face_a) || is_apart(b, near.face_b) ||
         (near.d_A != near.face_a && is_apart(a, near.d_A)) ||
         (near.d_B != near.face_b && is_apart(b, near.d_B));
}

void FrameWatch::remember(const Approach& approach, const Vec3& d, Near& near) {
  const auto face_seen_by = [](const Side& side, const Vec3& d_B, double outward) -> Vec3 {
    const Quat& q_BS = side.solid.X_BS.q;
    return outward * (q_BS * snap_to_face(side.solid, q_BS.conjugate() * (outward * d_B)));
  };
  near.has_witness = true;
  near.d_A = approach.a.pose(approach.duration).q.conjugate() * d;
  near.d_B = approach.b.pose(approach.duration).q.conjugate() * d;
  near.face_a = face_seen_by(approach.a, near.d_A, 1);
  near.face_b = face_seen_by(approach.b, near.d_B, -1);
}

}  // namespace carom::audit
