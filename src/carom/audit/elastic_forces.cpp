#include "carom/audit/elastic_forces.h"

#include <algorithm>
#include <cmath>

namespace carom::audit {

namespace {

constexpr double kSlack = 0.01;  // of the force without damping; damping goes with a speed found at
                                 // ends of legs
constexpr double kPlace = 1e-12;  // of where bodies are and how large: what depths are known to
constexpr double kLeastRestitution = 1e-3;  // cor_min

// (4)
double regularise(double v, double least) {
  const double s = v / least;
  return s >= 1 ? v : least * (s * s * (1 - s / 3) + 1.0 / 3);
}

}  // namespace

// By halving: D - ln(1 + D) + e D + ln(1 - e D) is positive below the root and goes to -∞ at 1/e.
double damping_product(double e) {
  if (e >= 1) return 0;
  double low = 0, high = 1 / e;
  const auto is_below = [e](double D) {
    return (1 + e) * D - std::log1p(D) + std::log1p(-e * D) > 0;
  };
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (is_below(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

void ElasticForces::begin(const Scene& scene, PenetrationWatch& watch,
                          const ElasticEnergy& energy) {
  scene_ = &scene;
  watch_ = &watch;
  energy_ = &energy;
  least_speed_ = scene.method.number("least_speed", 0.01);
  most_damping_ = scene.method.number("most_damping", 1000);
  is_flores_ = scene.method.text("damping", "exact") == "flores";
  has_portals_ = scene.method.text("distance", "exact") == "mpr";
}

void ElasticForces::look(BodyPair pair, const PairState& at) {
  looked_.clear();
  const auto add = [&](const SolidOverlap& found) {
    energy_->find_springs(found, springs_);
    const bool over_plane = found.a.solid.is_plane() || found.b.solid.is_plane();
    const model::PairProperties& between =
        scene_->pairs(found.a.solid.material, found.b.solid.material);
    const Vec3& n = found.overlap.direction;
    for (const Spring& spring : springs_.all) {
      const double rate =
          n.dot(at.a.twist().at(spring.point - at.a.x) - at.b.twist().at(spring.point - at.b.x));
      looked_.push_back({spring, rate, springs_.known && (over_plane || !has_portals_), n,
                         between.restitution, between.friction});
    }
  };
  watch_->visit_overlaps(pair, at.a, at.b, add, energy_->margin());
}

double ElasticForces::fastest() const {
  double fastest = 0;
  for (const Looked& each : looked_)
    if (each.spring.depth > 0) fastest = std::max(fastest, each.rate);
  return fastest;
}

// Whether springs are known and push along one direction.
bool ElasticForces::are_one() const {
  return std::ranges::all_of(looked_, [&](const Looked& each) {
    return each.known && each.direction == looked_.front().direction;
  });
}

// A contact that did not last to the leg's start has begun there; else that was the end of another.
ElasticForces::Contact& ElasticForces::follow(const Push& push) {
  const auto [at, is_new] = contacts_.try_emplace(push.pair);
  Contact& contact = at->second;
  if (is_new || contact.until < push.t0) {
    look(push.pair, push.start);
    const double approach = fastest();
    contact = {push.t1, approach, approach, !(is_new && is_resumed_)};
  }
  contact.until = push.t1;
  look(push.pair, push.end);
  contact.fastest = std::max(contact.fastest, fastest());
  return contact;
}

double ElasticForces::damping(double restitution, const Contact& contact) const {
  const double v = is_flores_ ? contact.first : contact.fastest;
  const double fade = std::exp(std::log(0.01) * v / least_speed_);
  const double e =
      std::max(kLeastRestitution, restitution + (kLeastRestitution - restitution) * fade);
  const double product = is_flores_ ? 8 * (1 - e) / (5 * e) : damping_product(e);
  return std::min(most_damping_, product / regularise(v, least_speed_));
}

ElasticForces::Range ElasticForces::find_range(const Contact& contact, double place) const {
  Range sum;
  for (const Looked& each : looked_) {
    const double d = damping(each.restitution, contact);
    const auto damped = [&each](double by) { return std::max(0.0, 1 + by * each.rate); };
    const auto [low, high] =
        std::minmax({damped(contact.known ? d : 0), damped(contact.known ? d : most_damping_)});
    const double most = each.spring.law.force(each.spring.depth + place);
    sum.spring += most;
    sum.least += low * each.spring.law.force(std::max(0.0, each.spring.depth - place));
    sum.most += high * most;
  }
  return sum;
}

bool ElasticForces::has_triangles(BodyPair pair) const {
  const auto has = [this](int body) {
    return std::ranges::any_of(watch_->solids(body), &Solid::is_triangle);
  };
  return has(pair.first) || has(pair.second);
}

double ElasticForces::find_excess(const Push& push) {
  const Contact& contact = follow(push);
  if (has_triangles(push.pair) || !are_one()) return 0;
  if (looked_.empty()) return push.force.norm();
  const Vec3& n = looked_.front().direction;
  const double place =
      kPlace * (push.end.a.x.norm() + push.end.b.x.norm() + scene_->tolerances.length);
  const Range range = find_range(contact, place);
  const double slack = kSlack * range.spring;
  const double friction = std::ranges::max(looked_, {}, &Looked::friction).friction;
  const double normal = -push.force.dot(n);
  const double across = (push.force + normal * n).norm();
  return std::max({0.0, normal - range.most - slack, range.least - slack - normal,
                   across - friction * normal - slack});
}

}  // namespace carom::audit
