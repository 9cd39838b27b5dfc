#include "carom/impact/laws/frictional.h"

#include <algorithm>
#include <cmath>

#include "carom/impact/dissipation.h"

namespace carom::impact {

namespace {

using math::BlockRows;
using math::Index;

Mat3 collision_matrix(const BlockRows& rows, Index normal) {
  Mat3 K;
  for (const int i : {0, 1, 2}) {
    for (int j = i; j < 3; ++j) K(i, j) = K(j, i) = rows.dot(normal + i, normal + j);
  }
  return K;
}

Vec3 contact_velocity(const ImpactWorkspace& work, Index normal) {
  return {row_velocity(work, normal), row_velocity(work, normal + 1),
          row_velocity(work, normal + 2)};
}

// One island: which contacts approach, and what to do about one of them.
class Propagation {
 public:
  Propagation(const Frictional& law, ImpactWorkspace& work) : law_(law), work_(work) {
    work_.tournament.reset(work_.normals.size());
    for (const std::int32_t normal : work_.normals) look_at(normal);
  }

  bool done() const { return work_.tournament.empty(); }
  const Fallbacks& fallbacks() const { return fallbacks_; }

  void treat_next() {
    const auto normal = static_cast<Index>(3 * work_.tournament.winner());
    const Vec3 impulse = respond(normal);
    for (const int i : {0, 1, 2}) push(work_, normal + i, impulse[i]);
    look_around(normal);
  }

 private:
  Vec3 respond(Index normal) {
    const auto contact = static_cast<std::size_t>(normal / 3);
    const Collision collision{collision_matrix(work_.island.rows(), normal),
                              contact_velocity(work_, normal), work_.friction[contact],
                              work_.restitution[contact], law_.restitution};
    if (-collision.u.x() < law_.microcollision_speed) {
      const auto reversal = find_reversal(collision.K, collision.u, collision.friction);
      if (reversal) return *reversal;
    }
    return find_impulse(collision, fallbacks_);
  }

  void look_around(Index normal) {
    const BlockRows& rows = work_.island.rows();
    for (const int part : {0, 1}) {
      if (rows.stretch_of(normal, part) == BlockRows::kNone) continue;
      for (const std::int32_t row : rows.rows_on(rows.stretch_of(normal, part))) {
        if (row % 3 == 0) look_at(row);
      }
    }
  }

  void look_at(Index normal) {
    const double length = std::sqrt(work_.island.rows().squared_norm(normal));
    work_.tournament.set(static_cast<std::size_t>(normal / 3),
                         approaches(work_, normal, law_.epsilon)
                             ? row_velocity(work_, normal) / length
                             : IndexedMinimum::kOut);
  }

  const Frictional& law_;
  ImpactWorkspace& work_;
  Fallbacks fallbacks_;
};

ImpactResult resolve_island(const Frictional& law, ImpactWorkspace& work) {
  const auto budget = law.impulses_per_contact * static_cast<int>(work.normals.size());
  ImpactResult result;
  Propagation propagation(law, work);
  for (; !propagation.done() && result.iterations < budget; ++result.iterations)
    propagation.treat_next();
  recompute_y(work);
  result.fallbacks = propagation.fallbacks();
  if (!propagation.done()) {
    ++result.fallbacks.inelastic_end;
    finish(work, {.epsilon = law.epsilon});
  }
  result.residual = greatest_approach(work);
  return result;
}

}  // namespace

ImpactResult resolve(const Frictional& law, const contact::ContactProblem& problem,
                     ImpactWorkspace& work, contact::Impulses& out) {
  return resolve_each_island(
      problem, [&](const contact::Island&) { return resolve_island(law, work); }, work, out);
}

}  // namespace carom::impact
