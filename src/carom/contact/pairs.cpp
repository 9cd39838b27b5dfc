#include "carom/contact/pairs.h"

#include <algorithm>
#include <tuple>

#include "carom/geometry/mesh.h"
#include "carom/geometry/swept_box.h"

namespace carom::contact {

namespace {

constexpr std::size_t kPairsPerThread = 64;  // fewer are not worth waking a thread for

}  // namespace

Pairs::Pairs(const Scene& scene, base::Workers& workers) : scene_(scene), workers_(workers) {
  for (const model::Joint& joint : scene.joints) {
    if (!joint.collide)
      joined_.emplace_back(std::min(joint.a, joint.b), std::max(joint.a, joint.b));
  }
  std::sort(joined_.begin(), joined_.end());
  collect_colliders();
  add_pairs_with_planes();
  still_.motions.resize(scene.bodies.size());
}

void Pairs::collect_colliders() {
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    for (std::size_t s = 0; s < scene_.bodies[b].shapes.size(); ++s) {
      const model::PlacedShape& placed = scene_.bodies[b].shapes[s];
      if (!placed.collide) continue;
      const bool is_plane = std::holds_alternative<geometry::Plane>(placed.shape);
      Collider& collider = (is_plane ? planes_ : bounded_).emplace_back();
      collider.body = id_of<BodyId>(b);
      collider.shape = static_cast<std::int32_t>(s);
      collider.reach = placed.X_BS.p.norm() + geometry::bounding_radius(placed.shape);
      if (const auto* mesh = std::get_if<geometry::Mesh>(&placed.shape)) {
        collider.surface = mesh->surface.get();
        const auto count = static_cast<std::int32_t>(mesh->surface->triangles.size());
        for (std::int32_t t = 0; t < count; ++t) {
          collider.pieces.push_back(geometry::make_convex_triangle(mesh->surface, t));
        }
      } else {
        collider.pieces.push_back(geometry::make_convex(placed.shape));
      }
    }
  }
}

void Pairs::add_pairs_with_planes() {
  for (const Collider& plane : planes_) {
    for (const Collider& other : bounded_) add_query({other, 0}, {plane, 0});
  }
  with_planes_ = active_;
}

bool Pairs::may_collide(BodyId a, BodyId b) const {
  if (a == b) return false;
  if (!scene_.body(a).is_dynamic() && !scene_.body(b).is_dynamic()) return false;
  return !std::binary_search(joined_.begin(), joined_.end(),
                             std::pair(std::min(a, b), std::max(a, b)));
}

const geometry::Shape& Pairs::shape_of(const Collider& collider) const {
  return scene_.body(collider.body).shapes[static_cast<std::size_t>(collider.shape)].shape;
}

bool Pairs::add_query(const Piece& a, const Piece& b) {
  const auto method = geometry::pair_method(shape_of(a.of), shape_of(b.of));
  if (method.routine == geometry::PairRoutine::Ignored) return false;
  if (!may_collide(a.of.body, b.of.body)) return false;
  const Piece& first = method.swapped ? b : a;
  const Piece& second = method.swapped ? a : b;
  if (active_ == queries_.size()) queries_.emplace_back();
  queries_[active_++].set(
      scene_, {first.of.body, second.of.body, first.of.shape, second.of.shape, method.routine},
      first.convex(), second.convex());
  return true;
}

// The triangles that a body with the given swept box may meet in the flight.
void Pairs::find_near_triangles(const Collider& mesh, const geometry::Box3& box,
                                const Flight& flight) {
  const RigidMotion& motion = flight.motions[index(mesh.body)];
  const model::PlacedShape& placed =
      scene_.body(mesh.body).shapes[static_cast<std::size_t>(mesh.shape)];
  const Pose back = (math::pose_at(motion, 0) * placed.X_BS).inverse();
  const Vec3 center = back * Vec3(0.5 * (box.low + box.high));
  const double speed = std::max(motion.v0.norm(), velocity_at(motion, flight.duration).norm()) +
                       mesh.reach * math::spin_bounds(motion.rotation, flight.duration).speed;
  const Vec3 half = back.q.toRotationMatrix().cwiseAbs() * (0.5 * (box.high - box.low)) +
                    Vec3::Constant(speed * flight.duration);
  geometry::find_triangles(*mesh.surface, {center - half, center + half}, triangles_);
}

