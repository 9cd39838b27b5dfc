#include "carom/simulation/queries.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/diagnostics.h"
#include "carom/geometry/distance/distance.h"
#include "carom/geometry/shapes/mesh.h"
#include "carom/geometry/times/time_of_contact.h"

namespace carom::simulation {

namespace {

constexpr int kMaxAdvances = 200;

[[noreturn]] void refuse(std::string place, std::string found, std::string expected) {
  throw base::BadInput(
      {{.place = std::move(place), .found = std::move(found), .expected = std::move(expected)}});
}

bool is_plane(const geometry::Convex& convex) {
  return std::holds_alternative<geometry::Plane>(convex.shape);
}

// That balls around the two leave at the least; planes have none.
double apart_at_least(const geometry::Convex& a, const Pose& X_WA, const geometry::Convex& b,
                      const Pose& X_WB) {
  if (is_plane(a) || is_plane(b)) return -std::numeric_limits<double>::infinity();
  return (X_WA.p - X_WB.p).norm() - a.radius - b.radius;
}

RigidMotion move_steadily(const BodyState& from, const Twist& velocity) {
  return {from.x, velocity.v, Vec3::Zero(), math::SteadySpin{from.q, velocity.w}};
}

struct Solid {
  geometry::Convex convex;
  Pose X_BS;
};

std::vector<Solid> solids_of(const Body& body) {
  std::vector<Solid> solids;
  for (const model::PlacedShape& placed : body.shapes) {
    if (!placed.collide) continue;
    const auto* mesh = std::get_if<geometry::Mesh>(&placed.shape);
    if (mesh == nullptr) {
      solids.push_back({geometry::make_convex(placed.shape), placed.X_BS});
      continue;
    }
    const auto count = static_cast<std::int32_t>(mesh->surface->triangles.size());
    for (std::int32_t k = 0; k < count; ++k)
      solids.push_back({geometry::make_convex_triangle(mesh->surface, k), placed.X_BS});
  }
  return solids;
}

struct Ray {
  Vec3 origin, along;  // a unit vector
  double longest;
};

// A point that goes on to the plane that keeps it apart from the shape, as far as that is on its
// way, again and again: it never gets past the shape's surface, and comes to it quadratically.
std::optional<RayHit> find_hit(const Solid& solid, const Pose& X_WS, const Ray& ray,
                               double touching) {
  const auto& [origin, along, longest] = ray;
  const geometry::Convex point = geometry::make_convex(geometry::Sphere{0});
  if (!is_plane(solid.convex)) {
    const Vec3 to = X_WS.p - origin;
    const double nearest = std::clamp(to.dot(along), 0.0, longest);
    if ((to - nearest * along).norm() > solid.convex.radius) return std::nullopt;
  }
  geometry::DistanceHint hint;
  double s = 0;
  for (int i = 0; i < kMaxAdvances; ++i) {
    const Vec3 x = origin + s * along;
    const Pose X_WP{x, Quat::Identity()};
    const geometry::Distance at =
        geometry::compute_distance({point, X_WP}, {solid.convex, X_WS}, hint);
    if (at.value <= touching) return RayHit{{}, s, x, at.normal};
    const double closing = -at.normal.dot(along);
    if (!(closing > 0)) return std::nullopt;
    s += at.value / closing;
    if (!(s <= longest)) return std::nullopt;
  }
  return std::nullopt;
}

// Of a solid in motion and one at rest; the first impact before the query's end.
std::optional<geometry::TouchTime> find_impact(const geometry::MovingShape& moving,
                                               const geometry::MovingShape& still,
                                               const geometry::MotionQuery& query) {
  geometry::TouchSearch search;
  std::vector<geometry::TouchTime> touches;
  if (geometry::find_times_of_contact(moving, still, query, search, touches) !=
      geometry::TouchStatus::Complete)
    refuse("sweep()", "a motion whose first contact was not found", "a shorter duration");
  const auto first = std::ranges::find_if(
      touches, [](const geometry::TouchTime& touch) { return touch.rate < 0; });
  if (first == touches.end()) return std::nullopt;
  return *first;
}

}  // namespace

struct Queries::Solids {
  const Scene& scene;
  std::vector<std::vector<Solid>> of{};  // per body: its shapes, of meshes the triangles

