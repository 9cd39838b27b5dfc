// Support mappings and the pieces of a convex surface, shape by shape. A direction m is outward;
// the support point is one that lies farthest along it. Near any direction the support function is
// made of few smooth pieces, each the support function of a point, a disc or an ellipsoid,
//
//   h(m) = c·m + √(mᵀ Q m),
//
// that hold where the normal is free, on a circle of normals (an edge, the side of a cylinder or a
// cone) or at one normal (a face, a cap). Newton's method on pieces is what makes distances exact.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "carom/geometry/shapes/convex.h"

namespace carom::geometry {

enum class Freedom { Fixed, Circle, Free };

struct Piece {
  Freedom freedom = Freedom::Free;
  Vec3 axis = Vec3::Zero();  // Fixed: m = axis; Circle: m·axis = level
  double level = 0;
  Vec3 centre = Vec3::Zero();  // c
  Mat3 square = Mat3::Zero();  // Q
  bool round = false;          // whether Q is not zero
};

struct Pieces {
  std::array<Piece, 5> list;
  int count = 0;
  void add(const Piece& piece) { list[static_cast<std::size_t>(count++)] = piece; }
};

// All points that are farthest in some direction: a point, a segment, a disc or a face.
struct SupportFace {
  enum class Kind { Point, Segment, Disc, Polygon } kind = Kind::Point;
  Vec3 p = Vec3::Zero();  // the point, one end, or the centre
  Vec3 q = Vec3::Zero();  // the other end, or the axis of the disc
  double radius = 0;
  const Polytope* polytope = nullptr;  // of Polygon, whose face is feature.index
  Feature feature;
};

// Directions closer than this are the same where a set of support points is asked for.
inline constexpr double kParallel = 1e-10;

// Each mapping gives its support point, the pieces around a direction (centred, where there is a
// choice, next to the point `near`, so that small differences stay small), and the support set.

// Vertices of a polytope; remembers where it was, so that the next climb is short.
struct PolytopeSupport {
  const Polytope* polytope;
  int vertex = 0;

  Vec3 operator()(const Vec3& m);
  void find_pieces(const Vec3& m, const Vec3& near, Pieces& out);
  SupportFace find_set(const Vec3& m);
};

struct CylinderSupport {
  double radius, half;

  Vec3 operator()(const Vec3& m) const;
  void find_pieces(const Vec3& m, const Vec3& near, Pieces& out) const;
  SupportFace find_set(const Vec3& m) const;
  double side_level() const { return 0; }  // of the side's normals along z
};

struct ConeSupport {
  double radius, half;

  Vec3 operator()(const Vec3& m) const;
  void find_pieces(const Vec3& m, const Vec3& near, Pieces& out) const;
  SupportFace find_set(const Vec3& m) const;
  double side_level() const { return radius / std::hypot(radius, 2 * half); }
};

struct EllipsoidSupport {
  Vec3 radii;

  Vec3 operator()(const Vec3& m) const;
  void find_pieces(const Vec3& m, const Vec3& near, Pieces& out) const;
  SupportFace find_set(const Vec3& m) const;
};

// Whichever it is.
class Support {
 public:
  using Mapping = std::variant<PolytopeSupport, CylinderSupport, ConeSupport, EllipsoidSupport>;
  explicit Support(const Mapping& mapping) : mapping_(mapping) {}

  Vec3 operator()(const Vec3& m);
  void find_pieces(const Vec3& m, const Vec3& near, Pieces& out);
  SupportFace find_set(const Vec3& m);
  const Polytope* polytope() const;  // null: it is none
  std::optional<double> side_level() const;

 private:
  Mapping mapping_;
};

// The vertex farthest along m, climbing from `start`.
int climb(const Polytope& polytope, const Vec3& m, int start);

}  // namespace carom::geometry
