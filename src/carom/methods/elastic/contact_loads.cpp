#include "carom/methods/elastic/contact_loads.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

// Tangential against normal compliance of two balls (Mindlin), for the usual Poisson's ratio.
constexpr double kYield = 0.8;
constexpr double kLeastGrip = 1e-3;  // of the friction that sizes bristles
constexpr double kSettling = 2;      // critical for a body that does not turn, under its own weight
constexpr double kNoSlip = 1e-6;     // of the speed at which bristles settle
constexpr double kHertzDuration = 2.9432751843247047;  // of an impact, in indentations per speed

// Where there is no slip its direction is round-off, and is taken for none: derivatives alone use
// it, and two contacts that mirror each other should be solved alike.
Vec3 direction_of(const Vec3& slip, double speed, const PairConstants& pair) {
  return slip / std::max(speed, kNoSlip * pair.yield / pair.settling);
}

// By the slip of one node.
BristleRate bend(const Vec3& slip, const Vec3& bristle, const PairConstants& pair) {
  const double speed = slip.norm(), way = std::hypot(pair.yield, pair.settling * speed);
  const Vec3 along = direction_of(slip, speed, pair), pull = slip - speed * bristle;
  const double widens =
      pair.settling * pair.settling * speed / (way * way);  // of the way, by speed
  const Vec3 by_speed = bristle + widens * pull;
  return {pull / way, -speed / way * Mat3::Identity(),
          (Mat3::Identity() - by_speed * along.transpose()) / way, Mat3::Zero()};
}

}  // namespace

double ContactLoads::effective_mass(std::size_t touch) const {
  const ElasticContact& pair = touches_.all[touch];
  return 1 / (scene_.body(pair.a).inverse_mass + scene_.body(pair.b).inverse_mass);
}

PairConstants ContactLoads::constants_of(std::size_t touch) const {
  const ElasticContact& pair = touches_.all[touch];
  const contact::PairQuery& query = *touches_.queries[touch];
  const auto material = [&](BodyId body, std::int32_t shape) -> const model::Material& {
    return scene_
        .materials[index(scene_.body(body).shapes[static_cast<std::size_t>(shape)].material)];
  };
  const model::Material& a = material(pair.a, query.pair().shape_a);
  const model::Material& b = material(pair.b, query.pair().shape_b);
  const model::PairProperties& between = query.between();
  const Regularisation& near_zero = options_.regularisation;
  PairConstants constants;
  constants.law.stiffness =
      options_.reduction *
      resultant_stiffness(a.youngs_modulus, a.poissons_ratio, b.youngs_modulus, b.poissons_ratio);
  constants.law.friction = between.friction;
  constants.restitution = between.restitution;
  constants.law.damping = damping_coefficient(
      between.restitution, near_zero.damping == Damping::Exact ? pair.fastest : pair.start_speed,
      near_zero);
  constants.rolling = between.rolling_friction;
  constants.spinning = between.spinning_friction;

  const GeometryFactors factors =
      shape_factors({query.convex_a(), {}}, {query.convex_b(), {}}, {Vec3::Zero(), Vec3::UnitX()});
  const double stiffness = constants.law.stiffness * factors.factor, n = factors.exponent;
  const double mass = effective_mass(touch), weight = mass * scene_.gravity.norm();
  const auto depth_at = [&](double speed) {
    return std::pow((n + 1) * mass * speed * speed / (2 * stiffness), 1 / (n + 1));
  };
  const double speed = std::max(pair.start_speed, near_zero.least_speed);
  constants.lasts = kHertzDuration * depth_at(speed) / speed;
  const double depth =
      weight > 0 ? std::pow(weight / stiffness, 1 / n) : depth_at(near_zero.least_speed);
  const double grip = std::max(between.friction, kLeastGrip);
  constants.yield = kYield * grip * depth;
  constants.settling = weight > 0 ? kSettling * std::sqrt(constants.yield * mass / (grip * weight))
                                  : constants.yield / near_zero.least_speed;
  return constants;
}

