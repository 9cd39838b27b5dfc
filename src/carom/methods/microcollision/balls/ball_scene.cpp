#include "carom/methods/microcollision/balls/ball_scene.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <variant>

namespace carom::methods {

namespace {

using model::PlacedShape;

constexpr double kCentred = 1e-12;  // of the radius

bool is_centred_ball(const Body& body) {
  const auto count = std::count_if(body.shapes.begin(), body.shapes.end(),
                                   [](const PlacedShape& shape) { return shape.collide; });
  if (count != 1 || !body.principal.is_spherical()) return false;
  return std::all_of(body.shapes.begin(), body.shapes.end(), [](const PlacedShape& shape) {
    const auto* ball = std::get_if<geometry::Sphere>(&shape.shape);
    return !shape.collide || (ball && shape.X_BS.p.norm() <= kCentred * ball->radius);
  });
}

bool is_standing_plane(const Body& body) {
  return body.motion == model::Motion::Fixed &&
         std::all_of(body.shapes.begin(), body.shapes.end(), [](const PlacedShape& shape) {
           return !shape.collide || std::holds_alternative<geometry::Plane>(shape.shape);
         });
}

FixedPlane place(const geometry::Plane& plane, const Pose& X_WS, BodyId body, MaterialId material) {
  const Vec3 normal = X_WS.q * plane.normal;
  return {normal, plane.offset + normal.dot(X_WS.p), body, material};
}

class KindTable {
 public:
  explicit KindTable(std::vector<BallKind>& kinds) : kinds_(kinds) {}

  std::int32_t find(const BallKind& kind) {
    const auto next = static_cast<std::int32_t>(kinds_.size());
    const auto [at, is_new] = numbers_.try_emplace(
        {kind.radius, kind.inverse_mass, kind.inverse_inertia, index(kind.material)}, next);
    if (is_new) kinds_.push_back(kind);
    return at->second;
  }

 private:
  std::vector<BallKind>& kinds_;
  std::map<std::tuple<double, double, double, std::size_t>, std::int32_t> numbers_;
};

}  // namespace

bool is_ball_scene(const Scene& scene) {
  return scene.joints.empty() &&
         std::all_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) {
           return body.is_dynamic() ? is_centred_ball(body) : is_standing_plane(body);
         });
}

BallScene make_ball_scene(const Scene& scene) {
  BallScene out;
  KindTable kinds(out.kinds);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    for (const PlacedShape& shape : body.shapes) {
      if (!shape.collide) continue;
      if (const auto* ball = std::get_if<geometry::Sphere>(&shape.shape)) {
        out.bodies.push_back(id_of<BodyId>(i));
        out.kind_of.push_back(kinds.find(
            {ball->radius, body.inverse_mass, body.inverse_inertia(0, 0), shape.material}));
        out.greatest_diameter = std::max(out.greatest_diameter, 2 * ball->radius);
      } else if (const auto* plane = std::get_if<geometry::Plane>(&shape.shape)) {
        const Pose X_WB{scene.initial[i].x, scene.initial[i].q};
        out.planes.push_back(place(*plane, X_WB * shape.X_BS, id_of<BodyId>(i), shape.material));
      }
    }
  }
  return out;
}

}  // namespace carom::methods