  const std::vector<Solid>& operator[](BodyId id) const { return of.at(index(id)); }
};

Queries::Queries(const Scene& scene) {
  Solids solids{scene};
  for (const Body& body : scene.bodies) solids.of.push_back(solids_of(body));
  solids_ = std::make_unique<const Solids>(std::move(solids));
}
Queries::~Queries() = default;
Queries::Queries(Queries&&) noexcept = default;
Queries& Queries::operator=(Queries&&) noexcept = default;

std::optional<Nearest> Queries::nearest(const State& state, BodyId a, BodyId b) const {
  std::optional<Nearest> found;
  for (const Solid& one : (*solids_)[a]) {
    const Pose X_WA = state[a].pose() * one.X_BS;
    for (const Solid& other : (*solids_)[b]) {
      if (is_plane(one.convex) && is_plane(other.convex)) continue;
      const Pose X_WB = state[b].pose() * other.X_BS;
      if (found && apart_at_least(one.convex, X_WA, other.convex, X_WB) > found->distance) continue;
      geometry::DistanceHint hint;
      const geometry::Distance at =
          geometry::compute_distance({one.convex, X_WA}, {other.convex, X_WB}, hint);
      if (!found || at.value < found->distance) found = {at.value, at.p_A, at.p_B, at.normal};
    }
  }
  return found;
}

bool Queries::overlap(const State& state, BodyId a, BodyId b) const {
  const std::optional<Nearest> found = nearest(state, a, b);
  return found && found->distance < 0;
}

std::optional<RayHit> Queries::cast_ray(const State& state, const Vec3& origin,
                                        const Vec3& direction, double longest) const {
  const double length = direction.norm();
  if (!(length > 0) || !std::isfinite(length) || !origin.allFinite())
    refuse("cast_ray()", "no ray", "an origin and a direction that is not zero");
  std::optional<RayHit> first;
  Ray ray{origin, direction / length, longest};
  for (std::size_t i = 0; i < solids_->of.size(); ++i) {
    for (const Solid& solid : solids_->of[i]) {
      const Pose X_WS = state.bodies[i].pose() * solid.X_BS;
      auto hit = find_hit(solid, X_WS, ray, solids_->scene.tolerances.gap);
      if (!hit || (first && hit->distance >= first->distance)) continue;
      hit->body = id_of<BodyId>(i);
      first = hit;
      ray.longest = hit->distance;
    }
  }
  return first;
}

std::optional<SweepHit> Queries::sweep(const State& state, BodyId body, const Twist& velocity,
                                       double duration) const {
  if (!(duration > 0) || !std::isfinite(duration) || !velocity.v.allFinite() ||
      !velocity.w.allFinite())
    refuse("sweep()", "no motion", "velocities and a duration > 0");
  const base::Tolerances& tolerances = solids_->scene.tolerances;
  const RigidMotion moving = move_steadily(state[body], velocity);
  geometry::MotionQuery query{duration, tolerances.gap, tolerances.velocity, tolerances.leaving};
  std::optional<SweepHit> first;
  for (std::size_t i = 0; i < solids_->of.size(); ++i) {
    if (i == index(body)) continue;
    const RigidMotion still = move_steadily(state.bodies[i], {});
    for (const Solid& one : (*solids_)[body]) {
      for (const Solid& other : solids_->of[i]) {
        if (is_plane(one.convex) && is_plane(other.convex)) continue;
        const auto touch =
            find_impact({one.convex, one.X_BS, moving}, {other.convex, other.X_BS, still}, query);
        if (!touch || (first && touch->s >= first->s)) continue;
        first = {id_of<BodyId>(i), touch->s, touch->at.point, touch->at.normal};
        query.duration = touch->s;
      }
    }
  }
  return first;
}

}  // namespace carom::simulation
