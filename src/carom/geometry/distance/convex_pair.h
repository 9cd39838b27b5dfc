// Signed distance of two convex shapes given by their support mappings, in the first one's frame.
//
// Far from each other a simplex in the Minkowski difference closes in on the nearest points
// (Gilbert, Johnson, Keerthi); where they overlap a polytope in it grows until no direction can be
// better than the best one found (van den Bergen). Both only steer: the answer comes from Newton's
// method on the pieces of the two surfaces near the direction reached, and is accepted when the
// points that face each other along it prove it, that is when the separation, which no distance is
// below, and the distance of two points, which no distance is above, agree.
#pragma once

#include <algorithm>

#include "carom/geometry/distance/candidate.h"
#include "carom/geometry/distance/distance.h"
#include "carom/geometry/distance/expanding_polytope.h"
#include "carom/geometry/distance/face_overlap.h"
#include "carom/geometry/distance/separating_axes.h"
#include "carom/geometry/distance/simplex.h"
#include "carom/geometry/distance/stationary.h"

namespace carom::geometry {

// A result in a's frame, of the shapes without their radii.
struct CoreDistance {
  DistanceStatus status = DistanceStatus::Converged;
  Candidate best;
  int iterations = 0;
};

class ConvexPair {
 public:
  ConvexPair(const Support& a, const Support& b, const Pose& X_AB, double size)
      : a_(a),
        b_(b),
        X_AB_(X_AB),
        R_AB_(X_AB.q.toRotationMatrix()),
        size_(std::max(size, X_AB.p.norm())) {}

  CoreDistance compute(const Vec3& hint);

 private:
  // In parts of the size, or of how far apart the origins are if that is more:
  static constexpr double kProof = 1e-12;   // bounds this close are one
  static constexpr double kFacing = 1e-11;  // points this close face each other
  static constexpr double kShallow = 1e-7;  // less deep needs no other direction
  static constexpr double kAccept = 1e-10;  // what a search that stalls may leave
  // Where many directions are equally good, as for cylinders within each other, no polytope proves
  // them equal. The search then ends when so many faces in a row, each the most promising, have led
  // Newton's method to nothing better, and none can be better by more than this part of the depth.
  static constexpr int kIdle = 32;
  static constexpr double kTied = 0.02;
  static constexpr std::size_t kFewEdges = 60;  // all axes are tried before anything else
  static constexpr int kSimplexCap = 128;

  struct Sample {
    Vec3 a, b, w;
  };
  Sample sample(const Vec3& n) {
    const Vec3 a = a_(-n), b = X_AB_.p + R_AB_ * b_(R_AB_.transpose() * n);
    return {a, b, a - b};
  }
  bool are_polytopes() const { return a_.polytope() != nullptr && b_.polytope() != nullptr; }
  PolytopePair polytopes() const { return {*a_.polytope(), *b_.polytope(), X_AB_, size_}; }
  double separation(const Vec3& n) { return n.dot(sample(n).w); }

  void find_pieces(const Vec3& n, Pieces& of_a, Pieces& of_b);
  bool is_answer(const Candidate& found) const {
    return found.proven && found.separation > -kShallow * size_;
  }
  Candidate examine(const Vec3& n);
  Candidate best_of(const Directions& directions);
  Candidate polish(const Vec3& start);
  Candidate aligned(Candidate found);
  void take(const Candidate& candidate);

  bool search_apart();
  void try_faces();
  void try_sides();
  void try_crossings(const NormalCircle& side, const Polytope& other, const Mat3& rotation);
  void try_around(const NormalCircle& side);
  void search_overlapping();
  bool make_tetrahedron(std::array<Vec3, 4>& out);
  CoreDistance finish();

  Support a_, b_;
  Pose X_AB_;
  Mat3 R_AB_;
  double size_;
  Candidate best_;
  Simplex simplex_;
  int iterations_ = 0;
  bool searched_all_ = true;
};

}  // namespace carom::geometry
