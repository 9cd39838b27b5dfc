#include "carom/audit/elastic_energy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace carom::audit {

namespace {

using namespace geometry;

SpringLaw hertz(double k, double curvature) { return {4.0 / 3 * k / std::sqrt(curvature), 1.5}; }
SpringLaw flat(double k, double length) { return {k * length, 1}; }

// A ball's curvature, none of what has flat faces; else unknown.
double round_curvature(const Solid& solid) {
  if (solid.is_sphere()) return 1 / solid.radius;
  return solid.is_plane() || solid.polytope ? 0 : std::numeric_limits<double>::quiet_NaN();
}

// The greatest curvature of a surface, 1/m; a cone's tip is as blunt as a tenth of its base.
double sharpest_curvature(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return 1 / s->radius;
  if (const auto* s = std::get_if<Capsule>(&shape)) return 1 / s->radius;
  if (const auto* s = std::get_if<Cylinder>(&shape)) return 1 / s->radius;
  if (const auto* s = std::get_if<Cone>(&shape)) return 10 / s->radius;
  if (const auto* s = std::get_if<Ellipsoid>(&shape))
    return s->radii.maxCoeff() / (s->radii.minCoeff() * s->radii.minCoeff());
  return 0;
}

// What a solid touches a plane with: balls and corners, each by itself.
struct Corners {
  std::span<const Vec3> points;  // none where that is not a few points
  double radius = 0;
};
Corners corners_of(const Solid& solid, std::array<Vec3, 2>& ends) {
  ends = {Vec3::Zero(), Vec3::Zero()};
  if (solid.is_sphere()) return {std::span(ends).first(1), solid.radius};
  if (solid.polytope) return {solid.polytope->vertices, 0};
  const auto* capsule = std::get_if<Capsule>(&solid.shape);
  if (capsule == nullptr) return {};
  ends[0].z() = capsule->length / 2;
  ends[1].z() = -capsule->length / 2;
  return {ends, capsule->radius};
}

double depth_below(const PlacedSolid& ground, const Vec3& point) {
  const auto& plane = std::get<Plane>(ground.solid.shape);
  return plane.offset - (ground.X_WS.q * plane.normal).dot(point - ground.X_WS.p);
}

// Of one of the two that is a ball.
Vec3 nearest_of_ball(const SolidOverlap& at) {
  const bool is_a = at.a.solid.is_sphere();
  const PlacedSolid& ball = is_a ? at.a : at.b;
  return ball.X_WS.p + (is_a ? 1 : -1) * ball.solid.radius * at.overlap.direction;
}

}  // namespace

double SpringLaw::force(double depth) const { return stiffness * std::pow(depth, exponent); }
double SpringLaw::energy(double depth) const { return force(depth) * depth / (exponent + 1); }
double SpringLaw::depth_under(double force) const {
  return std::pow(force / stiffness, 1 / exponent);
}
double SpringLaw::depth_holding(double energy) const {
  return std::pow((exponent + 1) * energy / stiffness, 1 / (exponent + 1));
}

// The softest contact: the two softest materials, the two sharpest surfaces, the smallest solid.
// Where shapes touch over a region, a corner has a share of the spring, of which a quarter is low.
void ElasticEnergy::begin(const Scene& scene, const PenetrationWatch& watch) {
  constexpr double kLowShare = 0.25;
  scene_ = &scene;
  reduction_ = scene.method.number("reduction", 1);
  least_speed_ = scene.method.number("least_speed", 0.01);
  most_damping_ = scene.method.number("most_damping", 1000);
  if (scene.method.text("distance", "exact") == "mpr")
    smoothing_ = scene.method.number("smoothing", 0);
  sticks_ = scene.method.text("friction", "stick") == "stick";
  double softest = 0, sharpest = 0, smallest = std::numeric_limits<double>::infinity();
  const auto keep_two = [](std::array<double, 2>& greatest, double value) {
    if (value > greatest[1])
      greatest = {std::max(value, greatest[0]), std::min(value, greatest[0])};
  };
  std::array<double, 2> softness{}, curvature{};
  bool has_flat = false;
  smallest_ = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    for (const Solid& solid : watch.solids(static_cast<int>(i))) {
      const model::Material& m = scene.materials[index(solid.material)];
      keep_two(softness, (1 - m.poissons_ratio * m.poissons_ratio) / m.youngs_modulus);
      keep_two(curvature, sharpest_curvature(solid.shape));
      has_flat = has_flat || !(solid.is_sphere() || solid.is_plane());
      smallest = std::min(smallest, solid.size);
    }
    if (scene.bodies[i].is_dynamic() && watch.radius(static_cast<int>(i)) > 0)
      smallest_ = std::min(smallest_, watch.radius(static_cast<int>(i)));
  }
  softest = reduction_ / (softness[0] + softness[1]);
  sharpest = curvature[0] + curvature[1];
  if (sharpest > 0) softest_.push_back(hertz(softest, sharpest));
  if (has_flat) softest_.push_back(flat(kLowShare * softest, smallest));
}

double ElasticEnergy::deepest(double energy) const {
  double depth = 0;
  for (const SpringLaw& law : softest_) depth = std::max(depth, law.depth_holding(energy));
  return std::min(depth, smallest_);
}

