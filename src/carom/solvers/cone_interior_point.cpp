#include "carom/solvers/cone_interior_point.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {

namespace {

using math::BlockRows;
using math::Index;
using math::VecView;

constexpr int kMaxRounds = 12;      // of settling |u_t|
constexpr double kSettled = 1e-13;  // of the velocities: |u_t| as assumed and as found
constexpr int kMaxIterations = 60;  // of Newton's method in a round
constexpr double kSolved = 1e-24;   // of the mean product z·v
constexpr double kHopeless = 1;     // a residual as great as the velocities themselves
constexpr double kGood = 1e-9;      // of the same and of the residual, to count as solved
constexpr int kPatience = 15;       // iterations without a much better iterate, 2 once it is good
constexpr double kMuchBetter = 0.5;
constexpr int kRefinements = 1;
constexpr double kShyOfBoundary = 0.99;
constexpr double kOpen = 1e100;    // W of a contact that carries nothing
constexpr double kGiving = 1e-6;   // W of one that is held, beside what it carries
constexpr int kHolds = 2;          // corrections, each of which leaves a part kGiving² or so
constexpr double kHeld = 1e-14;    // of the velocities
constexpr double kCoulomb = 1e-9;  // by which a held contact may exceed its cone

// One variable is a cone of three with two that are zero; the algebra is the same.
struct Lorentz {
  static double det(const Vec3& x) {  // x₀² - |x̄|², without cancellation
    const double bar = std::hypot(x.y(), x.z());
    return (x.x() - bar) * (x.x() + bar);
  }
  static Vec3 product(const Vec3& x, const Vec3& y) {
    return {x.dot(y), x.x() * y.y() + y.x() * x.y(), x.x() * y.z() + y.x() * x.z()};
  }
  // y with x ∘ y = d
  static Vec3 divide(const Vec3& d, const Vec3& x) {
    const double first = (x.x() * d.x() - x.y() * d.y() - x.z() * d.z()) / det(x);
    return {first, (d.y() - first * x.y()) / x.x(), (d.z() - first * x.z()) / x.x()};
  }
  // How far along d from x until the boundary.
  static double step_to_boundary(const Vec3& x, const Vec3& d) {
    const double a = (d.x() - std::hypot(d.y(), d.z())) * (d.x() + std::hypot(d.y(), d.z()));
    const double b = x.x() * d.x() - x.y() * d.y() - x.z() * d.z();
    const double c = det(x);
    const double root = b * b - a * c;  // never negative for x inside, but for round-off
    const double below = -b + std::sqrt(std::max(0.0, root));
    return below > 0 ? c / below : HUGE_VAL;
  }
};

// A cone's part of a vector.
template <typename Cone>
Vec3 get(const math::VecBuffer& x, const Cone& cone) {
  const auto all = x.view();
  return cone.size == 1 ? Vec3(all[cone.first], 0, 0) : Vec3(all.segment<3>(cone.first));
}
template <typename Cone>
void put(math::VecBuffer& x, const Cone& cone, const Vec3& value) {
  auto all = x.view();
  all[cone.first] = value.x();
  if (cone.size == 3) all.segment<2>(cone.first + 1) = value.tail<2>();
}

// W x for the scaling point w̄ = (w₀, w̄₁); its inverse is the same with -w̄₁ and 1/η.
Vec3 scale_by(const Vec3& w, double eta, const Vec3& x) {
  const double inner = w.y() * x.y() + w.z() * x.z();
  const double along = x.x() + inner / (w.x() + 1);
  return eta * Vec3(w.x() * x.x() + inner, x.y() + along * w.y(), x.z() + along * w.z());
}
Vec3 mirrored(const Vec3& w) { return {w.x(), -w.y(), -w.z()}; }

// W⁻² = (2 J w̄ w̄ᵀ J - J) / η²
Mat3 inverse_square(const Vec3& w, double eta) {
  const Vec3 m = mirrored(w);
  Mat3 out = 2 * m * m.transpose();
  out(0, 0) -= 1;
  out(1, 1) += 1;
  out(2, 2) += 1;
  return out / (eta * eta);
}

}  // namespace

SolveResult ConeInteriorPoint::solve(const BlockRows& rows, math::VecIn w,
                                     std::span<const double> friction,
                                     std::span<const SlipDirection> sliding, VecView x) {
  x.setZero();
  form_cones(rows, friction, sliding);
  speed_ = place_velocities(w);
  if (cones_.empty() || speed_ == 0) return {};
  w_.view() /= speed_;
  factor_.set_pattern(rows);
  SolveResult result;
  for (int round = 0; round < kMaxRounds; ++round) {
    const SolveResult convex = iterate(rows);
    result.residual = convex.residual;
    if (!(convex.residual < kHopeless)) break;
    result.iterations += convex.iterations;
    const double moved = settle(rows);
    if (moved <= kSettled || hold(rows)) break;
    result.residual = std::max(convex.residual, moved);
    for (Cone& cone : cones_) cone.assumed = cone.found;
  }
  result.status = result.residual <= kGood ? SolveStatus::Converged : SolveStatus::IterationCap;
  write(x);
  return result;
}

