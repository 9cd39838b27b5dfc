// Random impacts, as contact problems: 1 to 60 bodies of arbitrary inertia, 1 to 200 contacts,
// masses that differ by up to 1e8, with and without walls and joints. Three kinds:
//
//   free      some motion opens every contact, so nothing is squeezed: fresh contacts, copies,
//             faces of several points, normals that differ by 1e-3 to 1e-8, pairs almost opposed;
//   squeezed  clusters that take away a known number of dimensions (squeezed_clusters.h), among
//             contacts that a motion tangent to all of those opens;
//   whole     one or two bodies with small whole numbers for positions and normals, whose
//             lineality space is found exactly by trying subsets (reference/lineality.h).
#pragma once

#include "reference/lineality.h"
#include "support/squeezed_clusters.h"

namespace carom::support {

struct ImpactCase {
  Bodies bodies;
  contact::ContactProblem problem;
  std::vector<std::size_t> squeezed;  // contacts that are implicit equalities
  int lineality = 0;                  // the dimension of their span
};

class ImpactCases {
 public:
  // One case from each.
  explicit ImpactCases(std::uint64_t seed) : impact_(seed * 0x9e3779b97f4a7c15ULL + 1) {}

  ImpactCase next_free() {
    impact_.add_bodies(random().spread(1, 60));
    const bool walls = random().one_in(2);
    if (impact_.count() > 1 && random().one_in(4))
      impact_.add_joints(1 + random().below(impact_.count() / 2));
    const reference::LongVec motion = impact_.random_motion();
    const int wanted = random().spread(1, 200);
    for (int tries = 0; tries < 20 * wanted && impact_.size() < wanted; ++tries)
      add_free(motion, walls || impact_.count() == 1);
    return finish(0);
  }

  ImpactCase next_squeezed() {
    impact_.add_bodies(random().spread(1, 60));
    const int dimension = SqueezedClusters(impact_).plant(1 + random().below(4));
    const reference::LongVec motion = impact_.random_motion();
    const int wanted = impact_.size() + random().spread(1, 100) - 1;
    for (int tries = 0; tries < 20 * wanted && impact_.size() < wanted; ++tries)
      add_fresh(motion, true);
    shuffle();
    return finish(dimension);
  }

  ImpactCase next_whole() {
    const int bodies = 1 + random().below(2);
    for (int i = 0; i < bodies; ++i)
      impact_.add_body(1, Mat3::Identity(), random().whole_vector(2));
    reference::WholeMatrix gradients;
    for (int left = 2 + random().below(8); left > 0; --left) gradients.push_back(add_whole());
    const reference::Lineality found = reference::find_lineality(gradients);
    for (const std::size_t k : found.implicit) impact_.contacts[k].squeezed = true;
    return finish(found.dimension);
  }

 private:
  static constexpr double kOpening = 1e-3;  // cosine between normal and opening, at least

  RandomNumbers& random() { return impact_.random; }

  static bool opens(const ContactSpec& spec, const Vec3& opening) {
    return opening.norm() > 1e-3 && spec.normal.dot(opening) > kOpening * opening.norm();
  }

  void add_fresh(const reference::LongVec& motion, bool walls) {
    ContactSpec spec = impact_.somewhere(walls);
    spec.normal = random().direction();
    const Vec3 opening = impact_.opening_of(spec, motion);
    if (spec.normal.dot(opening) < 0) spec.normal = -spec.normal;
    if (opens(spec, opening)) impact_.contacts.push_back({spec});
  }

  void add_free(const reference::LongVec& motion, bool walls) {
    const int style = impact_.contacts.empty() ? 0 : random().below(8);
    if (style < 4) return add_fresh(motion, walls);
    if (style == 4) return add_almost_opposed(motion, walls);
    const auto like = static_cast<std::size_t>(random().below(impact_.size()));
    ContactSpec spec = impact_.contacts[like].spec;
    if (style == 5) {
      const Vec3 aside = spec.normal.cross(random().direction());
      spec.normal = (spec.normal + std::pow(10, random().between(-8, -3)) * aside).normalized();
    }
    if (style == 6) spec.point += spec.normal.cross(random().vector(0.5));
    if (opens(spec, impact_.opening_of(spec, motion))) impact_.contacts.push_back({spec});
  }

  // Two normals that a small angle keeps from being opposite, both opened by the motion.
  void add_almost_opposed(const reference::LongVec& motion, bool walls) {
    ContactSpec spec = impact_.somewhere(walls);
    const Vec3 opening = impact_.opening_of(spec, motion);
    if (opening.norm() < 1e-3) return;
    const Vec3 aside = opening.cross(random().direction()).normalized();
    const double half = std::pow(10, random().between(-2, -0.5));
    for (const double side : {1.0, -1.0}) {
      spec.normal = side * std::cos(half) * aside + std::sin(half) * opening.normalized();
      impact_.contacts.push_back({spec});
    }
  }

  // Adds a contact and gives its gradient before the normal was made a unit vector.
  reference::WholeVector add_whole() {
    ContactSpec spec;
    spec.a = random().below(impact_.count());
    spec.b = random().below(impact_.count() + 1) - 1;
    if (spec.b == spec.a) spec.b = -1;
    spec.point = random().whole_vector(2);
    Vec3 normal = random().whole_vector(1);
    if (normal.isZero()) normal = Vec3::UnitZ();
    spec.normal = normal.normalized();
    impact_.contacts.push_back({spec});
    reference::WholeVector gradient(static_cast<std::size_t>(6 * impact_.count()), 0);
    write_whole(spec, spec.a, normal, gradient);
    write_whole(spec, spec.b, -normal, gradient);
    return gradient;
  }

  void write_whole(const ContactSpec& spec, int body, const Vec3& force,
                   reference::WholeVector& gradient) const {
    if (body < 0) return;
    const Vec3 torque = (spec.point - impact_.place(body)).cross(force);
    for (int i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(6 * body + i);
      gradient[at] = std::llround(force[i]);
      gradient[at + 3] = std::llround(torque[i]);
    }
  }

  void shuffle() {
    for (int i = impact_.size(); i > 1; --i) {
      const auto other = static_cast<std::size_t>(random().below(i));
      std::swap(impact_.contacts[static_cast<std::size_t>(i - 1)], impact_.contacts[other]);
    }
  }

  ImpactCase finish(int lineality) const {
    ImpactCase made{impact_.bodies, impact_.assemble(), {}, lineality};
    for (std::size_t i = 0; i < impact_.contacts.size(); ++i) {
      if (impact_.contacts[i].squeezed) made.squeezed.push_back(i);
    }
    return made;
  }

  RandomImpact impact_;
};

}  // namespace carom::support