Vec3 ContactLoads::first_bend(std::size_t touch, const State& state, double seconds) {
  const contact::Contact at =
      find_nearest(options_.gauge, *touches_.queries[touch], {scene_, state});
  const Vec3 way = seconds / constants_[touch].yield * slip_at(at, state).velocity;
  return way / std::max(1.0, way.norm());
}

void ContactLoads::read_approach(std::vector<double>& out) const {
  out.assign(touches_.all.size(), 0);
  for (const Node& node : nodes_) out[node.touch] = std::max(out[node.touch], node.rate);
}

void ContactLoads::remember(std::span<const double> approach) {
  for (std::size_t i = 0; i < approach.size(); ++i) {
    double& fastest = touches_.all[i].fastest;
    if (approach[i] <= fastest) continue;
    fastest = approach[i];
    if (options_.regularisation.damping != Damping::Exact) continue;
    PairConstants& pair = constants_[i];
    pair.law.damping = damping_coefficient(pair.restitution, fastest, options_.regularisation);
  }
}

// While a pair approaches faster than ever, the damping is for that speed.
Damped ContactLoads::damped(std::size_t touch, double rate) const {
  const PairConstants& pair = constants_[touch];
  const Regularisation& near_zero = options_.regularisation;
  if (near_zero.damping != Damping::Exact || rate <= touches_.all[touch].fastest)
    return {1 + pair.law.damping * rate, pair.law.damping};
  constexpr double kRateStep = 1e-6;
  const double faster = (1 + kRateStep) * rate;
  const double now = rate * damping_coefficient(pair.restitution, rate, near_zero);
  const double then = faster * damping_coefficient(pair.restitution, faster, near_zero);
  return {1 + now, (then - now) / (kRateStep * rate)};
}

void ContactLoads::prepare(const Elastic& options) {
  options_ = options;
  constants_.clear();
  for (std::size_t i = 0; i < touches_.all.size(); ++i) constants_.push_back(constants_of(i));
}

double ContactLoads::shortest() const {
  double shortest = HUGE_VAL;
  for (const PairConstants& pair : constants_) shortest = std::min(shortest, pair.lasts);
  return shortest;
}

ContactLoads::Slip ContactLoads::slip_at(const contact::Contact& at, const State& state) const {
  const BodyState &a = state[at.a], &b = state[at.b];
  const Vec3& n = at.at.normal;
  const Vec3 v = a.twist().at(at.at.point - a.x) - b.twist().at(at.at.point - b.x);
  const double opening = v.dot(n);
  return {v - opening * n, -at.at.gap, -opening};
}

void ContactLoads::add_node(std::size_t touch, const contact::Contact& at, double share,
                            const State& state, const Vec3& bristle) {
  const Slip slip = slip_at(at, state);
  if (slip.depth <= 0) return;
  const Vec3& n = at.at.normal;
  const GeometryFactors factors = factors_of(touch, state, {at.at.point, n});
  const PairConstants& pair = constants_[touch];
  const PairLaw law = law_at(touch, factors, share);
  const NormalForce normal = normal_force(law, slip.depth, damped(touch, slip.rate));
  const double least = options_.regularisation.least_speed;
  Node node;
  Vec3 drag;
  Mat3 drag_by_velocity, drag_by_bristle = Mat3::Zero();
  const Mat3 across = Mat3::Identity() - n * n.transpose();
  if (options_.stick && law.friction > 0) {
    const Vec3 along = across * bristle;  // a normal that turns leaves some of it behind
    node.bristle = bend(slip.velocity, along, pair);
    node.bristle.by_velocity = node.bristle.by_velocity * across;
    node.bristle.by_bristle = node.bristle.by_bristle * across;
    drag = along + pair.settling * node.bristle.value;
    drag_by_velocity = pair.settling * node.bristle.by_velocity;
    drag_by_bristle = across + pair.settling * node.bristle.by_bristle;
  } else {
    drag = regularised_direction(slip.velocity, least);
    drag_by_velocity = regularised_direction_slope(slip.velocity, least) * across;
  }
  const double mu = law.friction;
  const Vec3 push = n - mu * drag;  // per normal force
  node.touch = touch;
  node.point = at.at.point;
  node.normal = n;
  node.force = normal.value * push;
  node.spring = normal.spring;
  node.bent = 0.5 * mu * normal.value * pair.yield * (across * bristle).squaredNorm();
  node.depth = slip.depth;
  node.rate = slip.rate;
  node.by_place = -normal.by_depth * push * n.transpose();
  node.by_velocity = -normal.by_rate * push * n.transpose() - mu * normal.value * drag_by_velocity;
  node.by_bristle = -mu * normal.value * drag_by_bristle;
  resist_turning(pair, factors.arm, normal, state[at.a].w - state[at.b].w, node);
  nodes_.push_back(node);
}