void ConeInteriorPoint::form_cones(const BlockRows& rows, std::span<const double> friction,
                                   std::span<const SlipDirection> sliding) {
  cones_.clear();
  Index variables = 0;
  for (std::size_t k = 0; k < friction.size(); ++k) {
    Cone cone;
    cone.row = static_cast<Index>(3 * k);
    const double length = std::sqrt(rows.squared_norm(cone.row));
    if (length == 0) continue;
    const SlipDirection slip = sliding.empty() ? SlipDirection{} : sliding[k];
    const bool whole = friction[k] > 0 && !slip.slides();
    cone.first = variables;
    cone.size = whole ? 3 : 1;
    cone.factor = Vec3(1 / length, 1 / length, 1 / length);
    if (whole) cone.factor.x() /= friction[k];
    if (slip.slides()) {
      cone.friction = friction[k];
      cone.slip = slip;
    }
    variables += cone.size;
    cones_.push_back(cone);
  }
  for (math::VecBuffer* each : {&w_, &z_, &v_, &lambda_, &target_, &dz_, &dv_, &residual_, &best_})
    each->resize(variables);
  y_.resize(rows.dimension());
  dy_.resize(rows.dimension());
  lacking_.resize(rows.dimension());
}

double ConeInteriorPoint::place_velocities(math::VecIn w) {
  double speed = 0;
  for (const Cone& cone : cones_) {
    const Vec3 at = cone.factor.cwiseProduct(Vec3(w.segment<3>(cone.row)));
    put(w_, cone, at);
    speed = std::max(speed, cone.size == 1 ? std::abs(at.x()) : at.cwiseAbs().maxCoeff());
  }
  return speed;
}

// The answer without cones, z = -v, moved along e into them.
bool ConeInteriorPoint::start(const BlockRows& rows) {
  for (Cone& cone : cones_) {
    cone.w = Vec3::UnitX();
    cone.eta = 1;
    put(z_, cone, Vec3::Zero());
    put(v_, cone, Vec3::Zero());
    put(target_, cone, Vec3::Zero());
  }
  measure(rows);
  factor_.clear();
  for (const Cone& cone : cones_) {
    const Mat3 D = cone.factor.cwiseAbs2().asDiagonal();
    factor_.add(rows, cone.row, D.topLeftCorner(cone.size, cone.size));
  }
  if (!factor_.factor()) return false;
  find_direction(rows, 1);
  double outside_z = -HUGE_VAL, outside_v = -HUGE_VAL;
  for (const Cone& cone : cones_) {
    const Vec3 z = get(dz_, cone);
    const double bar = std::hypot(z.y(), z.z());
    outside_z = std::max(outside_z, bar - z.x());
    outside_v = std::max(outside_v, bar + z.x());
  }
  for (const Cone& cone : cones_) {
    const Vec3 z = get(dz_, cone);
    put(z_, cone, z + std::max(0.0, 1 + outside_z) * Vec3::UnitX());
    put(v_, cone, std::max(0.0, 1 + outside_v) * Vec3::UnitX() - z);
  }
  return true;
}

SolveResult ConeInteriorPoint::iterate(const BlockRows& rows) {
  best_.view().setZero();
  if (!start(rows)) return {SolveStatus::IterationCap, 0, HUGE_VAL};
  SolveResult result{SolveStatus::IterationCap, 0, HUGE_VAL};
  for (int since_best = 0; result.iterations < kMaxIterations; ++result.iterations) {
    watched_.poll();
    const double merit = measure(rows);
    if (merit < result.residual) {
      if (merit < kMuchBetter * result.residual) since_best = 0;
      result.residual = merit;
      best_.view() = z_.view();
    }
    const int patience = result.residual <= kGood ? 2 : kPatience;
    if (gap_ <= kSolved || ++since_best > patience || !set_scaling(rows)) break;
    aim(0, false);
    find_direction(rows, 1);
    const double affine = std::min(1.0, longest_step());
    const double centre = std::pow(1 - affine, 3);
    aim(centre * gap_, true);
    find_direction(rows, 1 - centre);
    const double step = std::min(1.0, kShyOfBoundary * longest_step());
    z_.view() += step * dz_.view();
    v_.view() += step * dv_.view();
  }
  if (result.residual <= kGood) result.status = SolveStatus::Converged;
  return result;
}

