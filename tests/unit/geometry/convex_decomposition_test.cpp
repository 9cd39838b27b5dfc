#include "carom/geometry/shapes/convex_decomposition.h"

#include <gtest/gtest.h>

#include <map>

#include "carom/base/random.h"
#include "carom/geometry/shapes/mass_properties.h"
#include "support/meshes.h"

namespace carom::geometry {
namespace {

using support::Surface;

// Fixed but in no special direction, so that nothing is exact by luck.
const Pose kAskew{Vec3(0.3, -1.7, 2.2), Quat(0.8, 0.3, -0.4, 0.2).normalized()};

Surface turned(Surface surface) {
  for (Vec3& v : surface.vertices) v = kAskew * v;
  return surface;
}

Surface rounded(Surface surface) {
  for (Vec3& v : surface.vertices) v = v.cast<float>().cast<double>();
  return surface;
}

double volume_of(const Polyhedron& piece) {
  return compute_mass_properties(Hull{std::make_shared<Polyhedron>(piece)}, 1).mass;
}

// How far inside the piece the point is; negative outside.
double depth_in(const Polyhedron& piece, const Vec3& point) {
  double depth = std::numeric_limits<double>::infinity();
  for (const std::vector<int>& facet : piece.facets) {
    Vec3 area = Vec3::Zero();
    const auto at = [&](std::size_t i) {
      return piece.vertices[static_cast<std::size_t>(facet[i % facet.size()])];
    };
    for (std::size_t i = 0; i < facet.size(); ++i) area += at(i).cross(at(i + 1));
    depth = std::min(depth, area.normalized().dot(at(0) - point));
  }
  return depth;
}

// The pieces hold a point exactly when the surface winds about it, and no two hold the same.
void expect_same_solid(const TriangleMesh& mesh, const Decomposition& decomposition) {
  constexpr double kBorder = 1e-9;
  base::Random random(1);
  Box3 box{mesh.vertices[0], mesh.vertices[0]};
  for (const Vec3& v : mesh.vertices) box = {box.low.cwiseMin(v), box.high.cwiseMax(v)};
  int inside = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    const Vec3 u(random.uniform(), random.uniform(), random.uniform());
    const Vec3 point = box.low + u.cwiseProduct(box.high - box.low);
    int holding = 0;
    bool at_border = false;
    for (const auto& piece : decomposition.pieces) {
      const double depth = depth_in(*piece, point);
      at_border |= std::abs(depth) < kBorder;
      holding += depth > 0 ? 1 : 0;
    }
    if (at_border) continue;
    const double winding = compute_winding_number(mesh, point);
    EXPECT_NEAR(winding, std::round(winding), 1e-9);
    EXPECT_EQ(holding, static_cast<int>(std::round(winding)));
    inside += holding;
  }
  EXPECT_GT(inside, 100);
}

void expect_pieces(const Surface& surface, double volume, std::size_t most_pieces) {
  const auto mesh = support::make_mesh(turned(surface));
  EXPECT_NEAR(compute_volume(*mesh), volume, 1e-12 * volume);
  const Decomposition decomposition = decompose(*mesh);
  ASSERT_EQ(decomposition.status, DecompositionStatus::Done);
  double sum = 0;
  for (const auto& piece : decomposition.pieces) sum += volume_of(*piece);
  EXPECT_NEAR(sum, volume, 1e-9 * volume);
  EXPECT_LE(decomposition.pieces.size(), most_pieces);
  expect_same_solid(*mesh, decomposition);
}

TEST(ConvexDecomposition, LeavesAConvexSolidWhole) {
  expect_pieces(support::make_prism({{0, 0}, {2, 0}, {3, 1}, {2, 2}, {0, 2}}, 1.5), 7.5, 1);
}

TEST(ConvexDecomposition, CutsLettersIntoAsFewBoxesAsTheyNeed) {
  expect_pieces(support::make_prism(support::make_l(), 0.5), 1.5, 2);
  expect_pieces(support::make_prism(support::make_u(), 0.5), 2.5, 3);
  expect_pieces(support::make_prism(support::make_plus(), 0.5), 2.5, 3);
}

TEST(ConvexDecomposition, CutsStarsIntoAtMostOnePieceMoreThanPoints) {
  for (const int points : {3, 5, 8}) {
    const auto star = support::make_star(points, 0.7, 1.5);
    expect_pieces(support::make_prism(star, 1), support::area_of(star),
                  static_cast<std::size_t>(points) + 1);
  }
}

// A cube of side 3 without the cube of side 1 in its corner: three notches that meet in a point.
TEST(ConvexDecomposition, CutsOutACorner) {
  Surface notched;
  notched.vertices = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 3}, {3, 0, 3}, {0, 3, 3},
                      {2, 3, 3}, {2, 2, 3}, {3, 2, 3}, {2, 3, 2}, {2, 2, 2}, {3, 2, 2}, {3, 3, 2}};
  const std::vector<std::vector<int>> faces = {
      {3, 2, 1, 0},         {0, 1, 5, 4},         {0, 4, 6, 3},
      {1, 2, 13, 12, 9, 5}, {2, 3, 6, 7, 10, 13}, {4, 5, 9, 8, 7, 6},
      {8, 9, 12, 11},       {7, 8, 11, 10},       {10, 11, 12, 13}};
  for (const auto& face : faces) {  // a fan from the first corner, which sees the whole face
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      notched.triangles.push_back({face[0], face[i], face[i + 1]});
    }
  }
  expect_pieces(notched, 26, 4);
}

