#include "carom/geometry/distance/convex_pair.h"

namespace carom::geometry {

void ConvexPair::find_pieces(const Vec3& n, Pieces& of_a, Pieces& of_b) {
  const Sample at = sample(n);
  a_.find_pieces(-n, at.b, of_a);
  b_.find_pieces(R_AB_.transpose() * n, R_AB_.transpose() * (at.a - X_AB_.p), of_b);
  for (int i = 0; i < of_b.count; ++i) {
    Piece& piece = of_b.list[i];
    piece.axis = R_AB_ * piece.axis;
    piece.centre = X_AB_.p + R_AB_ * piece.centre;
    if (piece.round) piece.square = R_AB_ * piece.square * R_AB_.transpose();
  }
}

Candidate ConvexPair::examine(const Vec3& n) {
  Candidate found;
  found.n = n;
  found.separation = separation(n);
  const SupportFace of_a = a_.find_set(-n), of_b = b_.find_set(R_AB_.transpose() * n);
  found.feature_a = of_a.feature;
  found.feature_b = of_b.feature;
  found.facing = find_face_overlap(of_a, of_b, X_AB_, n);
  const double lower = std::max(found.separation, 0.0);
  found.gap = std::hypot(lower, found.facing.apart) - lower;
  found.proven = found.gap <= kProof * size_ && found.facing.apart <= kFacing * size_;
  return found;
}

Candidate ConvexPair::best_of(const Directions& directions) {
  std::array<double, std::tuple_size_v<decltype(directions.list)>> separations{};
  double best = -HUGE_VAL;
  for (std::size_t i = 0; i < static_cast<std::size_t>(directions.count); ++i) {
    separations[i] = separation(directions.list[i]);
    best = std::max(best, separations[i]);
  }
  Candidate found;
  for (std::size_t i = 0; i < static_cast<std::size_t>(directions.count); ++i) {
    if (!(separations[i] >= best - 1e-13 * size_)) continue;
    const Candidate candidate = examine(directions.list[i]);
    if (found.gap == HUGE_VAL || candidate.facing.apart < found.facing.apart) found = candidate;
    if (found.facing.apart == 0) break;
  }
  return found;
}

// The larger separation, or of two equal ones that with the better proof.
void ConvexPair::take(const Candidate& candidate) {
  const double gain = candidate.separation - best_.separation;
  const bool better_proof = candidate.facing.apart < best_.facing.apart;
  if (gain > kProof * size_ || (gain > -kProof * size_ && better_proof)) best_ = candidate;
}

// Normals of faces and caps, which cost nothing, first.
Candidate ConvexPair::polish(const Vec3& start) {
  constexpr int kRounds = 5;
  Candidate found;
  found.n = start;
  for (int round = 0; round < kRounds; ++round) {
    Pieces of_a, of_b;
    find_pieces(found.n, of_a, of_b);
    Directions directions;
    find_fixed(of_a, of_b, directions);
    if (const Candidate flat = best_of(directions); is_answer(flat)) return flat;
    find_stationary(of_a, of_b, found.n, directions);
    const Candidate next = best_of(directions);
    if (next.separation <= found.separation + 1e-15 * size_) {
      if (next.facing.apart < found.facing.apart) found = next;
      break;
    }
    found = next;
    if (found.proven) break;
  }
  return aligned(found);
}

// At the border of a cap or a face, where Newton's method has no room, the direction between the
// points themselves may carry the proof.
Candidate ConvexPair::aligned(Candidate found) {
  if (found.proven || found.separation <= 0) return found;
  const Vec3 between = found.facing.x - found.facing.y;
  const double upper = between.norm();
  const Vec3 n = between / upper;
  const double lower = separation(n);
  if (upper - lower > kProof * size_) return found;
  found.n = n;
  found.separation = lower;
  found.facing.apart = 0;
  found.gap = upper - lower;
  found.proven = true;
  return found;
}

// Returns whether the shapes were found apart, or touching, with the proof in best_.
bool ConvexPair::search_apart() {
  const Sample first = sample(best_.n);
  simplex_.add(first.w, first.a, first.b);
  Vec3 v = simplex_.reduce();
  int next_polish = 2;
  for (int i = 0; i < kSimplexCap; ++i, ++iterations_) {
    if (v.norm() <= 1e-14 * size_) return false;
    const Vec3 n = v.normalized();
    const Sample at = sample(n);
    const bool stalled = v.norm() - n.dot(at.w) <= 1e-14 * size_ || simplex_.has(at.w);
    if (stalled || i == next_polish) {
      next_polish += 3 + next_polish / 2;
      take(polish(n));
      if (is_answer(best_)) return true;
    }
    if (stalled) return v.norm() > kAccept * size_;
    Simplex grown = simplex_;
    grown.add(at.w, at.a, at.b);
    const Vec3 next = grown.reduce();
    if (grown.count == 4) {
      simplex_ = grown;
      return false;
    }
    if (next.squaredNorm() >= v.squaredNorm()) {
      take(polish(n));
      return v.norm() > kAccept * size_;
    }
    simplex_ = grown;
    v = next;
  }
  return v.norm() > kAccept * size_;
}

// Adds support points to the simplex until it has a volume; false where the difference has none.
bool ConvexPair::make_tetrahedron(std::array<Vec3, 4>& out) {
  while (simplex_.count < 4) {
    const auto& v = simplex_.vertices;
    std::array<Vec3, 3> axes{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    if (simplex_.count == 2) {
      const math::Tangents t = math::make_tangents((v[1].w - v[0].w).normalized());
      axes = {t.first, t.second, t.first};
    } else if (simplex_.count == 3) {
      axes.fill((v[1].w - v[0].w).cross(v[2].w - v[0].w).normalized());
    }
    Sample farthest{};
    double reach = 1e-12 * size_;
    for (const Vec3& axis : axes) {
      for (const double sign : {1.0, -1.0}) {
        const Sample at = sample(sign * axis);
        const double height = std::abs(axis.dot(at.w - v[0].w));
        if (height <= reach) continue;
        reach = height;
        farthest = at;
      }
    }
    if (reach <= 1e-12 * size_) return false;
    simplex_.add(farthest.w, farthest.a, farthest.b);
  }
  for (std::size_t i = 0; i < 4; ++i) out[i] = simplex_.vertices[i].w;
  return true;
}

// Out through a face of a polytope, where there is one: many of them may be nearly as good.
void ConvexPair::try_faces() {
  Vec3 best = best_.n;
  double most = best_.separation;
  const auto offer = [&](const Vec3& n) {
    const double value = separation(n);
    if (value <= most) return;
    most = value;
    best = n;
  };
  if (const Polytope* polytope = a_.polytope()) {
    for (const Polytope::Face& face : polytope->faces) offer(-face.normal);
  }
  if (const Polytope* polytope = b_.polytope()) {
    for (const Polytope::Face& face : polytope->faces) offer(R_AB_ * face.normal);
  }
  if (most > best_.separation) take(polish(best));
}

// Out through the side of a cylinder or cone, where a small body inside makes all directions nearly
// equal: against a polytope the kinks are at its edges, else the best few of many all around.
void ConvexPair::try_sides() {
  if (const std::optional<double> level = a_.side_level()) {
    const NormalCircle side{Vec3::UnitZ(), -*level};
    if (const Polytope* other = b_.polytope()) try_crossings(side, *other, R_AB_);
    try_around(side);
  }
  if (const std::optional<double> level = b_.side_level()) {
    const NormalCircle side{R_AB_ * Vec3::UnitZ(), *level};
    if (const Polytope* other = a_.polytope()) try_crossings(side, *other, Mat3::Identity());
    try_around(side);
  }
}

void ConvexPair::try_crossings(const NormalCircle& side, const Polytope& other,
                               const Mat3& rotation) {
  Vec3 best = best_.n;
  double most = best_.separation;
  for (const Polytope::Edge& edge : other.edges) {
    Directions crossings;
    add_crossings(side, {rotation * edge.direction, 0}, crossings);
    for (int i = 0; i < crossings.count; ++i) {
      const double value = separation(crossings.list[i]);
      if (value <= most) continue;
      most = value;
      best = crossings.list[i];
    }
  }
  if (most > best_.separation) take(polish(best));
}

void ConvexPair::try_around(const NormalCircle& side) {
  constexpr int kAround = 64;
  const math::Tangents t = math::make_tangents(side.axis);
  const double across = std::sqrt(1 - side.level * side.level);
  const auto at = [&](int i) -> Vec3 {
    const double angle = 2 * M_PI * i / kAround;
    return side.level * side.axis +
           across * (std::cos(angle) * t.first + std::sin(angle) * t.second);
  };
  std::array<double, kAround> values;
  for (int i = 0; i < kAround; ++i) values[i] = separation(at(i));
  const double margin = 0.1 * (*std::max_element(values.begin(), values.end()) -
                               *std::min_element(values.begin(), values.end()));
  for (int i = 0; i < kAround; ++i) {
    const bool peak =
        values[i] >= values[(i + 1) % kAround] && values[i] > values[(i + kAround - 1) % kAround];
    if (peak && values[i] > best_.separation - margin) take(polish(at(i)));
  }
}

void ConvexPair::search_overlapping() {
  if (are_polytopes()) {
    take(examine(find_shallowest_axis(polytopes()).n));
    return;
  }
  try_faces();
  try_sides();
  std::array<Vec3, 4> corners;
  if (!make_tetrahedron(corners)) return;
  ExpandingPolytope polytope;
  polytope.start(corners);
  searched_all_ = false;
  for (int idle = 0; iterations_ < kSimplexCap + ExpandingPolytope::kVertexCap; ++iterations_) {
    const int nearest = polytope.nearest_face();
    const ExpandingPolytope::Face& face = polytope.face(nearest);
    const double left = -best_.separation - face.offset;
    searched_all_ = best_.proven && (left <= kAccept * size_ ||
                                     (idle >= kIdle && left <= kTied * -best_.separation));
    if (searched_all_) return;
    const Vec3 n = -face.normal;
    const Sample at = sample(n);
    const double before = best_.separation;
    take(polish(n));
    idle = best_.separation > before + kProof * size_ ? 0 : idle + 1;
    const bool on_surface = -n.dot(at.w) - face.offset <= 1e-13 * size_;
    if (on_surface || !polytope.expand(nearest, at.w)) {
      searched_all_ = on_surface && best_.proven;
      return;
    }
  }
}

CoreDistance ConvexPair::compute(const Vec3& hint) {
  Vec3 start = hint;
  if (start.squaredNorm() < 0.25) start = -X_AB_.p;
  if (start.squaredNorm() == 0) start = Vec3::UnitX();
  if (are_polytopes() && a_.polytope()->edges.size() + b_.polytope()->edges.size() <= kFewEdges) {
    start = find_shallowest_axis(polytopes()).n;
    best_ = examine(start);
    if (best_.proven && best_.separation <= 0) return finish();
  }
  best_ = polish(start.normalized());
  if (is_answer(best_)) return finish();
  if (!search_apart()) search_overlapping();
  return finish();
}

CoreDistance ConvexPair::finish() {
  const bool facing = best_.gap <= kAccept * size_ && best_.facing.apart <= 10 * kAccept * size_;
  const bool converged = facing && searched_all_;
  const Vec3 error = best_.facing.x - best_.facing.y - best_.separation * best_.n;
  best_.facing.x -= 0.5 * error;
  best_.facing.y += 0.5 * error;
  return {converged ? DistanceStatus::Converged : DistanceStatus::IterationCap, best_, iterations_};
}

}  // namespace carom::geometry