// How far |u_t|, and the normal impulses under a known slip, are from what was assumed.
double ConeInteriorPoint::settle(const BlockRows& rows) {
  z_.view() = best_.view();
  measure(rows);
  double moved = 0;
  for (Cone& cone : cones_) {
    const Vec3 velocity = get(v_, cone) - get(residual_, cone);
    const double found =
        cone.slip.slides() ? get(z_, cone).x() : std::hypot(velocity.y(), velocity.z());
    moved = std::max(moved, std::abs(found - cone.assumed));
    cone.found = found;
  }
  return moved;
}

// From the last iterate, impulses that hold every contact which carries one: none slides but where
// its slip is known. They differ from the iterate's by as little as possible beside what each
// carries, so that those in the middle of narrow cones stay in them. True if the cones allow it.
bool ConeInteriorPoint::hold(const BlockRows& rows) {
  factor_.clear();
  for (Cone& cone : cones_) {
    cone.assumed = cone.slip.slides() ? cone.found : 0;
    const double carried = get(z_, cone).x();
    const bool open = !(get(v_, cone).x() <= carried) || !(carried > 0);
    cone.w = Vec3::UnitX();
    cone.eta = open ? kOpen : kGiving / carried;
    put(target_, cone, Vec3::Zero());
    if (open) {
      put(z_, cone, Vec3::Zero());
      continue;
    }
    put(v_, cone, Vec3::Zero());
    const Mat3 D = (cone.factor / cone.eta).cwiseAbs2().asDiagonal();
    factor_.add(rows, cone.row, D.topLeftCorner(cone.size, cone.size));
  }
  if (!factor_.factor()) return false;
  for (int i = 0; i < kHolds; ++i) {
    measure(rows);
    find_direction(rows, 1);
    z_.view() += dz_.view();
  }
  measure(rows);
  const bool held = std::all_of(cones_.begin(), cones_.end(), [&](const Cone& cone) {
    const Vec3 z = get(z_, cone), u = get(v_, cone) - get(residual_, cone);
    if (cone.slip.slides() && std::abs(z.x() - cone.assumed) > kSettled) return false;
    if (cone.eta == kOpen) return u.x() >= -kHeld;
    return std::hypot(z.y(), z.z()) <= (1 + kCoulomb) * z.x() && u.cwiseAbs().maxCoeff() <= kHeld;
  });
  if (held) best_.view() = z_.view();
  return held;
}

// y = R̂ᵀ z with friction against known slips, residual = v - ŵ - |u_t| e₀ - R̂ y.
double ConeInteriorPoint::measure(const BlockRows& rows) {
  auto y = y_.view();
  y.setZero();
  for (const Cone& cone : cones_) {
    const Vec3 x = cone.factor.cwiseProduct(get(z_, cone));
    for (int i = 0; i < cone.size; ++i) rows.add_to(y, cone.row + i, x[i]);
    if (!cone.slip.slides()) continue;
    const double friction = cone.friction * cone.factor.x() * cone.assumed;
    rows.add_to(y, cone.row + 1, -friction * cone.slip.first);
    rows.add_to(y, cone.row + 2, -friction * cone.slip.second);
  }
  double worst = 0;
  gap_ = 0;
  for (const Cone& cone : cones_) {
    const Vec3 v = get(v_, cone);
    const Vec3 z = get(z_, cone);
    gap_ += v.dot(z) / static_cast<double>(cones_.size());
    Vec3 miss = v - get(w_, cone);
    for (int i = 0; i < cone.size; ++i) miss[i] -= cone.factor[i] * rows.dot(cone.row + i, y);
    if (!cone.slip.slides()) miss.x() -= cone.assumed;
    put(residual_, cone, miss);
    worst = std::max(worst, miss.cwiseAbs().maxCoeff());
  }
  return std::isfinite(gap_) ? std::max(worst, gap_) : HUGE_VAL;
}

// Nesterov and Todd's W with W z = W⁻¹ v = λ, cone by cone, and the factor of I + R̂ᵀ W⁻² R̂.
bool ConeInteriorPoint::set_scaling(const BlockRows& rows) {
  factor_.clear();
  for (Cone& cone : cones_) {
    const Vec3 v = get(v_, cone);
    const Vec3 z = get(z_, cone);
    const double det_v = Lorentz::det(v), det_z = Lorentz::det(z);
    if (!(det_v > 0) || !(det_z > 0)) return false;
    const Vec3 unit_v = v / std::sqrt(det_v), unit_z = z / std::sqrt(det_z);
    const double gamma = std::sqrt((1 + unit_v.dot(unit_z)) / 2);
    cone.w = (unit_v + mirrored(unit_z)) / (2 * gamma);
    cone.eta = std::pow(det_v / det_z, 0.25);
    put(lambda_, cone, scale_by(cone.w, cone.eta, z));
    Mat3 D = inverse_square(cone.w, cone.eta);
    D = cone.factor.asDiagonal() * D * cone.factor.asDiagonal();
    factor_.add(rows, cone.row, D.topLeftCorner(cone.size, cone.size));
  }
  return factor_.factor();
}

