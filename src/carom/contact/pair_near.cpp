// Where a pair may touch soon.
#include <algorithm>
#include <cmath>

#include "carom/contact/pair_query.h"
#include "carom/geometry/distance/surface_contact.h"
#include "carom/geometry/regions/near_boxes.h"
#include "carom/geometry/shapes/support_patch.h"

namespace carom::contact {

namespace {

// A normal turned by more than this was turned on purpose.
constexpr double kSameDirection = 1e-9;

}  // namespace

void PairQuery::append_near(const State& state, const Soon& soon, NearContacts& out) {
  const Pose X_WA = state[pair_.a].pose(), X_WB = state[pair_.b].pose();
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const auto point = geometry::contact_point(features_[f], X_WA, X_WB);
    if (point.gap > soon.margin) continue;
    out.found.push_back(near_contact(state, point, static_cast<std::int64_t>(f)));
  }
  if (in_closed_form()) return;
  const Pose X_WSA = X_WA * X_AS_, X_WSB = X_WB * X_BS_;
  const Vec3 approach = soon.duration * (state[pair_.a].v - state[pair_.b].v);
  find_near_points({.margin = soon.margin, .approach = approach}, {*convex_a_, X_WSA},
                   {*convex_b_, X_WSB}, out.points);
  const std::size_t first = out.found.size();
  for (const geometry::NearPoint& point : out.points) {
    out.found.push_back(near_contact(state, point.at, point.id));
  }
  if (soon.touching > 0) append_touching(state, soon.touching, first, out.found);
}

// Those between the same features as a near point, found from `first` on, take its place.
void PairQuery::append_touching(const State& state, double touching, std::size_t first,
                                ContactSet& found) {
  const Pose X_WA = state[pair_.a].pose(), X_WB = state[pair_.b].pose();
  const geometry::Placed a{*convex_a_, X_WA * X_AS_}, b{*convex_b_, X_WB * X_BS_};
  search_.hint = {};
  const auto apart = geometry::compute_contact_distance(a, b, touching, search_.hint);
  if (apart.value > touching) return;
  geometry::find_contact_region(a, b, apart, touching, search_.region);
  for (const geometry::RegionPoint& point : search_.region) {
    const Contact contact = near_contact(state, point_at(features_of(point), X_WA, X_WB), point.id);
    const auto known = std::ranges::find(found.begin() + static_cast<std::ptrdiff_t>(first),
                                         found.end(), contact.feature, &Contact::feature);
    if (known != found.end())
      *known = contact;
    else
      found.push_back(contact);
  }
}

void PairQuery::follow_near(const State& state, const Soon& soon, std::span<Contact> at,
                            NearContacts& work) {
  work.found.clear();
  append_near(state, soon, work);
  if (at.size() == 1 && work.found.size() == 1) {
    at.front().at = work.found.front().at;
    return;
  }
  for (Contact& contact : at) {
    const auto again = std::ranges::find(work.found, contact.feature, &Contact::feature);
    if (again != work.found.end()) contact.at = again->at;
  }
}

void PairQuery::find_near_points(const geometry::NearQuery& query, const geometry::Placed& a,
                                 const geometry::Placed& b, std::vector<geometry::NearPoint>& out) {
  const bool boxes = std::holds_alternative<geometry::Box>(a.convex.shape) &&
                     std::holds_alternative<geometry::Box>(b.convex.shape);
  if (boxes && geometry::find_near_boxes(a, b, query, out)) return;
  out.clear();
  if (is_beyond(query.margin, a, b)) return;
  search_.hint = {};  // else the last digits would depend on what was asked before
  const auto apart = geometry::compute_contact_distance(a, b, query.margin, search_.hint);
  const bool turned = (apart.normal - search_.hint.normal).norm() > kSameDirection;
  geometry::find_near_region(a, b, apart, {.margin = query.margin, .must_face = turned}, out);
}

double PairQuery::separation_along(const Vec3& normal, const geometry::Placed& a,
                                   const geometry::Placed& b) const {
  return -geometry::compute_extent(a, -normal, search_.hint.feature_a) -
         geometry::compute_extent(b, normal, search_.hint.feature_b);
}

// Along the normal of the last distance.
bool PairQuery::is_beyond(double margin, const geometry::Placed& a,
                          const geometry::Placed& b) const {
  const Vec3& last = search_.hint.normal;
  if (last.isZero(0) || std::isinf(b.convex.radius)) return false;  // a plane has but one
  return separation_along(last, a, b) > margin;
}

}  // namespace carom::contact
