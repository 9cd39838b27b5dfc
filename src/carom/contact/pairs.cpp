#include "carom/contact/pairs.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "carom/base/check.h"
#include "carom/contact/joint_stops.h"
#include "carom/geometry/broad_phase/swept_box.h"
#include "carom/geometry/shapes/mesh.h"

namespace carom::contact {

namespace {

constexpr std::size_t kPairsPerThread = 64;  // fewer are not worth waking a thread for
constexpr std::size_t kAhead = 8;            // queries asked for before they are read

}  // namespace

Pairs::Pairs(const Scene& scene, base::Workers& workers) : scene_(scene), workers_(workers) {
  for (const model::Joint& joint : scene.joints) {
    if (!joint.collide)
      joined_.emplace_back(std::min(joint.a, joint.b), std::max(joint.a, joint.b));
  }
  std::sort(joined_.begin(), joined_.end());
  collect_colliders();
  mesh_places_.resize(bounded_.size());
  world_planes_.resize(planes_.size());
}

void Pairs::collect_colliders() {
  first_bounded_.push_back(0);
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    for (std::size_t s = 0; s < scene_.bodies[b].shapes.size(); ++s) {
      const model::PlacedShape& placed = scene_.bodies[b].shapes[s];
      if (!placed.collide) continue;
      const bool is_plane = std::holds_alternative<geometry::Plane>(placed.shape);
      const bool is_ball = std::holds_alternative<geometry::Sphere>(placed.shape);
      Collider& collider = (is_plane ? planes_ : bounded_).emplace_back();
      const double off_center = placed.X_BS.p.norm();
      collider.reach = off_center + geometry::bounding_radius(placed.shape);
      collider.carried = {id_of<BodyId>(b), is_ball ? off_center : collider.reach};
      collider.shape = static_cast<std::int32_t>(s);
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
    first_bounded_.push_back(bounded_.size());
  }
}

void Pairs::list_pairs_with_planes() {
  if (std::exchange(planes_listed_, true)) return;
  base::check(queries_.empty(), "pairs with planes come first");
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    for (std::size_t i = 0; i < bounded_.size(); ++i) {
      if (!may_touch(bounded_[i], planes_[p])) continue;
      set_query({bounded_[i], 0}, {planes_[p], 0}, queries_.emplace_back());
      plane_pairs_.push_back({p, i});
    }
  }
  list_stops();
}

void Pairs::list_stops() {
  for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
    const model::Joint& joint = scene_.joints[i];
    const auto stops = make_stops(scene_, joint);
    if (stops.empty()) continue;
    const auto name = -2 * static_cast<std::int64_t>(i + 1);
    queries_.emplace_back().set_stops(joint.a, joint.b, stops, joint.restitution, name);
    const double lever = stop_lever(scene_, joint);
    stops_.push_back({joint.a, joint.X_AJ.p.norm() + lever});
    stops_.push_back({joint.b, joint.X_BJ.p.norm() + lever});
  }
}

bool Pairs::may_collide(BodyId a, BodyId b) const {
  if (a == b) return false;
  if (!scene_.body(a).is_dynamic() && !scene_.body(b).is_dynamic()) return false;
  return !std::binary_search(joined_.begin(), joined_.end(),
                             std::pair(std::min(a, b), std::max(a, b)));
}

const model::PlacedShape& Pairs::placed(const Collider& collider) const {
  return scene_.body(collider.body()).shapes[static_cast<std::size_t>(collider.shape)];
}

bool Pairs::may_touch(const Collider& a, const Collider& b) const {
  const auto method = geometry::pair_method(placed(a).shape, placed(b).shape);
  return method.routine != geometry::PairRoutine::Ignored && may_collide(a.body(), b.body());
}

void Pairs::set_query(const Piece& a, const Piece& b, PairQuery& query) const {
  const auto method = geometry::pair_method(placed(a.of).shape, placed(b.of).shape);
  const Piece& first = method.swapped ? b : a;
  const Piece& second = method.swapped ? a : b;
  query.set(scene_,
            {first.of.body(), second.of.body(), first.of.shape, second.of.shape, method.routine},
            first.convex(), second.convex());
}