void Pairs::remember_hints() {
  hints_.clear();
  for (std::size_t i = 0; i < near_.size(); ++i) {
    hints_.push_back({near_[i], queries_[with_planes_ + i].hint()});
  }
  next_hint_ = 0;
}

// Asked in ascending order.
geometry::DistanceHint Pairs::recall_hint(const NearPair& pair) {
  while (next_hint_ < hints_.size() && hints_[next_hint_].pair < pair) ++next_hint_;
  if (next_hint_ == hints_.size() || hints_[next_hint_].pair != pair) return {};
  return hints_[next_hint_].hint;
}

void Pairs::collect(const Flight& flight) {
  boxes_.clear();
  for (const Collider& collider : bounded_) {
    boxes_.push_back(geometry::swept_box(flight.motions[index(collider.body)],
                                         collider.reach + scene_.tolerances.gap, flight.duration));
  }
  remember_hints();
  near_.clear();
  active_ = with_planes_;
  for (const auto& [i, j] : broad_phase_.find_overlaps(boxes_)) {
    const Collider& a = bounded_[static_cast<std::size_t>(i)];
    const Collider& b = bounded_[static_cast<std::size_t>(j)];
    if (!a.surface && !b.surface) {
      add_near({a, 0}, {b, 0}, {i, j, 0});
    } else if (!(a.surface && b.surface)) {
      find_near_triangles(a.surface ? a : b, boxes_[static_cast<std::size_t>(a.surface ? j : i)],
                          flight);
      for (const std::int32_t t : triangles_) {
        add_near({a, a.surface ? t : 0}, {b, b.surface ? t : 0}, {i, j, t});
      }
    }
  }
}

void Pairs::add_near(const Piece& a, const Piece& b, const NearPair& pair) {
  if (!add_query(a, b)) return;
  near_.push_back(pair);
  queries_[active_ - 1].hint() = recall_hint(pair);
}

void Pairs::collect(const State& state) {
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyState& body = state.bodies[i];
    still_.motions[i] = {body.x, Vec3::Zero(), Vec3::Zero(),
                         math::SteadySpin{body.q, Vec3::Zero()}};
  }
  collect(still_);
}

void Pairs::find_contacts(const State& state, ContactSet& out) {
  collect(state);
  out.clear();
  for (std::size_t i = 0; i < active_; ++i) queries_[i].append_contacts(scene_, state, out);
}

SearchResult Pairs::times_of_contact(const Flight& flight, std::vector<ContactTime>& out) {
  collect(flight);
  auto one = [&](std::size_t i) { queries_[i].search(scene_, flight); };
  workers_.for_each(active_, kPairsPerThread, one);
  out.clear();
  for (std::size_t i = 0; i < active_; ++i) {
    const PairQuery& query = queries_[i];
    if (query.capped()) return {SearchStatus::IterationCap, query.pair()};
    out.insert(out.end(), query.times().begin(), query.times().end());
  }
  std::sort(out.begin(), out.end(), [](const ContactTime& x, const ContactTime& y) {
    return std::tuple(x.s, x.a, x.b, x.feature) < std::tuple(y.s, y.a, y.b, y.feature);
  });
  return {};
}

Pairs::Overlap Pairs::find_deepest_overlap(const State& state) {
  collect(state);
  Overlap deepest;
  for (std::size_t i = 0; i < active_; ++i) {
    const double depth = -queries_[i].compute_gap(scene_, state);
    const ShapePair& pair = queries_[i].pair();
    if (depth > deepest.depth) deepest = {depth, pair.a, pair.b};
  }
  return deepest;
}

}  // namespace carom::contact
