#include "carom/geometry/shapes/convex_cell.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carom::geometry {

namespace {

double height_above(const Plane& plane, const Vec3& p) {
  return plane.normal.dot(p) - plane.offset;
}

// Newell: right also where three corners lie on a line.
Vec3 area_of(const std::vector<Vec3>& loop) {
  Vec3 area = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    area += 0.5 * (loop[i] - loop[0]).cross(loop[i + 1] - loop[0]);
  }
  return area;
}

// Sutherland & Hodgman's step, with corners near the plane taken to lie on it.
void clip_loop(const Plane& plane, double resolution, std::vector<Vec3>& loop,
               std::vector<Vec3>& scratch) {
  scratch.clear();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3 &p = loop[i], &q = loop[(i + 1) % loop.size()];
    const double hp = height_above(plane, p), hq = height_above(plane, q);
    if (hp <= resolution) scratch.push_back(p);
    const bool crosses =
        (hp < -resolution && hq > resolution) || (hp > resolution && hq < -resolution);
    if (crosses) scratch.push_back(p + hp / (hp - hq) * (q - p));
  }
  std::swap(loop, scratch);
}

// The corners of a convex polygon in any order, some repeated, as a loop about the normal.
std::vector<Vec3> make_loop(std::vector<Vec3> points, const Vec3& normal, double resolution) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) mean += p / static_cast<double>(points.size());
  const math::Tangents axes = math::make_tangents(normal);
  const auto angle = [&](const Vec3& p) {
    return std::atan2(axes.second.dot(p - mean), axes.first.dot(p - mean));
  };
  std::sort(points.begin(), points.end(),
            [&](const Vec3& p, const Vec3& q) { return angle(p) < angle(q); });
  std::vector<Vec3> loop;
  for (const Vec3& p : points) {
    if (loop.empty() || (p - loop.back()).norm() > resolution) loop.push_back(p);
  }
  while (loop.size() > 1 && (loop.front() - loop.back()).norm() <= resolution) loop.pop_back();
  return loop;
}

}  // namespace

ConvexCell::ConvexCell(const Polyhedron& convex) {
  for (const std::vector<int>& facet : convex.facets) {
    Face face{};
    for (const int i : facet) face.loop.push_back(convex.vertices[static_cast<std::size_t>(i)]);
    face.plane.normal = area_of(face.loop).normalized();
    face.plane.offset = -std::numeric_limits<double>::infinity();
    for (const Vec3& p : face.loop) {
      face.plane.offset = std::max(face.plane.offset, face.plane.normal.dot(p));
    }
    faces_.push_back(std::move(face));
  }
}

std::optional<ConvexCell> ConvexCell::part_behind(const Plane& plane, double resolution) const {
  ConvexCell part;
  std::vector<Vec3> scratch, cap;
  bool has_inside = false;
  for (const Face& face : faces_) {
    Face kept = face;
    clip_loop(plane, resolution, kept.loop, scratch);
    std::size_t on_plane = 0;
    for (const Vec3& p : kept.loop) {
      const double height = height_above(plane, p);
      has_inside |= height < -resolution;
      if (height < -resolution) continue;
      cap.push_back(p);
      ++on_plane;
    }
    if (kept.loop.size() >= 3 && on_plane < kept.loop.size())
      part.faces_.push_back(std::move(kept));
  }
  if (!has_inside) return std::nullopt;
  Face lid{plane, make_loop(std::move(cap), plane.normal, resolution)};
  if (lid.loop.size() >= 3) part.faces_.push_back(std::move(lid));
  return part;
}

void ConvexCell::clip(std::vector<Vec3>& polygon, double depth, std::vector<Vec3>& scratch) const {
  for (const Face& face : faces_) {
    clip_loop({face.plane.normal, face.plane.offset - depth}, 0, polygon, scratch);
    if (polygon.empty()) return;
  }
}

Vec3 ConvexCell::center() const {
  Vec3 sum = Vec3::Zero();
  double count = 0;
  for (const Face& face : faces_) {
    for (const Vec3& p : face.loop) sum += p;
    count += static_cast<double>(face.loop.size());
  }
  return sum / count;
}

std::vector<Vec3> ConvexCell::corners() const {
  std::vector<Vec3> corners;
  for (const Face& face : faces_) corners.insert(corners.end(), face.loop.begin(), face.loop.end());
  return corners;
}

double ConvexCell::volume() const {
  const Vec3 apex = center();
  double volume = 0;
  for (const Face& face : faces_) volume += area_of(face.loop).dot(face.loop[0] - apex) / 3;
  return volume;
}

}  // namespace carom::geometry
