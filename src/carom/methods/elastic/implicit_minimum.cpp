// Newton's method for the convex function whose minimum gives the impulses.
#include <algorithm>
#include <cmath>

#include "carom/methods/elastic/implicit_impulses.h"

namespace carom::methods {

namespace {

constexpr int kMostNewton = 60;    // steps in one round
constexpr int kMostHalvings = 30;  // of a Newton step
constexpr double kArmijo = 1e-4;   // of the decrease that the gradient promises

}  // namespace

Vec3 ImplicitImpulses::rates(const Contact& contact, math::VecIn u) const {
  return {contact.before[0] + rows_.dot(contact.row, u),
          contact.before[1] + rows_.dot(contact.row + 1, u),
          contact.before[2] + rows_.dot(contact.row + 2, u)};
}

double ImplicitImpulses::gap_ahead(const Contact& contact, double opening) const {
  return contact.measured_gap + h_ * (opening - contact.measured_rate);
}

double ImplicitImpulses::potential(math::VecIn u) {
  double sum = 0.5 * u.squaredNorm();
  for (const Contact& contact : contacts_) {
    const Vec3 rate = rates(contact, u);
    const PairLaw& law = contact.spring.law;
    const double depth = -gap_ahead(contact, rate.x());
    if (depth > 0) sum += normal_force(law, depth, {1, 0}).value * depth / (law.exponent + 1);
    sum += h_ * law.friction * contact.load * std::hypot(rate.y(), rate.z(), least_slip_);
  }
  for (const Hold& hold : holds_) {
    const double rate = hold.before + rows_.dot(hold.row, u);
    const double error = hold.error + h_ * (rate - hold.error_rate);
    sum += 0.5 * hold.stiffness * error * error;
  }
  return sum;
}

void ImplicitImpulses::linearise(math::VecIn u) {
  for (Contact& contact : contacts_) {
    const Vec3 rate = rates(contact, u);
    const NormalForce push =
        normal_force(contact.spring.law, -gap_ahead(contact, rate.x()), {1, 0});
    const double slip = std::hypot(rate.y(), rate.z(), least_slip_);
    const double drag = h_ * contact.spring.law.friction * contact.load / slip;
    contact.pushed = {h_ * push.value, -drag * rate.y(), -drag * rate.z()};
    contact.weights = {h_ * h_ * push.by_depth, drag * std::pow(least_slip_ / slip, 2), drag};
  }
  for (Hold& hold : holds_) {
    const double rate = hold.before + rows_.dot(hold.row, u);
    hold.pushed = -h_ * hold.stiffness * (hold.error + h_ * (rate - hold.error_rate));
  }
}

// Friction's second derivatives are those along the slip and those across it.
void ImplicitImpulses::align_tangents(math::VecIn u) {
  for (Contact& contact : contacts_) {
    const Vec3 rate = rates(contact, u);
    const double slip = std::hypot(rate.y(), rate.z());
    if (!(contact.load > 0) || !(slip > 0)) continue;
    const double c = rate.y() / slip, s = rate.z() / slip;
    for (const int part : {0, 1}) {
      if (rows_.stretch_of(contact.row, part) < 0) continue;
      const math::Vec6 first = rows_.part(contact.row + 1, part);
      const math::Vec6 second = rows_.part(contact.row + 2, part);
      rows_.part(contact.row + 1, part) = c * first + s * second;
      rows_.part(contact.row + 2, part) = c * second - s * first;
    }
    const double first = contact.before[1], second = contact.before[2];
    contact.before[1] = c * first + s * second;
    contact.before[2] = c * second - s * first;
    const Vec3 had = contact.impulse;
    contact.impulse.y() = c * had.y() + s * had.z();
    contact.impulse.z() = c * had.z() - s * had.y();
  }
}

// Newton's, at u_, whose gradient it leaves behind. False where nothing can be gained.
bool ImplicitImpulses::find_direction() {
  const auto u = u_.view();
  align_tangents(u);
  linearise(u);
  auto gradient = gradient_.view();
  gradient = u;
  factor_.clear(1);
  for (const Contact& contact : contacts_) {
    for (int k = 0; k < 3; ++k) {
      rows_.add_to(gradient, contact.row + k, -contact.pushed[k]);
      if (contact.weights[k] > 0) factor_.add(rows_, contact.row + k, contact.weights[k]);
    }
  }
  for (const Hold& hold : holds_) {
    rows_.add_to(gradient, hold.row, -hold.pushed);
    factor_.add(rows_, hold.row, h_ * h_ * hold.stiffness);
  }
  if (!(gradient.norm() > enough_)) return false;
  auto direction = direction_.view();
  direction = -gradient;
  if (!factor_.factor()) return false;
  factor_.solve_in_place(direction);
  return direction.allFinite();
}

// Newton's step Δu solves u + Δu = Rᵀ (p - W R Δu) for the impulses p and their slopes W: those on
// the right are its impulses. So u = Rᵀ of the impulses all along, and momentum is exact even where
// the search is left early; and what is moved is never more than what the potential allows.
void ImplicitImpulses::move_impulses(double part) {
  const auto direction = direction_.view();
  for (Contact& contact : contacts_) {
    const Vec3 turned(rows_.dot(contact.row, direction), rows_.dot(contact.row + 1, direction),
                      rows_.dot(contact.row + 2, direction));
    const Vec3 aim = contact.pushed - contact.weights.cwiseProduct(turned);
    contact.impulse += part * (aim - contact.impulse);
  }
  for (Hold& hold : holds_) {
    const double weight = h_ * h_ * hold.stiffness;
    const double aim = hold.pushed - weight * rows_.dot(hold.row, direction);
    hold.impulse += part * (aim - hold.impulse);
  }
}

void ImplicitImpulses::minimise() {
  auto u = u_.view();
  double here = potential(u);
  for (int i = 0; i < kMostNewton && find_direction(); ++i) {
    const double slope = gradient_.view().dot(direction_.view());
    double part = 1, there = here;
    auto trial = trial_.view();
    for (int k = 0; k < kMostHalvings; ++k, part /= 2) {
      trial = u + part * direction_.view();
      there = potential(trial);
      if (there <= here + kArmijo * part * slope) break;
    }
    if (!(there < here)) break;
    move_impulses(part);
    u = trial;
    here = there;
  }
  u.setZero();
  for (const Contact& contact : contacts_)
    for (int k = 0; k < 3; ++k) rows_.add_to(u, contact.row + k, contact.impulse[k]);
  for (const Hold& hold : holds_) rows_.add_to(u, hold.row, hold.impulse);
}

}  // namespace carom::methods
