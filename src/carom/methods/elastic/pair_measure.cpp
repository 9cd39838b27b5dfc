#include "carom/methods/elastic/pair_measure.h"

#include <optional>
#include <sstream>
#include <variant>

#include "carom/base/diagnostics.h"
#include "carom/dynamics/state.h"
#include "carom/geometry/distance/mpr.h"

namespace carom::methods {

namespace {

using geometry::Convex;

bool is_plane(const Convex& convex) {
  return std::holds_alternative<geometry::Plane>(convex.shape);
}

bool is_triangle(const Convex& convex) { return convex.surface != nullptr; }

bool has_edges(const Convex& convex) {
  return convex.polytope != nullptr || std::holds_alternative<geometry::Cylinder>(convex.shape) ||
         std::holds_alternative<geometry::Cone>(convex.shape);
}

// The radii of the balls.
struct Balls {
  double a = 0, b = 0;
};
Balls balls_of(const Gauge& gauge, const contact::PairQuery& query) {
  const Convex &a = query.convex_a(), &b = query.convex_b();
  if (!gauge.portals || is_triangle(a) || is_triangle(b)) return {};
  return {has_edges(a) ? gauge.smoothing : 0, has_edges(b) ? gauge.smoothing : 0};
}

Pose place_of(const PairAt& at, BodyId body, std::int32_t shape) {
  return at.state[body].pose() * at.scene.body(body).shapes[static_cast<std::size_t>(shape)].X_BS;
}

contact::Contact contact_of(const contact::PairQuery& query, const State& state,
                            const geometry::ContactPoint& point) {
  const BodyState &a = state[query.pair().a], &b = state[query.pair().b];
  const Vec3 approach = a.twist().at(point.point - a.x) - b.twist().at(point.point - b.x);
  return {query.pair().a,
          query.pair().b,
          point,
          point.normal.dot(approach),
          0,
          query.between().restitution,
          query.between().friction,
          query.name()};
}

// None where they do not come to their tolerance.
std::optional<contact::Contact> find_by_portals(const Gauge& gauge, const contact::PairQuery& query,
                                                const PairAt& at) {
  const contact::ShapePair& pair = query.pair();
  const Pose X_WA = place_of(at, pair.a, pair.shape_a), X_WB = place_of(at, pair.b, pair.shape_b);
  const Balls balls = balls_of(gauge, query);
  const geometry::Distance apart = geometry::compute_mpr(
      {query.convex_a(), X_WA}, {query.convex_b(), X_WB},
      {.radius_a = balls.a, .radius_b = balls.b, .tolerance = kPortalTolerance});
  if (apart.status != geometry::DistanceStatus::Converged) return {};
  return contact_of(query, at.state, {0.5 * (apart.p_A + apart.p_B), apart.normal, apart.value});
}

}  // namespace

bool uses_portals(const Gauge& gauge, const contact::PairQuery& query) {
  const Convex &a = query.convex_a(), &b = query.convex_b();
  return gauge.portals && !is_plane(a) && !is_plane(b) && !is_triangle(a) && !is_triangle(b);
}

double extension_of(const Gauge& gauge, const contact::PairQuery& query) {
  const Balls balls = balls_of(gauge, query);
  return balls.a + balls.b;
}

void extend(const Gauge& gauge, const contact::PairQuery& query, contact::Contact& contact) {
  const Balls balls = balls_of(gauge, query);
  contact.at.point += 0.5 * (balls.b - balls.a) * contact.at.normal;
  contact.at.gap -= balls.a + balls.b;
}

contact::Contact find_nearest(const Gauge& gauge, contact::PairQuery& query, const PairAt& at) {
  if (uses_portals(gauge, query))
    if (const auto found = find_by_portals(gauge, query, at)) return *found;
  contact::Contact nearest = query.find_nearest(at.scene, at.state);
  if (extension_of(gauge, query) > 0) {
    extend(gauge, query, nearest);
    nearest = contact_of(query, at.state, nearest.at);
  }
  return nearest;
}

double compute_gap(const Gauge& gauge, contact::PairQuery& query, const PairAt& at) {
  return find_nearest(gauge, query, at).at.gap;
}

void refuse_smoothed_overlap(const Gauge& gauge, const Scene& scene, contact::Pairs& pairs) {
  if (!gauge.portals || gauge.smoothing == 0) return;
  const State start = dynamics::make_initial_state(scene);
  const std::vector<double> reaches(scene.bodies.size(), gauge.smoothing);
  const std::size_t count = pairs.begin_watch(start, reaches);
  for (std::size_t i = 0; i < count; ++i) {
    contact::PairQuery& query = *pairs.meeting(i).query;
    if (!(extension_of(gauge, query) > 0)) continue;
    const double gap = compute_gap(gauge, query, {scene, start});
    if (gap >= -scene.tolerances.initial_overlap) continue;
    std::ostringstream found;
    found << "balls of " << gauge.smoothing << " m around \"" << scene.body(query.pair().a).name
          << "\" and \"" << scene.body(query.pair().b).name << "\", which so overlap by " << -gap
          << " m at t = 0";
    throw base::BadInput({{.place = "/method/smoothing",
                           .found = found.str(),
                           .expected = "shapes that are apart or touch with their smoothing"}});
  }
}

}  // namespace carom::methods
