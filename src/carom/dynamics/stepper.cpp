#include "carom/dynamics/stepper.h"

#include <algorithm>
#include <cmath>

#include "carom/base/bytes.h"

namespace carom::dynamics {

namespace {

using math::ConstVecView;
using math::MatView;
using math::VecIn;
using math::VecView;

// Corrector of order 4 (Gear 1971, table 9.1): its first entry is the Adams–Moulton weight 3/8.
// Milne: the corrector's error in units of corrector minus predictor, from the error constants
// -19/720 and 251/720.
constexpr double kCorrector[] = {3.0 / 8, 1, 11.0 / 12, 1.0 / 3, 1.0 / 24};
constexpr double kMilne = 19.0 / 270;

ConstVecView as_const(VecView view) { return {view.data(), view.size()}; }

}  // namespace

bool Stepper::attempt(Formula formula, const RightSide& f, VecIn y, VecIn rate, double h) {
  h_ = h;
  multistep_ = formula == Formula::AdamsMoulton;
  start_.resize(y.size()) = y;
  start_rate_.resize(y.size()) = rate;
  return multistep_ && past_ > 0 ? step_on(f, y, rate, h) : step_by_halves(f, y, rate, h);
}

// Two halves against the whole: the halves' error is 1/15 of the difference.
bool Stepper::step_by_halves(const RightSide& f, VecIn y, VecIn rate, double h) {
  const auto n = y.size();
  auto once = once_.resize(n), middle = middle_.resize(n), end = end_.resize(n);
  auto middle_rate = middle_rate_.resize(n);
  if (!runge_kutta(f, 0, y, rate, h, once) || !runge_kutta(f, 0, y, rate, h / 2, middle) ||
      !f(h / 2, as_const(middle), middle_rate) ||
      !runge_kutta(f, h / 2, middle, middle_rate, h / 2, end)) {
    return false;
  }
  error_.resize(n) = (end - once) / 15;
  end += error_.view();
  return true;
}

bool Stepper::runge_kutta(const RightSide& f, double s, VecIn y, VecIn rate, double h,
                          VecView out) {
  const auto n = y.size();
  auto k2 = k2_.resize(n), k3 = k3_.resize(n), k4 = k4_.resize(n), at = argument_.resize(n);
  at = y + h / 2 * rate;
  if (!f(s + h / 2, as_const(at), k2)) return false;
  at = y + h / 2 * k2;
  if (!f(s + h / 2, as_const(at), k3)) return false;
  at = y + h * k3;
  if (!f(s + h, as_const(at), k4)) return false;
  out = y + h / 6 * (rate + 2 * k2 + 2 * k3 + k4);
  return true;
}

bool Stepper::step_on(const RightSide& f, VecIn y, VecIn rate, double h) {
  MatView z = next_.resize(y.size(), kOrder + 1);
  z = history_.view();
  z.col(0) = y;
  z.col(1) = history_step_ * rate;
  double power = 1;
  for (int k = 1; k <= kOrder; ++k) z.col(k) *= (power *= h / history_step_);
  for (int k = 0; k < kOrder; ++k) {  // Pascal's triangle by additions
    for (int j = kOrder - 1; j >= k; --j) z.col(j) += z.col(j + 1);
  }
  once_.resize(y.size()) = z.col(0);
  auto slope = k2_.resize(y.size());
  for (int i = 0; i < 2; ++i) {
    auto at = argument_.resize(y.size());
    at = z.col(0);
    if (!f(h, as_const(at), slope)) return false;
    slope = h * slope - z.col(1);
    for (int k = 0; k <= kOrder; ++k) z.col(k) += kCorrector[k] * slope;
  }
  end_.resize(y.size()) = z.col(0);
  error_.resize(y.size()) = kMilne * (end_.view() - once_.view());
  return true;
}

void Stepper::accept(VecIn y, VecIn rate) {
  if (!multistep_) return;
  if (past_ > 0) {
    history_.resize(y.size(), kOrder + 1) = next_.view();
  } else {
    begin_history(y, rate);
  }
  past_ = h_ == history_step_ ? past_ + 1 : 1;
  history_step_ = h_;
}

double Stepper::suggest(double error) const {
  if (!std::isfinite(error)) return 0.2;
  const double factor = 0.9 * std::pow(std::max(error, 1e-12), -1.0 / (kOrder + 1));
  if (error > 1) return std::clamp(factor, 0.2, 0.9);
  if (multistep_ && (factor < 1.5 || past_ <= kOrder)) return 1;
  return std::min(factor, multistep_ ? 2.0 : 4.0);
}

// Derivatives at the end of the quintic through y and y' at the start, the middle and the end of
// the step.
void Stepper::begin_history(VecIn y, VecIn rate) {
  auto z = history_.resize(y.size(), kOrder + 1);
  const auto y0 = start_.view() - y, y1 = middle_.view() - y;
  const auto d0 = h_ * start_rate_.view(), d1 = h_ * middle_rate_.view();
  const auto d2 = h_ * rate;
  z.col(0) = y;
  z.col(1) = d2;
  z.col(2) = 7 * y0 + 16 * y1 + d0 + 8 * d1 + 6 * d2;
  z.col(3) = 34 * y0 + 32 * y1 + 5 * d0 + 32 * d1 + 13 * d2;
  z.col(4) = 52 * y0 + 16 * y1 + 8 * d0 + 40 * d1 + 12 * d2;
}

void Stepper::save(std::string& bytes) const {
  base::append_bytes(bytes, past_);
  base::append_bytes(bytes, history_step_);
  const math::ConstMatView z = history_.view();
  const auto entries = past_ > 0 ? z.size() : 0;
  base::append_bytes(bytes, entries == 0 ? math::Index{0} : z.rows());
  for (math::Index i = 0; i < entries; ++i) base::append_bytes(bytes, z.data()[i]);
}

void Stepper::restore(std::string_view& bytes) {
  base::take_bytes(bytes, past_);
  base::take_bytes(bytes, history_step_);
  math::Index rows = 0;
  base::take_bytes(bytes, rows);
  MatView z = history_.resize(rows, kOrder + 1);
  for (math::Index i = 0; i < z.size(); ++i) base::take_bytes(bytes, z.data()[i]);
}

}  // namespace carom::dynamics