double ElasticEnergy::stiffness(const Solid& a, const Solid& b) const {
  const auto softness = [&](const Solid& solid) {
    const model::Material& m = scene_->materials[index(solid.material)];
    return (1 - m.poissons_ratio * m.poissons_ratio) / m.youngs_modulus;
  };
  return reduction_ / (softness(a) + softness(b));
}

EnergyRange ElasticEnergy::find(const State& state, PenetrationWatch& watch) const {
  EnergyRange sum;
  Springs springs;
  const auto add = [&](const SolidOverlap& sharp) {
    SolidOverlap at = sharp;
    at.overlap.depth += ball_radii(sharp);
    if (!(at.overlap.depth > 0)) return;
    find_springs(sharp, springs);
    const Held held = hold(springs);
    sum.least += held.springs.least;
    sum.most += held.springs.most + bend(at, state, held);
  };
  watch.visit_overlaps(state, add, margin());
  return sum;
}

double ElasticEnergy::ball_around(const Solid& solid) const {
  const bool has_edges = solid.polytope || std::holds_alternative<Cylinder>(solid.shape) ||
                         std::holds_alternative<Cone>(solid.shape);
  return has_edges ? smoothing_ : 0;
}

double ElasticEnergy::ball_radii(const SolidOverlap& at) const {
  if (at.a.solid.is_triangle || at.b.solid.is_triangle) return 0;
  return ball_around(at.a.solid) + ball_around(at.b.solid);
}

ElasticEnergy::Held ElasticEnergy::hold(const Springs& springs) const {
  double sum = 0;
  for (const Spring& spring : springs.all) sum += spring.law.energy(spring.depth);
  return {{springs.known == SpringKnown::Yes ? sum : 0, sum}, springs.all.front().law};
}

void ElasticEnergy::find_springs(const SolidOverlap& at, Springs& out) const {
  const double k = stiffness(at.a.solid, at.b.solid);
  const bool a_is_ground = at.a.solid.is_plane();
  const PlacedSolid &ground = a_is_ground ? at.a : at.b, &other = a_is_ground ? at.b : at.a;
  std::array<Vec3, 2> ends;
  const Corners corners = ground.solid.is_plane() ? corners_of(other.solid, ends) : Corners{};
  out.all.clear();
  out.known = SpringKnown::Yes;
  if (!corners.points.empty()) {
    const double ball = corners.radius + ball_around(other.solid);
    const SpringLaw law =
        corners.radius > 0 ? hertz(k, 1 / corners.radius) : flat(k, other.solid.size);
    for (const Vec3& p : corners.points) {
      const Vec3 point = other.X_WS * p;
      out.all.push_back({law, std::max(0.0, depth_below(ground, point) + ball), point});
    }
    return;
  }
  const double depth = std::max(0.0, at.overlap.depth + ball_radii(at));
  const double curvature = round_curvature(at.a.solid) + round_curvature(at.b.solid);
  if (!(curvature > 0) || ball_radii(at) > 0) {
    out.known = SpringKnown::No;
    out.all.push_back({strongest(at, depth), depth, at.middle()});
    return;
  }
  const bool in_triangle = at.a.solid.is_triangle || at.b.solid.is_triangle;
  out.known = in_triangle ? SpringKnown::MayPush : SpringKnown::Yes;
  out.all.push_back({hertz(k, curvature), depth, nearest_of_ball(at)});
}

// What pushes most of all that may be where two solids overlap.
SpringLaw ElasticEnergy::strongest(const SolidOverlap& at, double depth) const {
  constexpr double kSlender = 40;  // √(R/r) times Hertz' factor of the most slender contact
  const double k = stiffness(at.a.solid, at.b.solid);
  const double size = std::min(at.a.solid.size, at.b.solid.size);
  const SpringLaw line = flat(k, size), slender = hertz(kSlender * k, 1 / size);
  return line.energy(depth) > slender.energy(depth) ? line : slender;
}

double ElasticEnergy::bend(const SolidOverlap& at, const State& state, const Held& held) const {
  constexpr double kYield = 0.8, kLeastGrip = 1e-3;
  const double friction = scene_->pairs(at.a.solid.material, at.b.solid.material).friction;
  if (!sticks_ || friction == 0) return 0;
  const auto a = static_cast<BodyId>(at.bodies.first), b = static_cast<BodyId>(at.bodies.second);
  const double mass = 1 / (scene_->body(a).inverse_mass + scene_->body(b).inverse_mass);
  const double weight = mass * scene_->gravity.norm();
  const double rest = weight > 0 ? held.law.depth_under(weight)
                                 : held.law.depth_holding(0.5 * mass * least_speed_ * least_speed_);
  const Vec3 p = at.middle();
  const double closing = at.overlap.direction.dot(state[a].twist().at(p - state[a].x) -
                                                  state[b].twist().at(p - state[b].x));
  const double depth = at.overlap.depth;
  const double force = held.springs.most * (held.law.exponent + 1) / depth *
                       (1 + most_damping_ * std::max(0.0, closing));
  return 0.5 * friction * force * kYield * std::max(friction, kLeastGrip) * rest;
}

}  // namespace carom::audit
