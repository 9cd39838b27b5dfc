// Surfaces of triangles for tests.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

#include "carom/geometry/shapes/mesh.h"

namespace carom::support {

struct Surface {
  std::vector<Vec3> vertices;
  std::vector<geometry::Triangle> triangles;
};

inline std::shared_ptr<const geometry::TriangleMesh> make_mesh(const Surface& surface) {
  const auto result = geometry::make_triangle_mesh(surface.vertices, surface.triangles);
  if (result.mesh == nullptr) throw std::runtime_error(result.problem);
  return result.mesh;
}

using Polygon = std::vector<std::pair<double, double>>;  // counter-clockwise

inline double turn(const Polygon& p, int a, int b, int c) {
  const auto [ax, ay] = p[static_cast<std::size_t>(a)];
  const auto [bx, by] = p[static_cast<std::size_t>(b)];
  const auto [cx, cy] = p[static_cast<std::size_t>(c)];
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

// By cutting off ears.
inline std::vector<geometry::Triangle> triangulate(const Polygon& polygon) {
  std::vector<int> rest;
  for (std::size_t i = 0; i < polygon.size(); ++i) rest.push_back(static_cast<int>(i));
  std::vector<geometry::Triangle> triangles;
  while (rest.size() > 2) {
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const int a = rest[i], b = rest[(i + 1) % rest.size()], c = rest[(i + 2) % rest.size()];
      bool ear = turn(polygon, a, b, c) > 0;
      for (const int p : rest) {
        if (p == a || p == b || p == c) continue;
        ear &= !(turn(polygon, a, b, p) >= 0 && turn(polygon, b, c, p) >= 0 &&
                 turn(polygon, c, a, p) >= 0);
      }
      if (!ear) continue;
      triangles.push_back({a, b, c});
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>((i + 1) % rest.size()));
      break;
    }
  }
  return triangles;
}

// From z = 0 to z = height.
inline Surface make_prism(const Polygon& polygon, double height) {
  Surface prism;
  const int n = static_cast<int>(polygon.size());
  for (const double z : {0.0, height}) {
    for (const auto& [x, y] : polygon) prism.vertices.emplace_back(x, y, z);
  }
  for (const auto& [a, b, c] : triangulate(polygon)) {
    prism.triangles.push_back({c, b, a});
    prism.triangles.push_back({a + n, b + n, c + n});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    prism.triangles.push_back({i, j, j + n});
    prism.triangles.push_back({i, j + n, i + n});
  }
  return prism;
}

inline double area_of(const Polygon& polygon) {
  double area = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const auto& [ax, ay] = polygon[i];
    const auto& [bx, by] = polygon[(i + 1) % polygon.size()];
    area += 0.5 * (ax * by - ay * bx);
  }
  return area;
}

inline Polygon make_l() { return {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}; }
inline Polygon make_u() { return {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}; }
inline Polygon make_plus() {
  return {{1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {2, 2},
          {2, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}, {1, 1}};
}
inline Polygon make_star(int points, double inner, double outer) {
  Polygon star;
  for (int i = 0; i < 2 * points; ++i) {
    const double angle = std::numbers::pi * i / points;
    const double r = i % 2 == 0 ? outer : inner;
    star.emplace_back(r * std::cos(angle), r * std::sin(angle));
  }
  return star;
}

// A sheet over [0, n]², heights given at whole coordinates, front upwards.
template <class Height>
Surface make_sheet(int n, const Height& height) {
  Surface sheet;
  for (int y = 0; y <= n; ++y) {
    for (int x = 0; x <= n; ++x) sheet.vertices.emplace_back(x, y, height(x, y));
  }
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const int a = y * (n + 1) + x, b = a + 1, c = a + n + 1, d = c + 1;
      sheet.triangles.push_back({a, b, d});
      sheet.triangles.push_back({a, d, c});
    }
  }
  return sheet;
}

// A ring of `around` × `across` quadrilaterals.
inline Surface make_ring(int around, int across, double radius, double thickness) {
  Surface ring;
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double u = 2 * std::numbers::pi * i / around, v = 2 * std::numbers::pi * j / across;
      const double r = radius + thickness * std::cos(v);
      ring.vertices.emplace_back(r * std::cos(u), r * std::sin(u), thickness * std::sin(v));
    }
  }
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const int a = i * across + j, b = (i + 1) % around * across + j;
      const int c = (i + 1) % around * across + (j + 1) % across, d = i * across + (j + 1) % across;
      ring.triangles.push_back({a, b, c});
      ring.triangles.push_back({a, c, d});
    }
  }
  return ring;
}

}  // namespace carom::support