void Pairs::set_query(const Pieces& who, PairQuery& query) const {
  const Collider &a = bounded(who.i), &b = bounded(who.j);
  set_query({a, a.surface ? who.triangle : 0}, {b, b.surface ? who.triangle : 0}, query);
}

// The triangles that a body with the given swept box may meet.
void Pairs::find_near_triangles(const Collider& mesh, const geometry::Box3& box) {
  const MeshPlace& place = mesh_places_[static_cast<std::size_t>(&mesh - bounded_.data())];
  const Pose back = place.X_WS.inverse();
  const Vec3 center = back * Vec3(0.5 * (box.low + box.high));
  const Vec3 half = back.q.toRotationMatrix().cwiseAbs() * (0.5 * (box.high - box.low)) +
                    Vec3::Constant(place.travel);
  geometry::find_triangles(*mesh.surface, {center - half, center + half}, triangles_);
}

void Pairs::collect(const Flight& flight) {
  list_pairs_with_planes();
  boxes_.clear();
  for (std::size_t i = 0; i < bounded_.size(); ++i) {
    const Collider& collider = bounded_[i];
    const RigidMotion& motion = flight.motions[index(collider.body())];
    boxes_.push_back(swept(collider, motion, flight.duration));
    if (!collider.surface) continue;
    const double speed = math::speed_bound(motion, flight.duration) +
                         collider.reach * math::spin_bounds(motion.rotation, flight.duration).speed;
    mesh_places_[i] = {math::pose_at(motion, 0) * placed(collider).X_BS, speed * flight.duration};
  }
  pair_up();
}

geometry::Box3 Pairs::swept(const Collider& collider, const RigidMotion& motion,
                            double duration) const {
  return geometry::swept_box(motion, collider.reach + scene_.tolerances.gap, duration);
}

geometry::Box3 Pairs::box_around(const Collider& collider, const State& state) const {
  const Pose X_WB = state[collider.body()].pose();
  const Vec3 reach = Vec3::Constant(collider.reach);
  if (collider.surface) return {X_WB.p - reach, X_WB.p + reach};
  const Pose X_WS = X_WB * placed(collider).X_BS;
  return tight_box({collider.pieces[0], X_WS});
}

void Pairs::collect(const State& state, double duration) {
  travel_.set(scene_, state, duration, applied_);
  boxes_.clear();
  for (std::size_t i = 0; i < bounded_.size(); ++i) {
    const Collider& collider = bounded_[i];
    boxes_.push_back(travel_.swept(collider.carried, box_around(collider, state)));
    if (!collider.surface) continue;
    mesh_places_[i] = {state[collider.body()].pose() * placed(collider).X_BS,
                       travel_.farthest(collider.carried)};
  }
  pair_up();
}

void Pairs::pair_up() {
  std::swap(near_, before_);
  const auto by_who = [](const NearPair& x, const NearPair& y) { return x.who < y.who; };
  if (!std::is_sorted(before_.begin(), before_.end(), by_who))
    std::sort(before_.begin(), before_.end(), by_who);
  near_.clear();
  next_before_ = 0;
  for (const auto& [i, j] : broad_phase_.find_overlaps(boxes_)) {
    visit_pieces(i, j, [&](const Pieces& who) { add_near(who); });
  }
  for (; next_before_ < before_.size(); ++next_before_) {
    idle_.push_back(before_[next_before_].query);
  }
}

// Asked in ascending order, so that the pairs of the last collection are passed once.
void Pairs::add_near(const Pieces& who) {
  while (next_before_ < before_.size() && before_[next_before_].who < who) {
    idle_.push_back(before_[next_before_++].query);
  }
  if (next_before_ < before_.size() && before_[next_before_].who == who) {
    near_.push_back(before_[next_before_++]);
    return;
  }
  append_near(who);
}

void Pairs::append_near(const Pieces& who) {
  if (!may_touch(bounded(who.i), bounded(who.j))) return;
  if (idle_.empty()) {
    idle_.push_back(queries_.size());
    queries_.emplace_back();
  }
  near_.push_back({who, idle_.back()});
  idle_.pop_back();
  set_query(who, queries_[near_.back().query]);
}