// Against all turning, and once more against that about the normal.
void ContactLoads::resist_turning(const PairConstants& pair, double arm, const NormalForce& normal,
                                  const Vec3& spin, Node& node) const {
  if (pair.rolling == 0 && pair.spinning == 0) return;
  const Vec3& n = node.normal;
  const double least = options_.regularisation.least_spin;
  const double rolling = pair.rolling * arm, spinning = pair.spinning * arm;
  const Mat3 about = n * n.transpose();
  const Vec3 about_normal = n.dot(spin) * n;
  Vec3 against = -rolling * regularised_direction(spin, least);
  node.couple_by_spin = -normal.value * rolling * regularised_direction_slope(spin, least);
  if (spinning > 0) {
    against -= spinning * regularised_direction(about_normal, least);
    node.couple_by_spin -=
        normal.value * spinning * regularised_direction_slope(about_normal, least) * about;
  }
  node.couple = normal.value * against;
  node.couple_by_place = -normal.by_depth * against * n.transpose();
  node.couple_by_velocity = -normal.by_rate * against * n.transpose();
}

void ContactLoads::add_bristle(std::size_t touch, const Vec3& bristle, std::size_t first) {
  BristleRate rate;
  const PairConstants& pair = constants_[touch];
  double load = 0;
  for (std::size_t i = first; i < nodes_.size(); ++i) load += nodes_[i].force.dot(nodes_[i].normal);
  if (load > 0 && pair.law.friction > 0) {
    for (std::size_t i = first; i < nodes_.size(); ++i) {
      const double part = nodes_[i].force.dot(nodes_[i].normal) / load;
      rate.value += part * nodes_[i].bristle.value;
      rate.by_bristle += part * nodes_[i].bristle.by_bristle;
      nodes_[i].bristle.by_velocity *= part;
    }
    for (std::size_t i = first; i < nodes_.size(); ++i) {  // loads shift from node to node
      Node& node = nodes_[i];
      const Vec3 gain = (node.bristle.value - rate.value) / load;
      node.bristle.by_velocity += gain * (node.normal.transpose() * node.by_velocity);
      node.bristle.by_place = gain * (node.normal.transpose() * node.by_place);
    }
    // What the normal turns away from is lost.
    const Vec3& n = nodes_[first].normal;
    const double fade = 1 / pair.settling;
    rate.value -= fade * bristle.dot(n) * n;
    rate.by_bristle -= fade * n * n.transpose();
  }
  rates_.push_back(rate);
}

void ContactLoads::evaluate(const State& state, math::VecIn bristles) {
  nodes_.clear();
  rates_.clear();
  for (std::size_t i = 0; i < touches_.all.size(); ++i) {
    const std::size_t first = nodes_.size();
    const std::int32_t slot = touches_.all[i].slot;
    const Vec3 bristle =
        bristles.size() > 0 ? Vec3(bristles.segment<3>(math::Index{3} * slot)) : Vec3(Vec3::Zero());
    find_points(i, state, 0);
    for (std::size_t k = 0; k < near_.found.size(); ++k)
      add_node(i, near_.found[k], shares_[k], state, bristle);
    add_bristle(i, bristle, first);
  }
}

double ContactLoads::deepest() const {
  double deepest = 0;
  for (const Node& node : nodes_) deepest = std::max(deepest, node.depth);
  return deepest;
}

double ContactLoads::bent() const {
  double sum = 0;
  for (const Node& node : nodes_) sum += node.bent;
  return sum;
}

}  // namespace carom::methods