// target = λ \ (centre e - λ∘λ - [W⁻¹Δv ∘ WΔz])
void ConeInteriorPoint::aim(double centre, bool second_order) {
  for (const Cone& cone : cones_) {
    const Vec3 lambda = get(lambda_, cone);
    Vec3 d = centre * Vec3::UnitX() - Lorentz::product(lambda, lambda);
    if (second_order) {
      const Vec3 dv = scale_by(mirrored(cone.w), 1 / cone.eta, get(dv_, cone));
      const Vec3 dz = scale_by(cone.w, cone.eta, get(dz_, cone));
      d -= Lorentz::product(dv, dz);
    }
    put(target_, cone, Lorentz::divide(d, lambda));
  }
}

// WΔz + W⁻¹Δv = target, Δv = R̂Δy - part·residual, Δy = R̂ᵀΔz.
void ConeInteriorPoint::find_direction(const BlockRows& rows, double part) {
  auto dy = dy_.view();
  dy.setZero();
  for (const Cone& cone : cones_) {
    const Vec3 inverse = mirrored(cone.w);
    const Vec3 target = get(target_, cone);
    const Vec3 miss = part * get(residual_, cone);
    const Vec3 push =
        scale_by(inverse, 1 / cone.eta, target + scale_by(inverse, 1 / cone.eta, miss));
    put(dz_, cone, push);
    for (int i = 0; i < cone.size; ++i) rows.add_to(dy, cone.row + i, cone.factor[i] * push[i]);
  }
  factor_.solve_in_place(dy);
  push_back(rows, dy);
  for (int i = 0; i < kRefinements; ++i) refine(rows);
  for (const Cone& cone : cones_) {
    Vec3 moved = Vec3::Zero();
    for (int i = 0; i < cone.size; ++i) moved[i] = cone.factor[i] * rows.dot(cone.row + i, dy);
    put(dv_, cone, moved - part * get(residual_, cone));
  }
}

// Δz -= W⁻² R̂ δ
void ConeInteriorPoint::push_back(const BlockRows& rows, math::VecIn delta) {
  for (const Cone& cone : cones_) {
    const Vec3 inverse = mirrored(cone.w);
    Vec3 moved = Vec3::Zero();
    for (int i = 0; i < cone.size; ++i) moved[i] = cone.factor[i] * rows.dot(cone.row + i, delta);
    const Vec3 back = scale_by(inverse, 1 / cone.eta, scale_by(inverse, 1 / cone.eta, moved));
    put(dz_, cone, get(dz_, cone) - back);
  }
}

// Near the boundary of a cone W⁻² is large in one direction and small in another: what Δy lacks of
// R̂ᵀΔz is solved for again.
void ConeInteriorPoint::refine(const BlockRows& rows) {
  auto lacking = lacking_.view();
  lacking = -dy_.view();
  for (const Cone& cone : cones_) {
    const Vec3 dz = get(dz_, cone);
    for (int i = 0; i < cone.size; ++i) {
      rows.add_to(lacking, cone.row + i, cone.factor[i] * dz[i]);
    }
  }
  factor_.solve_in_place(lacking);
  dy_.view() += lacking;
  push_back(rows, lacking);
}

double ConeInteriorPoint::longest_step() const {
  double longest = HUGE_VAL;
  for (const Cone& cone : cones_) {
    const Vec3 lambda = get(lambda_, cone);
    const Vec3 dz = scale_by(cone.w, cone.eta, get(dz_, cone));
    const Vec3 dv = scale_by(mirrored(cone.w), 1 / cone.eta, get(dv_, cone));
    longest = std::min(
        {longest, Lorentz::step_to_boundary(lambda, dz), Lorentz::step_to_boundary(lambda, dv)});
  }
  return longest;
}

void ConeInteriorPoint::write(VecView x) const {
  for (const Cone& cone : cones_) {
    const Vec3 z = speed_ * cone.factor.cwiseProduct(get(best_, cone));
    x[cone.row] = z.x();
    x[cone.row + 1] = cone.size == 3 ? z.y() : -cone.friction * cone.slip.first * z.x();
    x[cone.row + 2] = cone.size == 3 ? z.z() : -cone.friction * cone.slip.second * z.x();
  }
}

}  // namespace carom::solvers