void Pairs::place_planes(const State& state) {
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    const Pose X_WS = state[planes_[p].body()].pose() * placed(planes_[p]).X_BS;
    const auto& plane = std::get<geometry::Plane>(placed(planes_[p]).shape);
    const Vec3 n = X_WS.q * plane.normal;
    world_planes_[p] = {planes_[p].body(), n, plane.offset + n.dot(X_WS.p)};
  }
}

double Pairs::plane_margin(const WorldPlane& plane, const Collider& other,
                           const State& state) const {
  const Vec3& x = state[other.body()].x;
  const double lever = (x - state[plane.body].x).norm() + other.reach;
  return travel_.margin(other.carried, {plane.body, lever});
}

bool Pairs::is_near(const WorldPlane& plane, const Collider& other, const State& state,
                    double margin) const {
  const double height = plane.normal.dot(state[other.body()].x) - plane.offset;
  return height <= other.reach + 2 * margin;
}

void Pairs::find_near_planes(const State& state) {
  place_planes(state);
  for (std::size_t i = 0; i < plane_pairs_.size(); ++i) {
    const WorldPlane& plane = world_planes_[plane_pairs_[i].plane];
    const Collider& other = bounded_[plane_pairs_[i].other];
    const double margin = plane_margin(plane, other, state);
    if (is_near(plane, other, state, margin)) asked_.push_back({i, margin});
  }
}

void Pairs::ask_stops() {
  for (std::size_t i = 0; 2 * i < stops_.size(); ++i)
    asked_.push_back({plane_pairs_.size() + i, travel_.margin(stops_[2 * i], stops_[2 * i + 1])});
}

void Pairs::ask_near(const State& state, double duration) {
  list_pairs_with_planes();
  collect(state, duration);
  asked_.clear();
  find_near_planes(state);
  ask_stops();
  for (const NearPair& near : near_) {
    const Collider &a = bounded(near.who.i), &b = bounded(near.who.j);
    const double margin = travel_.margin(a.carried, b.carried);
    const double reach = a.reach + b.reach + 2 * margin;
    const Vec3 apart = state[a.body()].x - state[b.body()].x;
    if (apart.squaredNorm() <= reach * reach) asked_.push_back({near.query, margin});
  }
}

void Pairs::find_contacts(const State& state, ContactSet& out,
                          std::vector<ContactFeatures>* features) {
  ask_near(state, 0);
  out.clear();
  if (features != nullptr) features->clear();
  for (const Asked& asked : asked_) {
    PairQuery& query = queries_[asked.query];
    if (!stand_still(query.pair())) query.append_contacts(scene_, state, out, features);
  }
}

// Whether the two are to be found before they touch.
bool Pairs::is_ahead(const ShapePair& pair, std::span<const char> marked) const {
  const auto sleeps = [&](BodyId id) {
    return !still_.empty() && still_[index(id)] && scene_.body(id).is_dynamic();
  };
  if (marked.empty()) return true;
  return (marked[index(pair.a)] || marked[index(pair.b)]) && !sleeps(pair.a) && !sleeps(pair.b);
}

void Pairs::find_near_contacts(const State& state, double duration, ContactSet& out,
                               const NearOptions& options) {
  applied_ = options.applied;
  ask_near(state, duration);
  applied_ = {};
  touching_ = options.touching;
  const double touching = scene_.tolerances.gap;
  const auto is_outside = [&](BodyId id) {
    return !options.marked.empty() && !options.marked[index(id)] && scene_.body(id).is_dynamic();
  };
  const auto is_left_out = [&](const Contact& contact) {
    return contact.at.gap > std::max(touching, options.touching) &&
           contact.approach_rate < -options.fastest &&
           (is_outside(contact.a) || is_outside(contact.b));
  };
  const std::size_t chunks = (asked_.size() + kPairsPerThread - 1) / kPairsPerThread;
  while (chunks_.size() < chunks) chunks_.emplace_back().found.reserve(4 * kPairsPerThread);
  auto one = [&](std::size_t c) {
    chunks_[c].found.clear();
    const std::size_t end = std::min(asked_.size(), (c + 1) * kPairsPerThread);
    for (std::size_t i = c * kPairsPerThread; i < end; ++i) {
      queries_[asked_[std::min(i + kAhead, asked_.size() - 1)].query].prefetch();
      const std::size_t before = chunks_[c].found.size();
      ContactSet& found = chunks_[c].found;
      PairQuery& query = queries_[asked_[i].query];
      asked_[i].found = 0;
      if (stand_still(query.pair())) continue;
      const bool ahead = is_ahead(query.pair(), options.marked);
      query.append_near(state, {duration, ahead ? asked_[i].margin : touching, touching_},
                        chunks_[c]);
      const auto first = found.begin() + static_cast<std::ptrdiff_t>(before);
      found.erase(std::remove_if(first, found.end(), is_left_out), found.end());
      asked_[i].found = found.size() - before;
    }
  };
  workers_.for_each(chunks, 1, one);
  out.clear();
  for (std::size_t c = 0; c < chunks; ++c) {
    out.insert(out.end(), chunks_[c].found.begin(), chunks_[c].found.end());
  }
}

