// The signed distance of two convex solids as the largest separation over all directions, by search
// in long double. The separation is smooth but for kinks at the normals of faces and on circles of
// normals (edges, sides of cylinders and cones). So its maxima lie at normals of faces, where two
// circles cross, along a circle, or where it is smooth; each kind is searched by itself: the first
// two one by one, circles by samples and golden sections, the sphere by samples and a compass
// search. Every value is a separation, hence never above the distance.
#pragma once

#include <algorithm>
#include <array>

#include "reference/long_solid.h"

namespace carom::reference {

struct BestSeparation {
  Long value = -INFINITY;
  Long3 n = Long3::UnitX();
};

class SeparationSearch {
 public:
  SeparationSearch(const LongSolid& a, const LongSolid& b) : a_(a), b_(b) {}

  BestSeparation run() {
    for (const Long3& normal : a_.face_normals()) offer(-normal);
    for (const Long3& normal : b_.face_normals()) offer(normal);
    for (const NormalCircle& of_a : a_.circles()) {
      for (const NormalCircle& of_b : b_.circles()) cross({of_a.axis, -of_a.level}, of_b);
    }
    // Overlapping polytopes are done; smooth ones, points and what is apart are not.
    const bool faceted = a_.is_polytope() && b_.is_polytope() && best_.value <= 0 &&
                         !(a_.face_normals().empty() && b_.face_normals().empty());
    if (faceted) return best_;
    for (const NormalCircle& circle : a_.circles()) search_circle({circle.axis, -circle.level});
    for (const NormalCircle& circle : b_.circles()) search_circle(circle);
    search_sphere();
    return best_;
  }

 private:
  static constexpr int kCircleSamples = 48;
  static constexpr int kSphereSamples = 500;
  static constexpr int kStarts = 10;

  Long offer(const Long3& n) {
    const Long value = separation(a_, b_, n);
    if (value > best_.value) best_ = {value, n};
    return value;
  }

  void cross(const NormalCircle& first, const NormalCircle& second) {
    const Long3 along = first.axis.cross(second.axis);
    const Long sine2 = along.squaredNorm();
    if (sine2 < 1e-30L) return;
    const Long cosine = first.axis.dot(second.axis);
    const Long3 base = ((first.level - cosine * second.level) * first.axis +
                        (second.level - cosine * first.level) * second.axis) /
                       sine2;
    const Long rest = 1 - base.squaredNorm();
    if (rest < 0) return;
    const Long3 offset = along * std::sqrt(rest / sine2);
    offer((base + offset).normalized());
    offer((base - offset).normalized());
  }

  void search_circle(const NormalCircle& circle) {
    const Long3 axis = std::abs(circle.axis.x()) < 0.6L ? Long3::UnitX() : Long3::UnitY();
    const Long3 e1 = circle.axis.cross(axis).normalized(), e2 = circle.axis.cross(e1);
    const Long r = std::sqrt(1 - circle.level * circle.level);
    const auto at = [&](Long angle) {
      return offer(
          (circle.level * circle.axis + r * (std::cos(angle) * e1 + std::sin(angle) * e2)));
    };
    const Long step = 2 * std::acos(-1.0L) / kCircleSamples;
    std::array<Long, kCircleSamples> values;
    for (int i = 0; i < kCircleSamples; ++i) values[i] = at(step * i);
    for (int i = 0; i < kCircleSamples; ++i) {
      const Long before = values[(i + kCircleSamples - 1) % kCircleSamples];
      const Long after = values[(i + 1) % kCircleSamples];
      if (values[i] >= before && values[i] >= after) golden(at, step * (i - 1), step * (i + 1));
    }
  }

  template <typename Function>
  static void golden(const Function& value, Long low, Long high) {
    const Long part = (std::sqrt(5.0L) - 1) / 2;
    Long x1 = high - part * (high - low), x2 = low + part * (high - low);
    Long f1 = value(x1), f2 = value(x2);
    for (int i = 0; i < 60; ++i) {
      if (f1 > f2) {
        high = x2;
        x2 = x1;
        f2 = f1;
        f1 = value(x1 = high - part * (high - low));
      } else {
        low = x1;
        x1 = x2;
        f1 = f2;
        f2 = value(x2 = low + part * (high - low));
      }
    }
  }

  struct Start {
    Long value;
    Long3 n;
  };

  void search_sphere() {
    std::array<Start, kSphereSamples> samples;
    const Long turn = std::acos(-1.0L) * (3 - std::sqrt(5.0L));
    for (int i = 0; i < kSphereSamples; ++i) {
      const Long z = 1 - (2 * i + 1) / Long(kSphereSamples), r = std::sqrt(1 - z * z);
      const Long3 n(r * std::cos(turn * i), r * std::sin(turn * i), z);
      samples[i] = {offer(n), n};
    }
    climb(best_.n, best_.value);
    std::sort(samples.begin(), samples.end(),
              [](const Start& x, const Start& y) { return x.value > y.value; });
    std::vector<Long3> starts;
    for (const Start& sample : samples) {
      const auto near = [&](const Long3& n) { return n.dot(sample.n) > 0.95L; };
      if (std::any_of(starts.begin(), starts.end(), near)) continue;
      starts.push_back(sample.n);
      climb(sample.n, sample.value);
      if (starts.size() == kStarts) break;
    }
  }

  void climb(Long3 n, Long value) {
    Long step = 0.1L;
    for (int i = 0; i < 2000 && step > 1e-13L; ++i) {
      const Long3 axis = std::abs(n.x()) < 0.6L ? Long3::UnitX() : Long3::UnitY();
      const Long3 e1 = n.cross(axis).normalized(), e2 = n.cross(e1);
      Start best{value, n};
      for (int k = 0; k < 8; ++k) {
        const Long angle = std::acos(-1.0L) * k / 4;
        const Long3 next = (n + step * (std::cos(angle) * e1 + std::sin(angle) * e2)).normalized();
        const Long other = offer(next);
        if (other > best.value) best = {other, next};
      }
      if (best.value > value) {
        n = best.n;
        value = best.value;
        step *= 1.5L;
      } else {
        step /= 3;
      }
    }
  }

  const LongSolid& a_;
  const LongSolid& b_;
  BestSeparation best_;
};

}  // namespace carom::reference
