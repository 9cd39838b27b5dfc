#include "carom/geometry/distance/mpr.h"

#include <algorithm>
#include <type_traits>

#include "carom/base/check.h"
#include "carom/geometry/shapes/rounded.h"

namespace carom::geometry {

namespace {

struct Task {
  const Placed& a;
  const Placed& b;
  const MprOptions& options;
};

template <typename ShapeA, typename ShapeB>
Distance refine(const ShapeA& a, const ShapeB& b, const Task& task) {
  const auto core_a = make_rounded(a, task.a.convex);
  const auto core_b = make_rounded(b, task.b.convex);
  const Pose &X_WA = task.a.X_WS, &X_WB = task.b.X_WS;
  const Quat back = X_WA.q.conjugate();
  const Pose X_AB{back * (X_WB.p - X_WA.p), back * X_WB.q};
  const double size = std::max(task.a.convex.radius, task.b.convex.radius);
  Distance out =
      PortalRefinement(core_a.support, core_b.support, X_AB, task.options.tolerance * size).run();
  const double radius_a = core_a.radius + task.options.radius_a;
  const double radius_b = core_b.radius + task.options.radius_b;
  out.value -= radius_a + radius_b;
  out.p_A = X_WA * (out.p_A - radius_a * out.normal);
  out.p_B = X_WA * (out.p_B + radius_b * out.normal);
  out.normal = X_WA.q * out.normal;
  return out;
}

}  // namespace

Distance compute_mpr(const Placed& a, const Placed& b, const MprOptions& options) {
  const Task task{a, b, options};
  return std::visit(
      [&task]<typename ShapeA, typename ShapeB>(const ShapeA& shape_a, const ShapeB& shape_b) {
        if constexpr (std::is_same_v<ShapeA, Plane> || std::is_same_v<ShapeB, Plane>) {
          base::check(false, "portals are refined between bounded shapes");
          return Distance{};
        } else {
          return refine(shape_a, shape_b, task);
        }
      },
      a.convex.shape, b.convex.shape);
}

}  // namespace carom::geometry