void Pairs::follow_near_contacts(const State& state, double duration, ContactSet& contacts) {
  constexpr double kFarther = 2;  // margins: contacts may have parted meanwhile
  firsts_.clear();
  std::size_t next = 0;
  for (const Asked& asked : asked_) firsts_.push_back(std::exchange(next, next + asked.found));
  const std::size_t chunks = (asked_.size() + kPairsPerThread - 1) / kPairsPerThread;
  auto one = [&](std::size_t c) {
    const std::size_t end = std::min(asked_.size(), (c + 1) * kPairsPerThread);
    for (std::size_t i = c * kPairsPerThread; i < end; ++i) {
      if (asked_[i].found == 0) continue;
      queries_[asked_[i].query].follow_near(
          state, {duration, kFarther * asked_[i].margin, kFarther * touching_},
          std::span(contacts).subspan(firsts_[i], asked_[i].found), chunks_[c]);
    }
  };
  workers_.for_each(chunks, 1, one);
}

SearchResult Pairs::times_of_contact(const Flight& flight, std::vector<ContactTime>& out) {
  collect(flight);
  asked_.clear();
  const auto ask = [&](std::size_t query) {
    if (!stand_still(queries_[query].pair())) asked_.push_back({query, 0});
  };
  for (std::size_t i = 0; i < plane_pairs_.size() + stops_.size() / 2; ++i) ask(i);
  for (const NearPair& near : near_) ask(near.query);
  auto one = [&](std::size_t i) { queries_[asked_[i].query].search(scene_, flight); };
  workers_.for_each(asked_.size(), kPairsPerThread, one);
  out.clear();
  SearchResult result;
  for (const Asked& asked : asked_) {
    const PairQuery& query = queries_[asked.query];
    if (query.capped()) return {SearchStatus::IterationCap, query.pair()};
    result.unproven = std::max(result.unproven, query.unproven());
    out.insert(out.end(), query.times().begin(), query.times().end());
  }
  std::sort(out.begin(), out.end(), [](const ContactTime& x, const ContactTime& y) {
    return std::tuple(x.s, x.a, x.b, x.feature) < std::tuple(y.s, y.a, y.b, y.feature);
  });
  return result;
}

std::vector<Pairs::Overlap> Pairs::find_overlaps(const State& state) {
  std::vector<Overlap> overlaps;
  const auto add = [&](PairQuery& query) {
    const Contact nearest = query.find_nearest(scene_, state);
    if (nearest.at.gap < 0)
      overlaps.push_back({-nearest.at.gap, nearest.a, nearest.b, nearest.at.normal});
  };
  collect(state, 0);
  place_planes(state);
  PairQuery with_plane;
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    for (const Collider& other : bounded_) {
      const double margin = plane_margin(world_planes_[p], other, state);
      if (!is_near(world_planes_[p], other, state, margin) || !may_touch(other, planes_[p]))
        continue;
      set_query({other, 0}, {planes_[p], 0}, with_plane);
      add(with_plane);
    }
  }
  for (const NearPair& near : near_) add(queries_[near.query]);
  std::ranges::stable_sort(overlaps, std::greater<>(), &Overlap::depth);
  return overlaps;
}

}  // namespace carom::contact
