#include "carom/audit/elastic_forces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "carom/base/bytes.h"

namespace carom::audit {

namespace {

constexpr double kSlack = 1e-4;       // of a force; round-off in depths and speeds is far less
constexpr double kQuadrature = 5e-3;  // of impulses; what three times a segment miss
constexpr double kPlace = 1e-12;      // of where bodies are and how large: what depths are known to
constexpr double kAnySpeed = std::numeric_limits<double>::infinity();
constexpr double kLeastRestitution = 1e-3;  // cor_min

// Whether springs pushed at its end alone.
bool is_free(const record::ClusterSegment& segment) {
  return std::ranges::all_of(segment.motions, &RigidMotion::is_parabola);
}

BodyState state_at(const FrameWalk& walk, int body, double t) {
  const Piece& piece = walk.piece(id_of<BodyId>(body));
  return t == piece.t1 ? piece.end : dynamics::state_on(piece.motion, t - piece.t0);
}

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

void ElasticForces::forget() {
  contacts_.clear();
  for (auto& [bodies, pair] : pairs_) pair.until = -1;
}

void ElasticForces::look(BodyPair pair, const PairState& at) {
  looked_.clear();
  const auto number = [this](int body, const Solid& solid) {
    return static_cast<int>(&solid - watch_->solids(body).data());
  };
  const auto add = [&](const SolidOverlap& found) {
    energy_->find_springs(found, springs_);
    const bool over_plane = found.a.solid.is_plane() || found.b.solid.is_plane();
    const bool by_portals = has_portals_ && springs_.known == SpringKnown::Yes && !over_plane;
    const model::PairProperties& between =
        scene_->pairs(found.a.solid.material, found.b.solid.material);
    const Vec3& n = found.overlap.direction;
    const Key solids{pair.first, pair.second, number(pair.first, found.a.solid),
                     number(pair.second, found.b.solid)};
    for (const Spring& spring : springs_.all) {
      const double rate =
          n.dot(at.a.twist().at(spring.point - at.a.x) - at.b.twist().at(spring.point - at.b.x));
      looked_.push_back({solids, spring.law, spring.depth, rate, n, between.restitution,
                         between.friction, by_portals ? SpringKnown::No : springs_.known});
    }
  };
  watch_->visit_overlaps(pair, at.a, at.b, add, energy_->margin());
  settle_triangles();
}

// Of a ball in triangles the deepest pushes.
void ElasticForces::settle_triangles() {
  const auto ball = [this](const Looked& each) {
    const auto [a, b, solid_a, solid_b] = each.solids;
    return watch_->solids(a)[static_cast<std::size_t>(solid_a)].is_triangle ? solid_b : solid_a;
  };
  for (Looked& each : looked_) {
    if (each.known != SpringKnown::MayPush) continue;
    const auto is_deeper = [&](const Looked& other) {
      return other.known != SpringKnown::No && ball(other) == ball(each) &&
             other.depth > each.depth;
    };
    if (std::ranges::none_of(looked_, is_deeper)) each.known = SpringKnown::Yes;
  }
}

void ElasticForces::begin_contacts(double t) {
  for (const Looked& each : looked_) {
    if (!(each.depth > 0)) continue;
    const double approach = std::max(0.0, each.rate);
    contacts_[each.solids] = {t, each.depth, approach, approach, approach};
  }
}

void ElasticForces::follow_contacts(const Push& push) {
  constexpr double kAlmostApart = 0.1;  // of the greatest depth
  for (const Looked& each : looked_) {
    if (!(each.depth > 0)) continue;
    const double approach = std::max(0.0, each.rate);
    Contact& contact = contacts_[each.solids];
    if (contact.until < push.t0) contact = {.first = approach};
    contact.until = push.t1;
    contact.deepest = std::max(contact.deepest, each.depth);
    if (each.depth < kAlmostApart * contact.deepest) contact.slowest = 0;
    contact.fastest = std::max(contact.fastest, approach);
    if (!is_flores_) contact.slowest = std::max(contact.slowest, approach);
  }
}

double ElasticForces::damping(double restitution, double speed) const {
  if (std::isinf(speed)) return 0;
  const double fade = std::exp(std::log(0.01) * speed / least_speed_);
  const double e =
      std::max(kLeastRestitution, restitution + (kLeastRestitution - restitution) * fade);
  const double product = is_flores_ ? 8 * (1 - e) / (5 * e) : damping_product(e);
  return std::min(most_damping_, product / regularise(speed, least_speed_));
}

// Damping falls with the speed.
ElasticForces::Range ElasticForces::find_range(const Looked& each, double place) const {
  const auto found = contacts_.find(each.solids);
  const Contact contact = found == contacts_.end() ? Contact{} : found->second;
  const double rate = std::max(0.0, each.rate);
  const auto factor = [&](double speed) {
    const double v = is_flores_ ? speed : std::max(speed, rate);
    return std::max(0.0, 1 + each.rate * damping(each.restitution, v));
  };
  const auto [low, high] =
      std::minmax({factor(contact.slowest), factor(is_flores_ ? contact.first : contact.fastest)});
  return {low * each.law.force(std::max(0.0, each.depth - place)),
          high * each.law.force(each.depth + place)};
}

// Springs that push for certain have a sum, about which those lie that may push or rub.
double ElasticForces::find_excess(const Vec3& force, const PairState& at) const {
  const double place = kPlace * (at.a.x.norm() + at.b.x.norm() + scene_->tolerances.length);
  Vec3 sum = Vec3::Zero(), n = Vec3::Zero();
  double open = 0, loose = 0, rubbing = 0;
  bool is_one = true;
  for (const Looked& each : looked_) {
    if (each.known == SpringKnown::No) return 0;
    const auto [least, most] = find_range(each, place);
    if (each.known == SpringKnown::MayPush) {
      loose += (1 + each.friction) * most;
      continue;
    }
    sum -= 0.5 * (least + most) * each.direction;
    open += 0.5 * (most - least) + kSlack * most;
    rubbing += each.friction * most;
    is_one = is_one && (n.isZero(0) || n == each.direction);
    n = each.direction;
  }
  const Vec3 off = force - sum;
  if (!is_one) return std::max(0.0, off.norm() - open - loose - rubbing);
  const double along = std::abs(off.dot(n));
  const double across = (off - off.dot(n) * n).norm();
  return std::max({0.0, along - open - loose, across - rubbing - open - loose});
}

// What acts at its start did so at the end of the segment before.
void ElasticForces::enter(const Push& push, const FrameWalk& walk) {
  const double h = push.t1 - push.t0;
  const auto at = [&walk, &pair = push.pair](double t) -> PairState {
    return {state_at(walk, pair.first, t), state_at(walk, pair.second, t)};
  };
  PairOfBodies& pair = pairs_[{push.pair.first, push.pair.second}];
  if (pair.until < push.t0) {
    look(push.pair, at(push.t0));
    begin_contacts(push.t0);
  }
  const PairState middle = at(push.t0 + h / 2), last = at(push.t1);
  look(push.pair, middle);
  const double beyond = find_excess(push.forces[1], middle);
  look(push.pair, last);
  beyond_ += h / 2 * (beyond + find_excess(push.forces[2], last));
  follow_contacts(push);
  pair.until = push.t1;
  const Vec3 integral = h / 6 * (push.forces[0] + 4 * push.forces[1] + push.forces[2]);
  const Vec3 off = push.impulse - integral;
  for (int i = 0; i < 3; ++i) pair.off[static_cast<std::size_t>(i)] += off[i];
  pair.given += integral.norm();
  worst_off_ = std::max(
      worst_off_, std::hypot(pair.off[0], pair.off[1], pair.off[2]) - kQuadrature * pair.given);
}

void ElasticForces::enter(const record::ClusterSegment& segment, const FrameWalk& walk) {
  const std::span<const record::CarriedForce> forces = segment.forces.end;
  const auto pair_of = [&](std::size_t i) -> BodyPair {
    return std::minmax(static_cast<int>(index(forces[i].a)), static_cast<int>(index(forces[i].b)));
  };
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const auto are_same = [&](std::size_t k) {
      return forces[k].joint < 0 && pair_of(k) == pair_of(i);
    };
    const auto before = std::views::iota(std::size_t{0}, i);
    if (!are_same(i) || std::ranges::any_of(before, are_same)) continue;
    Push push{pair_of(i), segment.t0, segment.t1};
    for (std::size_t k = i; k < forces.size(); ++k) {
      if (!are_same(k)) continue;
      const double sign = static_cast<int>(index(forces[k].a)) == push.pair.first ? 1 : -1;
      push.forces[0] += sign * segment.forces.start[k].force;
      push.forces[1] += sign * segment.forces.middle[k].force;
      push.forces[2] += sign * forces[k].force;
      push.impulse += sign * segment.forces.effects[k].impulse;
    }
    if (is_free(segment))
      pass_over(push, walk);
    else
      enter(push, walk);
  }
}

// How fast two solids came to be is not known after impulses.
void ElasticForces::pass_over(const Push& push, const FrameWalk& walk) {
  look(push.pair,
       {state_at(walk, push.pair.first, push.t1), state_at(walk, push.pair.second, push.t1)});
  for (const Looked& each : looked_)
    if (each.depth > 0) contacts_[each.solids] = {push.t1, each.depth, kAnySpeed, kAnySpeed, 0};
  pairs_[{push.pair.first, push.pair.second}].until = push.t1;
}

namespace {

template <typename Kept, typename Map>
void save_map(const Map& map, std::string& bytes) {
  std::vector<Kept> all;
  for (const auto& [key, value] : map) all.push_back({key, value});
  base::append_bytes(bytes, all);
}

template <typename Kept, typename Map>
void restore_map(std::string_view& bytes, Map& map) {
  std::vector<Kept> all;
  base::take_bytes(bytes, all);
  map.clear();
  for (const Kept& each : all) map.emplace(each.key, each.value);
}

}  // namespace

void ElasticForces::save(std::string& bytes) const {
  base::append_bytes(bytes, std::array{beyond_, worst_off_});
  save_map<KeptContact>(contacts_, bytes);
  save_map<KeptPair>(pairs_, bytes);
}

void ElasticForces::restore(std::string_view& bytes) {
  std::array<double, 2> sums{};
  base::take_bytes(bytes, sums);
  beyond_ = sums[0];
  worst_off_ = sums[1];
  restore_map<KeptContact>(bytes, contacts_);
  restore_map<KeptPair>(bytes, pairs_);
}

}  // namespace carom::audit
