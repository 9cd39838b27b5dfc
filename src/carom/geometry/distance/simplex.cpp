#include "carom/geometry/distance/simplex.h"

#include <algorithm>
#include <cmath>

namespace carom::geometry {

namespace {

// A face of a simplex with the weights of the point nearest to the origin.
struct Nearest {
  std::array<int, 3> at{};
  std::array<double, 3> weight{};
  int count = 0;
  Vec3 point = Vec3::Zero();
};

Nearest on_vertex(const Simplex& s, int i) {
  return {{i}, {1}, 1, s.vertices[static_cast<std::size_t>(i)].w};
}

Nearest on_segment(const Simplex& s, int i, int j) {
  const Vec3& p = s.vertices[static_cast<std::size_t>(i)].w;
  const Vec3& q = s.vertices[static_cast<std::size_t>(j)].w;
  const Vec3 along = q - p;
  const double length = along.squaredNorm();
  const double t = -p.dot(along);
  if (t <= 0 || length == 0) return on_vertex(s, i);
  if (t >= length) return on_vertex(s, j);
  const double part = t / length;
  return {{i, j}, {1 - part, part}, 2, p + part * along};
}

Nearest nearer(const Nearest& first, const Nearest& second) {
  return second.point.squaredNorm() < first.point.squaredNorm() ? second : first;
}

Nearest on_triangle(const Simplex& s, int i, int j, int k) {
  const Vec3& a = s.vertices[static_cast<std::size_t>(i)].w;
  const Vec3& b = s.vertices[static_cast<std::size_t>(j)].w;
  const Vec3& c = s.vertices[static_cast<std::size_t>(k)].w;
  const Vec3 normal = (b - a).cross(c - a);
  const double area = normal.squaredNorm();
  const double u = normal.dot(b.cross(c)), v = normal.dot(c.cross(a)), w = normal.dot(a.cross(b));
  if (area > 0 && u > 0 && v > 0 && w > 0) {
    const double sum = u + v + w;
    const Vec3 point = (u * a + v * b + w * c) / sum;  // where the weights say, also of a sliver
    return {{i, j, k}, {u / sum, v / sum, w / sum}, 3, point};
  }
  return nearer(nearer(on_segment(s, i, j), on_segment(s, j, k)), on_segment(s, k, i));
}

// The origin and the fourth vertex lie on different sides of the plane of the other three, or the
// tetrahedron is flat.
bool is_beyond(const Simplex& s, int i, int j, int k, int fourth) {
  const Vec3& a = s.vertices[static_cast<std::size_t>(i)].w;
  const Vec3 normal = (s.vertices[static_cast<std::size_t>(j)].w - a)
                          .cross(s.vertices[static_cast<std::size_t>(k)].w - a);
  const double origin = -normal.dot(a);
  const double other = normal.dot(s.vertices[static_cast<std::size_t>(fourth)].w - a);
  const double flat = 1e-14 * normal.norm() * a.norm();
  return std::abs(other) <= flat || origin * other < 0;
}

void keep(Simplex& s, const Nearest& nearest) {
  const auto old = s.vertices;
  s.count = nearest.count;
  for (std::size_t i = 0; i < static_cast<std::size_t>(nearest.count); ++i) {
    s.vertices[i] = old[static_cast<std::size_t>(nearest.at[i])];
    s.weights[i] = nearest.weight[i];
  }
}

// Weights of the origin inside a tetrahedron: volumes.
void weigh_inside(Simplex& s) {
  const auto& v = s.vertices;
  const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)); };
  s.weights = {std::abs(volume(v[1].w, v[2].w, v[3].w)), std::abs(volume(v[0].w, v[2].w, v[3].w)),
               std::abs(volume(v[0].w, v[1].w, v[3].w)), std::abs(volume(v[0].w, v[1].w, v[2].w))};
  const double sum = s.weights[0] + s.weights[1] + s.weights[2] + s.weights[3];
  for (double& weight : s.weights) weight /= sum;
}

}  // namespace

void Simplex::add(const Vec3& w, const Vec3& a, const Vec3& b) {
  vertices[static_cast<std::size_t>(count++)] = {w, a, b};
}

bool Simplex::has(const Vec3& w) const {
  return std::any_of(vertices.begin(), vertices.begin() + count,
                     [&](const Vertex& vertex) { return vertex.w == w; });
}

Vec3 Simplex::reduce() {
  Nearest best = on_vertex(*this, 0);
  if (count == 2) best = on_segment(*this, 0, 1);
  if (count == 3) best = on_triangle(*this, 0, 1, 2);
  if (count == 4) {
    constexpr std::array<std::array<int, 4>, 4> kFaces{
        {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};
    bool inside = true;
    for (const auto& [i, j, k, fourth] : kFaces) {
      if (!is_beyond(*this, i, j, k, fourth)) continue;
      const Nearest face = on_triangle(*this, i, j, k);
      best = inside ? face : nearer(best, face);
      inside = false;
    }
    if (inside) {
      weigh_inside(*this);
      return Vec3::Zero();
    }
  }
  keep(*this, best);
  return best.point;
}

Vec3 Simplex::nearest_a() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    sum += weights[i] * vertices[i].a;
  return sum;
}

Vec3 Simplex::nearest_b() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    sum += weights[i] * vertices[i].b;
  return sum;
}

}  // namespace carom::geometry
