#include "carom/impact/impulse_space/restitution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::impact {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// The first d with speed·d + lifting·d²/2 = work, in a form that loses no digits.
double distance_of_work(double work, double speed, double lifting) {
  const double square = speed * speed + 2 * lifting * work;
  if (square < 0 || speed + std::sqrt(square) <= 0) return kNever;
  return 2 * work / (speed + std::sqrt(square));
}

}  // namespace

void RestitutionRule::start(double impulse, double stored) {
  switch (kind_) {
    case Restitution::Poisson:
      end_ = (1 + e_) * impulse;
      break;
    case Restitution::Stronge:
      end_ = e_ * e_ * stored;
      break;
    case Restitution::Newton:
      end_ = e_ * approach_speed_;
      break;
  }
}

double RestitutionRule::left(const NormalState& at) const {
  switch (kind_) {
    case Restitution::Poisson:
      return end_ - at.impulse;
    case Restitution::Stronge:
      return end_ - at.released;
    case Restitution::Newton:
      return end_ - at.speed;
  }
  return 0;
}

double RestitutionRule::counting_rate(double speed, double lifting) const {
  switch (kind_) {
    case Restitution::Poisson:
      return 1;
    case Restitution::Stronge:
      return speed;
    case Restitution::Newton:
      return lifting;
  }
  return 0;
}

double RestitutionRule::left_on_line(const NormalState& at, double lifting) const {
  const double counted = std::max(0.0, left(at));
  if (counted == 0 || kind_ == Restitution::Poisson) return counted;
  if (kind_ == Restitution::Stronge) return distance_of_work(counted, at.speed, lifting);
  return lifting > 0 ? counted / lifting : kNever;
}

}  // namespace carom::impact
