#include "carom/contact/travel.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/shapes/support_patch.h"

namespace carom::contact {

namespace {

double greatest_spin(const Body& body, const BodyState& state) {
  if (!body.is_dynamic() || state.w.isZero(0)) return state.w.norm();
  const Vec3 w_P = (state.q * body.principal.q_BP).conjugate() * state.w;
  const Vec3& moments = body.principal.moments;
  return std::sqrt(moments.dot(w_P.cwiseAbs2()) / moments.minCoeff());
}

geometry::Box3 around(const Vec3& center, const Vec3& half) {
  return {center - half, center + half};
}

}  // namespace

void Travel::set(const Scene& scene, const State& state, double duration,
                 std::span<const Wrench> applied) {
  tolerance_ = scene.tolerances.gap;
  const double square = duration * duration;
  const auto fall = [&](std::size_t i) {
    const Body& body = scene.bodies[i];
    if (!body.is_dynamic()) return 0.0;
    const double more = applied.empty() ? 0 : body.inverse_mass * applied[i].force.norm();
    return (scene.gravity.norm() + more) * square;
  };
  steps_.resize(state.bodies.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const BodyState& body = state.bodies[i];
    steps_[i] = {duration * body.v, duration * greatest_spin(scene.bodies[i], body), fall(i)};
  }
}

double Travel::farthest(const Carried& shape) const {
  const Step& step = steps_[index(shape.body)];
  return step.along.norm() + step.turn * shape.lever_bound + step.fall + tolerance_;
}

double Travel::margin(const Carried& a, const Carried& b) const {
  const Step& of_a = steps_[index(a.body)];
  const Step& of_b = steps_[index(b.body)];
  return of_a.along.norm() + of_b.along.norm() + of_a.turn * a.lever_bound +
         of_b.turn * b.lever_bound + std::max(of_a.fall, of_b.fall) + tolerance_;
}

geometry::Box3 Travel::swept(const Carried& shape, const geometry::Box3& now) const {
  const Step& step = steps_[index(shape.body)];
  const Vec3 around = Vec3::Constant(step.turn * shape.lever_bound + step.fall + tolerance_);
  return {now.low + step.along.cwiseMin(0) - around, now.high + step.along.cwiseMax(0) + around};
}

geometry::Box3 tight_box(const geometry::Placed& placed) {
  const Pose& X = placed.X_WS;
  const geometry::ConvexShape& shape = placed.convex.shape;
  if (const auto* ball = std::get_if<geometry::Sphere>(&shape)) {
    return around(X.p, Vec3::Constant(ball->radius));
  }
  if (const auto* box = std::get_if<geometry::Box>(&shape)) {
    return around(X.p, X.q.toRotationMatrix().cwiseAbs() * box->half);
  }
  geometry::Box3 out;
  for (int i = 0; i < 3; ++i) {
    out.high[i] = geometry::compute_extent(placed, Vec3::Unit(i), {});
    out.low[i] = -geometry::compute_extent(placed, -Vec3::Unit(i), {});
  }
  return out;
}

}  // namespace carom::contact
