#include "carom/geometry/regions/contact_region.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/regions/region_names.h"
#include "carom/geometry/regions/region_normal.h"

namespace carom::geometry {

namespace {

// Parts of the smaller shape: points closer than this are one, and a region at least so wide is
// found whole.
constexpr double kNear = 1e-9, kSmallOverlap = 1e-3;
constexpr double kRoundOff = 4e-15;  // of a gap, of sizes and positions

void find_patches(RegionInPlane& region, double near) {
  const double slack = region.tolerance - region.separation;
  const double disc_slack = std::min(slack, 2 * region.tolerance);
  const double lean = std::min(1e-2, slack * kNear / near / kSmallOverlap);
  const PatchQuery towards_b{region.plane, -region.plane.normal, slack, lean, near, slack,
                             disc_slack};
  const PatchQuery towards_a{region.plane, region.plane.normal, slack, lean, near,
                             slack,        disc_slack};
  find_patch(region.a, towards_b, region.distance.feature_a, region.patch_a);
  find_patch(region.b, towards_a, region.distance.feature_b, region.patch_b);
}

// A gap below the separation belongs to a face that leans too much for a round shape.
void keep_touching(const RegionInPlane& region, Overlap& overlap) {
  std::size_t kept = 0;
  for (const OverlapPoint& point : overlap) {
    const double gap = gap_at(region, point);
    const bool touching = gap <= region.tolerance && gap >= region.separation - region.tolerance;
    if (touching) overlap[kept++] = point;
  }
  overlap.shrink(kept);
}

void keep_hull(double near, Overlap& overlap, HullOrder& order) {
  BoundedList<Flat, kMostOverlapPoints> flats;
  for (const OverlapPoint& point : overlap) flats.push(point.at);
  find_hull(flats, near, order);
}

// Whether one of the points is as deep as the shapes are.
bool holds_deepest(const RegionInPlane& region, const Overlap& overlap, const HullOrder& order) {
  return std::any_of(order.begin(), order.end(), [&](std::size_t i) {
    return gap_at(region, overlap[i]) <= region.distance.value + region.tolerance / 2;
  });
}

void name_points(const RegionInPlane& region, const Overlap& overlap, const HullOrder& order,
                 std::vector<RegionPoint>& out) {
  for (const std::size_t i : order) {
    out.push_back(name_point(region, overlap[i], order.size() == 1));
  }
  const bool trusted = region.distance.status == DistanceStatus::Converged;
  if (out.empty() || (trusted && !holds_deepest(region, overlap, order))) {
    const RegionPoint witness = name_witness(region);
    std::erase_if(out, [&](const RegionPoint& point) { return point.id == witness.id; });
    out.push_back(witness);
  }
  std::sort(out.begin(), out.end(),
            [](const RegionPoint& x, const RegionPoint& y) { return x.id < y.id; });
}

}  // namespace

void find_contact_region(const Placed& a, const Placed& b, const Distance& distance,
                         double tolerance, std::vector<RegionPoint>& out) {
  out.clear();
  if (!(distance.value <= tolerance)) return;
  const RegionNormal normal = find_region_normal(a, b, distance, tolerance);
  const Vec3 middle = 0.5 * (distance.p_A + distance.p_B);
  const double separation = std::min(normal.separation, distance.value);
  const double size = std::min(a.convex.radius, b.convex.radius);
  const double round_off = kRoundOff * (size + a.X_WS.p.norm() + b.X_WS.p.norm());
  RegionInPlane region{
      a,  b, distance, tolerance + round_off, separation, make_contact_plane(middle, normal.normal),
      {}, {}};
  const double near = kNear * size;
  find_patches(region, near);
  Overlap overlap;
  HullOrder order;
  find_overlap(region.patch_a.outline, region.patch_b.outline, near, overlap);
  keep_touching(region, overlap);
  keep_hull(near, overlap, order);
  name_points(region, overlap, order, out);
}

}  // namespace carom::geometry
