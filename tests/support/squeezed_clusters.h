// Bodies that cannot move: clusters of contacts whose gradients have a positive combination that
// vanishes, each on bodies of its own, so that the dimension of what they take away is known.
#pragma once

#include "support/random_impact.h"

namespace carom::support {

class SqueezedClusters {
 public:
  explicit SqueezedClusters(RandomImpact& into) : into_(into) {}

  // Some clusters, one after the other along the list of bodies; the dimension of their span.
  int plant(int clusters) {
    for (int i = 0; i < clusters && next_ < into_.count(); ++i) plant_one();
    if (into_.contacts.empty()) plant_plates();
    repeat_some();
    return dimension_;
  }

 private:
  RandomNumbers& random() { return into_.random; }
  int left() const { return into_.count() - next_; }

  void plant_one() {
    const int kind = random().below(5);
    if (kind == 0) return plant_plates();
    if (kind == 1) return plant_row(-1, 1 + random().below(std::min(left(), 8)));
    if (kind == 2) return plant_star();
    if (kind == 3 && left() >= 2) {
      const int frame = next_++;
      return plant_row(frame, 1 + random().below(std::min(left(), 5)));
    }
    if (kind == 4 && left() >= 5) plant_backed_star();
  }

  void squeeze(int a, int b, const Vec3& point, const Vec3& normal) {
    ContactSpec spec;
    spec.a = a;
    spec.b = b;
    spec.point = point;
    spec.normal = normal;
    into_.contacts.push_back({spec, true});
  }

  Vec3 near(int body) { return into_.place(body) + random().vector(0.3); }

  // A body between two parallel plates that touch it at one to four pairs of points: it cannot move
  // across, nor turn about as many axes as the points span.
  void plant_plates() {
    const Vec3 n = random().direction();
    const math::Tangents along = math::make_tangents(n);
    const int pairs = 1 + random().below(4);
    constexpr double corners[4][2] = {{0.3, 0.2}, {-0.4, 0.1}, {0.1, -0.5}, {-0.3, -0.4}};
    const Vec3 middle = near(next_);
    for (int i = 0; i < pairs; ++i) {
      const Vec3 point = middle + corners[i][0] * along.first + corners[i][1] * along.second;
      squeeze(next_, -1, point - 0.5 * n, n);
      squeeze(next_, -1, point + 0.5 * n, -n);
    }
    dimension_ += std::min(pairs, 3);
    ++next_;
  }

  // Bodies in a row along a line, squeezed between two walls, or within a frame.
  void plant_row(int frame, int bodies) {
    const Vec3 n = random().direction();
    const Vec3 start = near(next_);
    squeeze(next_, frame, start, n);
    for (int i = 1; i < bodies; ++i) squeeze(next_ + i, next_ + i - 1, start + i * n, n);
    squeeze(next_ + bodies - 1, frame, start + bodies * n, -n);
    dimension_ += bodies;
    next_ += bodies;
  }

  // Three or four directions whose positive combination vanishes.
  std::vector<Vec3> balanced_directions() {
    const int arms = 3 + random().below(2);
    std::vector<Vec3> found;
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i + 1 < arms; ++i) {
      found.push_back((Vec3::Unit(i) + random().vector(0.3)).normalized());
      sum += random().between(0.5, 1) * found.back();
    }
    found.push_back(-sum.normalized());
    return found;
  }

  // A body held by walls all round a point.
  void plant_star() {
    const Vec3 middle = near(next_);
    const std::vector<Vec3> arms = balanced_directions();
    for (const Vec3& n : arms) squeeze(next_, -1, middle - n, n);
    dimension_ += static_cast<int>(arms.size()) - 1;
    ++next_;
  }

  // The same with a body between the middle one and each wall.
  void plant_backed_star() {
    const int center = next_++;
    const Vec3 middle = near(center);
    const std::vector<Vec3> arms = balanced_directions();
    for (const Vec3& n : arms) {
      squeeze(center, next_, middle - n, n);
      squeeze(next_++, -1, middle - 2 * n, n);
    }
    dimension_ += 2 * static_cast<int>(arms.size()) - 1;
  }

  void repeat_some() {
    for (int i = random().below(3); i > 0; --i) {
      const auto again = static_cast<std::size_t>(random().below(into_.size()));
      into_.contacts.push_back(into_.contacts[again]);
    }
  }

  RandomImpact& into_;
  int next_ = 0;  // the first body without a cluster
  int dimension_ = 0;
};

}  // namespace carom::support
