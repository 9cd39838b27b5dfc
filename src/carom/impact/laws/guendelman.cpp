#include "carom/impact/laws/guendelman.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/impact/dissipation.h"

namespace carom::impact {

namespace {

using contact::ContactProblem;
using math::Index;

constexpr double kApproach = 1e-12;  // beside the fastest contact, in the energy metric
constexpr double kSingular = 1e-12;  // a determinant beside the product of its diagonal
constexpr double kSlips = 1e-12;     // beside the normal speed

// One contact at this moment: u and K over (normal, tangent, tangent).
struct ContactState {
  Vec3 u = Vec3::Zero();
  Mat3 K = Mat3::Zero();
  double restitution = 0, friction = 0;
};

struct Impulse {
  Vec3 value = Vec3::Zero();
  bool bounded = false;  // less than the paper's
};

ContactState read_contact(const ImpactWorkspace& work, Index contact) {
  ContactState at;
  for (Index i = 0; i < 3; ++i) {
    at.u[i] = row_velocity(work, 3 * contact + i);
    for (Index j = 0; j <= i; ++j)
      at.K(i, j) = at.K(j, i) = work.island.rows().dot(3 * contact + i, 3 * contact + j);
  }
  at.restitution = work.restitution[static_cast<std::size_t>(contact)];
  at.friction = work.friction[static_cast<std::size_t>(contact)];
  return at;
}

// Energy changes by ½(u'ᵀK⁻¹u' - uᵀK⁻¹u), u' = -e u_n n. K is singular where joints leave a tangent
// nothing to move: then the contact is left to slide.
bool find_sticking(const ContactState& at, bool bound, Impulse& found) {
  if (at.K.determinant() <= kSingular * at.K.diagonal().prod()) return false;
  const Mat3 inverse = at.K.inverse();
  const Vec3 of_normal = inverse.col(0);
  const Vec3 of_velocity = inverse * at.u;
  double e = at.restitution;
  if (bound) {
    const double most =
        std::sqrt(std::max(0.0, at.u.dot(of_velocity) / of_normal.x())) / std::abs(at.u.x());
    found.bounded = std::abs(e) > most;
    e = std::clamp(e, -most, most);
  }
  found.value = -e * at.u.x() * of_normal - of_velocity;
  return found.value.x() > 0 && found.value.tail<2>().norm() <= at.friction * found.value.x();
}

// Where a contact slides, or would be driven by the normal impulse.
Vec3 sliding_direction(const ContactState& at) {
  Vec3 slip(0, at.u.y(), at.u.z());
  if (slip.norm() <= kSlips * std::abs(at.u.x())) slip = Vec3(0, at.K(1, 0), at.K(2, 0));
  return slip.norm() > 0 ? Vec3(slip.normalized()) : Vec3::Zero();
}

Impulse slide(const ContactState& at, bool bound) {
  Vec3 direction = Vec3::UnitX() - at.friction * sliding_direction(at);
  double effect = at.K.row(0).dot(direction);
  if (effect <= kSlips * at.K(0, 0)) {
    direction = Vec3::UnitX();
    effect = at.K(0, 0);
  }
  Impulse found{-(1 + at.restitution) * at.u.x() / effect * direction};
  if (!bound) return found;
  const double part = -2 * found.value.dot(at.u) / found.value.dot(at.K * found.value);
  found.bounded = part < 1;
  found.value *= std::clamp(part, 0.0, 1.0);
  return found;
}

Impulse compute_impulse(const ContactState& at, bool bound) {
  Impulse found;
  if (at.friction > 0 && find_sticking(at, bound, found)) return found;
  return slide(at, bound);
}

struct Sweep {
  double tolerance = 0;  // of approach, in unit rows
  bool bound = true;
  bool collision = true;
  double restitution = 0;  // of contact sweeps
};

bool sweep(const Sweep& options, ImpactWorkspace& work, Fallbacks& fallbacks) {
  bool pushed = false;
  for (const std::int32_t row : work.normals) {
    if (unit_velocity(work, row) >= -options.tolerance) continue;
    pushed = true;
    ContactState at = read_contact(work, row / 3);
    if (!options.collision) at.restitution = options.restitution;
    const Impulse impulse = compute_impulse(at, options.bound);
    fallbacks.energy_bound += impulse.bounded ? 1 : 0;
    for (Index i = 0; i < 3; ++i) push(work, row + i, impulse.value[i]);
  }
  return pushed;
}

ImpactResult resolve_island(const Guendelman& law, ImpactWorkspace& work) {
  ImpactResult result;
  Sweep options{.tolerance = kApproach * fastest_contact(work),
                .bound = law.energy == Guendelman::Energy::Bounded};
  const int sweeps = law.collision_sweeps + law.contact_sweeps;
  for (int i = 0; i < sweeps; ++i) {
    work.watched.poll();
    const int contact_sweep = i - law.collision_sweeps;
    options.collision = contact_sweep < 0;
    options.restitution = (contact_sweep + 1.0) / law.contact_sweeps - 1;
    if (!sweep(options, work, result.fallbacks)) break;
    ++result.iterations;
  }
  recompute_y(work);
  if (finish(work, {.epsilon = kApproach}) > 0) ++result.fallbacks.inelastic_end;
  result.residual = greatest_approach(work);
  return result;
}

}  // namespace

ImpactResult resolve(const Guendelman& law, const ContactProblem& problem, ImpactWorkspace& work,
                     contact::Impulses& out) {
  return resolve_islands(
      problem, law.lineality, [&](ImpactWorkspace& island) { return resolve_island(law, island); },
      work, out);
}

}  // namespace carom::impact
