#include "carom/model/solid_mesh.h"

#include "carom/geometry/shapes/convex_decomposition.h"

namespace carom::model {

namespace {

using geometry::DecompositionStatus;

void report(DecompositionStatus status, Problems& problems) {
  switch (status) {
    case DecompositionStatus::Done:
      return;
    case DecompositionStatus::NotClosed:
      return problems.add("file", "a mesh with a boundary on a dynamic body",
                          R"(a closed mesh, or "motion": "fixed" or "driven")");
    case DecompositionStatus::InsideOut:
      return problems.add("file", "a mesh that faces inwards or encloses nothing",
                          "triangles that run counter-clockwise seen from outside");
    case DecompositionStatus::TooManyPieces:
      return problems.add(
          "file", "a mesh of more than " + std::to_string(geometry::kMaxPieces) + " convex pieces",
          "a simpler one, or several hulls");
    case DecompositionStatus::Inconsistent:
      return problems.add("file", "a mesh that cuts through itself", "the surface of a solid");
  }
}

}  // namespace

std::vector<geometry::Shape> make_solid_shapes(const geometry::Mesh& mesh, bool collide,
                                               Problems& problems) {
  if (!collide) {
    const DecompositionStatus status = geometry::check_solid(*mesh.surface);
    report(status, problems);
    if (status != DecompositionStatus::Done) return {};
    return {mesh};
  }
  const geometry::Decomposition decomposition = geometry::decompose(*mesh.surface);
  report(decomposition.status, problems);
  std::vector<geometry::Shape> hulls;
  for (const auto& piece : decomposition.pieces) hulls.emplace_back(geometry::Hull{piece});
  return hulls;
}

}  // namespace carom::model
