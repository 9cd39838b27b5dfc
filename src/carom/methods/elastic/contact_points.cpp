// The points at which pairs push, and each one's share of its pair's spring.
#include <algorithm>
#include <cmath>

#include "carom/methods/elastic/contact_loads.h"

namespace carom::methods {

namespace {

// Corners this far above the surface, beside the smaller shape, still have their share of a region.
constexpr double kRegionMargin = 0.05;

}  // namespace

// By the outline next to each point, in the order of their angles about their middle seen along the
// normal. Points above the surface have less the higher they are, down to nothing at the margin.
void ContactLoads::share_out(std::span<const contact::Contact> points, double margin) {
  shares_.assign(points.size(), 1);
  if (points.size() > 2) measure_outline(points);
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    shares_[i] *= std::clamp(1 - points[i].at.gap / margin, 0.0, 1.0);
    sum += shares_[i];
  }
  for (double& share : shares_) share = sum > 0 ? share / sum : 0;
}

void ContactLoads::measure_outline(std::span<const contact::Contact> points) {
  const math::Tangents axes = math::make_tangents(points[0].at.normal);
  Vec3 middle = Vec3::Zero();
  for (const contact::Contact& p : points) middle += p.at.point;
  middle /= static_cast<double>(points.size());
  around_.clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 arm = points[i].at.point - middle;
    around_.emplace_back(std::atan2(arm.dot(axes.second), arm.dot(axes.first)), i);
  }
  std::sort(around_.begin(), around_.end());
  shares_.assign(points.size(), 0);
  for (std::size_t k = 0; k < around_.size(); ++k) {
    const std::size_t i = around_[k].second, j = around_[(k + 1) % around_.size()].second;
    const double side = (points[i].at.point - points[j].at.point).norm();
    shares_[i] += side;
    shares_[j] += side;
  }
}

GeometryFactors ContactLoads::factors_of(std::size_t touch, const State& state,
                                         const SurfacePoint& at) {
  const contact::PairQuery& query = *touches_.queries[touch];
  if (const auto round = round_factors(query.convex_a(), query.convex_b())) return *round;
  const auto placed = [&](BodyId body, std::int32_t shape) -> Pose {
    return state[body].pose() * scene_.body(body).shapes[static_cast<std::size_t>(shape)].X_BS;
  };
  const contact::ShapePair& pair = query.pair();
  return shape_factors({query.convex_a(), placed(pair.a, pair.shape_a)},
                       {query.convex_b(), placed(pair.b, pair.shape_b)}, at);
}

PairLaw ContactLoads::law_at(std::size_t touch, const GeometryFactors& factors,
                             double share) const {
  PairLaw law = constants_[touch].law;
  law.stiffness *= factors.factor * share;
  law.exponent = factors.exponent;
  return law;
}

void ContactLoads::append_springs(std::size_t touch, const State& state, double reach,
                                  std::vector<Spring>& out) {
  find_points(touch, state, reach);
  for (std::size_t i = 0; i < near_.found.size(); ++i) {
    const contact::Contact& at = near_.found[i];
    const GeometryFactors factors = factors_of(touch, state, {at.at.point, at.at.normal});
    out.push_back({at, law_at(touch, factors, shares_[i])});
  }
}

void ContactLoads::follow(std::size_t touch, const State& state, std::span<contact::Contact> points,
                          contact::NearContacts& work) const {
  contact::PairQuery& query = *touches_.queries[touch];
  const Gauge& gauge = options_.gauge;
  if (uses_portals(gauge, query)) {
    points.front() = find_nearest(gauge, query, {scene_, state});
    return;
  }
  const double extension = extension_of(gauge, query);
  const double size = std::min(query.convex_a().radius, query.convex_b().radius);
  query.follow_near(state, {0, size + extension}, points, work);
  if (extension > 0)
    for (contact::Contact& each : points) extend(gauge, query, each);
}

// Those above the surface by `reach` or less too.
void ContactLoads::find_points(std::size_t touch, const State& state, double reach) {
  contact::PairQuery& query = *touches_.queries[touch];
  const Gauge& gauge = options_.gauge;
  near_.found.clear();
  if (uses_portals(gauge, query)) {
    near_.found.push_back(find_nearest(gauge, query, {scene_, state}));
    shares_.assign(1, 1);
    return;
  }
  const double size = std::min(query.convex_a().radius, query.convex_b().radius);
  const double margin = std::max(reach, query.in_closed_form() ? 0 : kRegionMargin * size);
  const double extension = extension_of(gauge, query);
  query.append_near(state, {0, margin + extension}, near_);
  if (extension > 0)
    for (contact::Contact& each : near_.found) extend(gauge, query, each);
  if (query.in_closed_form()) {
    shares_.assign(near_.found.size(), 1);
  } else {
    share_out(near_.found, margin);
  }
}

}  // namespace carom::methods