TEST(ConvexDecomposition, CutsARing) {
  const auto mesh = support::make_mesh(support::make_ring(8, 6, 2, 0.5));
  expect_pieces(support::make_ring(8, 6, 2, 0.5), compute_volume(*mesh), 80);
}

// An octahedron with every face parted in four and the vertices moved in and out.
Surface make_crumpled(base::Random& random) {
  Surface surface;
  surface.vertices = {Vec3::UnitX(),  -Vec3::UnitX(), Vec3::UnitY(),
                      -Vec3::UnitY(), Vec3::UnitZ(),  -Vec3::UnitZ()};
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto next = static_cast<int>(surface.vertices.size());
    const auto [found, is_new] = middles.try_emplace(std::minmax(a, b), next);
    const auto at = [&](int i) { return surface.vertices[static_cast<std::size_t>(i)]; };
    if (is_new) surface.vertices.push_back((at(a) + at(b)).normalized());
    return found->second;
  };
  const std::vector<Triangle> faces = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                       {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (const auto& [a, b, c] : faces) {
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const Triangle& t : {Triangle{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) {
      surface.triangles.push_back(t);
    }
  }
  for (Vec3& v : surface.vertices) v *= random.uniform(0.6, 1.2);
  return surface;
}

TEST(ConvexDecomposition, FillsCrumpledBalls) {
  base::Random random(2);
  for (int round = 0; round < 10; ++round) {
    const Surface surface = make_crumpled(random);
    expect_pieces(surface, compute_volume(*support::make_mesh(surface)), 64);
  }
}

// As read from a file of floats: four corners of a side no longer lie in one plane.
TEST(ConvexDecomposition, BearsRoundedCoordinates) {
  base::Random random(3);
  for (int round = 0; round < 10; ++round) {
    support::Polygon polygon;
    for (int i = 0; i < 9; ++i) {
      const double angle = 2 * std::numbers::pi * i / 9, r = random.uniform(0.3, 1.5);
      polygon.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
    const auto mesh = support::make_mesh(rounded(turned(support::make_prism(polygon, 1))));
    const Decomposition decomposition = decompose(*mesh);
    ASSERT_EQ(decomposition.status, DecompositionStatus::Done);
    double sum = 0;
    for (const auto& piece : decomposition.pieces) sum += volume_of(*piece);
    EXPECT_NEAR(sum, support::area_of(polygon), 1e-6);
    EXPECT_LE(decomposition.pieces.size(), 12U);
  }
}

TEST(ConvexDecomposition, SaysWhyItCannot) {
  Surface open = support::make_prism(support::make_l(), 1);
  open.triangles.pop_back();
  EXPECT_EQ(decompose(*support::make_mesh(open)).status, DecompositionStatus::NotClosed);

  Surface reversed = support::make_prism(support::make_l(), 1);
  for (Triangle& t : reversed.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(decompose(*support::make_mesh(reversed)).status, DecompositionStatus::InsideOut);

  Surface twice = support::make_prism(support::make_l(), 1);  // one through the other
  const auto count = static_cast<std::int32_t>(twice.vertices.size());
  const Surface other = turned(support::make_prism(support::make_l(), 1));
  for (const Vec3& v : other.vertices) twice.vertices.push_back(v - kAskew.p);
  for (const Triangle& t : other.triangles) {
    twice.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  }
  EXPECT_EQ(decompose(*support::make_mesh(twice)).status, DecompositionStatus::Inconsistent);

  const auto fine = support::make_mesh(support::make_ring(48, 32, 2, 0.5));
  EXPECT_EQ(decompose(*fine).status, DecompositionStatus::TooManyPieces);
}

}  // namespace
}  // namespace carom::geometry
