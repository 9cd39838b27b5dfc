// Whether two shapes in flight overlap before they were said to touch: dense samples in time, and a
// search for the least distance wherever it might dip between them. At each time some direction
// must part the shapes; whoever proposes it, what it proves is computed here in long double. Where
// none that was proposed does, a search over all directions decides.
#pragma once

#include "carom/geometry/times/time_of_contact.h"
#include "reference/best_separation.h"

namespace carom::reference {

struct WatchedBody {
  const geometry::MovingShape& moving;
  LongSolid at_origin;

  explicit WatchedBody(const geometry::MovingShape& shape)
      : moving(shape), at_origin(shape.convex.shape, Pose{}) {}

  Pose pose(double s) const { return pose_at(moving.motion, s) * moving.X_BS; }
  double reach() const { return moving.X_BS.p.norm() + moving.convex.radius; }
};

struct Overlap {
  double s = 0;
  double depth = 0;  // below the floor
};

class ContactWatch {
 public:
  static constexpr double kSample = 5e-4;  // s; the longest step where shapes are near

  ContactWatch(const geometry::MovingShape& a, const geometry::MovingShape& b, double duration)
      : a_(a), b_(b), speed_(greatest_speed(duration)) {}

  // The first overlap below the floor within [0, end), if there is one.
  Overlap find_overlap(double end, double floor) {
    floor_ = floor;
    double before = 0, here = 0;
    Long value_before = separation_at(0), value = value_before;
    for (int i = 0; i < kMostSamples && here < end; ++i) {
      if (value < floor && is_overlap(here)) return overlap_;
      const double step = std::max(kSample, static_cast<double>((value - floor) / speed_));
      const double next = std::min(end, here + step);
      const Long value_next = separation_at(next);
      const bool may_dip =
          value <= value_before && value <= value_next && value - speed_ * (next - before) < floor;
      if (may_dip && dips(before, next)) return overlap_;
      before = here;
      value_before = value;
      here = next;
      value = value_next;
    }
    return {};
  }

  // How deep the shapes overlap at the start, as a number that is not positive.
  Long overlap_at_start() {
    return separation_at(0) >= 0 ? 0 : std::min<Long>(0, best_separation(0));
  }

  // How far a point lies from the two surfaces at most; 0 inside both.
  double outside(double s, const Vec3& point) const {
    const Long3 p = point.cast<Long>();
    const LongSolid a(a_.moving.convex.shape, a_.pose(s)), b(b_.moving.convex.shape, b_.pose(s));
    return static_cast<double>(std::max(a.outside(p), b.outside(p)));
  }

  // Of a plane its normal is the only direction.
  Long best_separation(double s) const {
    const LongSolid a(a_.moving.convex.shape, a_.pose(s)), b(b_.moving.convex.shape, b_.pose(s));
    if (is_plane(a_)) return separation(a, b, -a.face_normals()[0]);
    if (is_plane(b_)) return separation(a, b, b.face_normals()[0]);
    return SeparationSearch(a, b).run().value;
  }

 private:
  static constexpr int kMostSamples = 30'000;
  static constexpr int kGoldenSteps = 40;

  static bool is_plane(const WatchedBody& body) {
    return std::holds_alternative<geometry::Plane>(body.moving.convex.shape);
  }
  static double spin(const WatchedBody& body, double duration) {
    return math::spin_bounds(body.moving.motion.rotation, duration).speed;
  }

  double greatest_speed(double duration) const {
    const RigidMotion &A = a_.moving.motion, &B = b_.moving.motion;
    const double linear = std::max((A.v0 - B.v0).norm(),
                                   (velocity_at(A, duration) - velocity_at(B, duration)).norm());
    const double between = (A.x0 - B.x0).norm() + linear * duration;
    const double reach_a = a_.reach(), reach_b = b_.reach();
    const double lever_a = std::isfinite(reach_a) ? reach_a : between + reach_b;
    const double lever_b = std::isfinite(reach_b) ? reach_b : between + reach_a;
    return linear + lever_a * spin(a_, duration) + lever_b * spin(b_, duration) + 1e-300;
  }

  static Long3 support(const WatchedBody& body, const Pose& X, const Long3& n) {
    const Eigen::Quaternion<Long> q = X.q.cast<Long>().normalized();
    return X.p.cast<Long>() + q * body.at_origin.support(q.conjugate() * n);
  }

  Long separation_at(double s) {
    const Pose X_WA = a_.pose(s), X_WB = b_.pose(s);
    const geometry::Distance proposed =
        compute_distance({a_.moving.convex, X_WA}, {b_.moving.convex, X_WB}, hint_);
    const Long3 n = proposed.normal.cast<Long>().normalized();
    return n.dot(support(a_, X_WA, -n) - support(b_, X_WB, n));
  }

  bool is_overlap(double s) {
    const Long best = best_separation(s);
    if (best >= floor_) return false;
    overlap_ = {s, static_cast<double>(floor_ - best)};
    return true;
  }

  bool dips(double low, double high) {
    const double part = (std::sqrt(5.0) - 1) / 2;
    for (int i = 0; i < kGoldenSteps; ++i) {
      const double s1 = high - part * (high - low), s2 = low + part * (high - low);
      const Long value1 = separation_at(s1), value2 = separation_at(s2);
      const double lower = value1 < value2 ? s1 : s2;
      if (std::min(value1, value2) < floor_ && is_overlap(lower)) return true;
      (value1 < value2 ? high : low) = value1 < value2 ? s2 : s1;
    }
    return false;
  }

  WatchedBody a_, b_;
  double speed_;
  double floor_ = 0;
  geometry::DistanceHint hint_;
  Overlap overlap_;
};

}  // namespace carom::reference
