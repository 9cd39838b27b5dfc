#include "carom/audit/frame_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/audit/parabola.h"

namespace carom::audit {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

BodyId id(int number) { return static_cast<BodyId>(number); }

MotionBounds bound_surface(const Solid& solid, const BodySegment& segment, const Piece& piece) {
  return solid.axis && piece.is_free ? compute_axis_bounds(segment, *solid.axis) : piece.bounds;
}

Parabola path(const Piece& piece, double t) {
  const double s = t - piece.t0;
  return {math::position_at(piece.motion, s), math::velocity_at(piece.motion, s), piece.motion.a};
}

double find_distance(const Parabola& x_a, const Parabola& x_b, double duration) {
  const Parabola apart{x_b.x - x_a.x, x_b.v - x_a.v, x_b.a - x_a.a};
  return apart.at(apart.find_nearest_time(duration)).norm();
}

}  // namespace

void FrameWatch::begin(FrameWalk& walk) {
  walk_ = &walk;
  parts_ = count_parts();
  part_ = 0;
  recent_.assign(walk.displacements().size(), {{kNever, kNever}, {}, 0});
  memories_.assign(walk.displacements().size(), {});
  if (parts_ > 1) return begin_part(0);
  part_end_ = walk.frame().end.t;
  list_pairs(walk.frame().start, walk.displacements(), walk.frame().start.t);
}

// So many that a body comes half its radius far in one of them, in the mean.
std::size_t FrameWatch::count_parts() const {
  constexpr double kRadiiAPart = 0.5, kMostParts = 1000;
  double way = 0, bodies = 0;
  for (std::size_t i = 0; i < watch_.radii().size(); ++i) {
    const Piece& piece = walk_->piece(id_of<BodyId>(i));
    if (!walk_->is_dynamic(id_of<BodyId>(i))) continue;
    way += piece.center_speed * walk_->frame().duration();
    bodies += 1;
  }
  const double part = bodies * kRadiiAPart * watch_.neighbours().mean_radius();
  const double parts = part > 0 ? way / part : 1;
  return parts > 1 ? static_cast<std::size_t>(std::min(std::ceil(parts), kMostParts)) : 1;
}

void FrameWatch::begin_part(std::size_t turn) {
  const record::Frame& frame = walk_->frame();
  const double t = part_ == 0 ? frame.start.t : part_end_;
  ++part_;
  part_end_ = part_ == parts_ ? frame.end.t
                              : frame.start.t + frame.duration() * static_cast<double>(part_) /
                                                    static_cast<double>(parts_);
  walk_->bound_paths(turn, t, part_end_, at_, paths_);
  list_pairs(at_, paths_, t);
}

void FrameWatch::reach(std::size_t turn) {
  while (part_ < parts_ && walk_->turns()[turn].t > part_end_) {
    end(part_end_);
    begin_part(turn);
  }
}

void FrameWatch::list_pairs(const State& at, std::span<const double> paths, double t) {
  pair_count_ = 0;
  for (const BodyPair& bodies : watch_.neighbours().find(at, paths)) {
    if (watch_.are_apart(bodies, at, paths)) continue;
    if (pairs_.size() == pair_count_) pairs_.emplace_back();
    PairWatch& pair = pairs_[pair_count_++];
    pair.bodies = bodies;
    pair.judged_until = t;
    pair.is_closed_form = is_closed_form(bodies);
    pair.far_until = kNever;
    pair.near.clear();
  }
  list_pairs_of_bodies();
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
  while (part_ < parts_ && part_ > 0 && t > part_end_) {
    end(part_end_);
    begin_part(walk_->turns().size());
  }
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
  if (pair.is_closed_form && check_closed_form(pair, times)) return;
  pair.is_closed_form = false;
  if (!(way <= pair.far_until)) find_near(pair, times);
  for (Near& near : pair.near)
    if (!(way <= near.safe_until)) check_solids(pair, near, times);
}

// One ball each, or one over a plane that stands still.
bool FrameWatch::is_closed_form(const BodyPair& bodies) const {
  const auto is_ball = [this](int body) {
    return watch_.solids(body).size() == 1 && watch_.solids(body)[0].is_ball();
  };
  const auto [a, b] = bodies;
  if (is_ball(a)) return is_ball(b) || watch_.standing_plane(b) != nullptr;
  return watch_.standing_plane(a) != nullptr && is_ball(b);
}

// In free flight alone: a segment ends where its method says. What is apart by some length need not
// be looked at until its bodies have come so far.
bool FrameWatch::check_closed_form(PairWatch& pair, Interval times) {
  const auto [a, b] = pair.bodies;
  const Piece &p_a = walk_->piece(id(a)), &p_b = walk_->piece(id(b));
  if (!p_a.is_free || !p_b.is_free) return false;
  if (travelled(pair.bodies, times.to) <= pair.far_until) return true;
  const Solid &solid_a = watch_.solids(a)[0], &solid_b = watch_.solids(b)[0];
  const Parabola x_a = path(p_a, times.from), x_b = path(p_b, times.from);
  const double h = times.to - times.from;
  double gap = 0;
  if (const StandingPlane* under_b = watch_.standing_plane(a))
    gap = x_b.find_least_height(under_b->normal, h) - under_b->offset - solid_b.radius;
  else if (const StandingPlane* under_a = watch_.standing_plane(b))
    gap = x_a.find_least_height(under_a->normal, h) - under_a->offset - solid_a.radius;
  else
    gap = find_distance(x_a, x_b, h) - solid_a.radius - solid_b.radius;
  watch_.see(-gap);
  if (gap > 0) pair.far_until = travelled(pair.bodies, times.from) + gap;
  return true;
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
  const BodySegment s_a = walk_->segment(a), s_b = walk_->segment(b);
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
