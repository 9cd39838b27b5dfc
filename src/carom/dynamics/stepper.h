// One step at a time of y' = f(s, y), with an estimate of its error, for methods that look at every
// step before they accept it. Two formulas of order 4:
//
//   Runge–Kutta      the classical one, once over the step and twice over its halves; the halves'
//                    result with the leading error taken out, which is also the estimate
//   Adams–Moulton    in Nordsieck's form (Nordsieck 1962; Gear 1971), corrected twice, the error by
//   Milne's
//                    device; begins with a step of the other after every restart()
//
// Allocates nothing once warm.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "carom/math/buffers.h"

namespace carom::dynamics {

enum class Formula { RungeKutta, AdamsMoulton };

// False where f cannot be evaluated: the step is then no good.
using RightSide = std::function<bool(double s, math::ConstVecView y, math::VecView rate)>;

class Stepper {
 public:
  // Forgets the past: after a jump of y or f.
  void restart() { past_ = 0; }

  // A step of size h from y, where f is `rate`. Its end is in end() and its error in error(),
  // component by component. False where f failed.
  bool attempt(Formula formula, const RightSide& f, math::VecIn y, math::VecIn rate, double h);
  math::ConstVecView end() const { return end_.view(); }
  math::ConstVecView error() const { return error_.view(); }

  // How much longer or shorter the next step may be, given the error of this one in tolerances: of
  // a multistep formula not longer until its past comes from steps of one size, and not by a
  // little, which would bring more noise than gain.
  double suggest(double error) const;

  // The step last attempted is taken, to y (end(), or near it) with f there.
  void accept(math::VecIn y, math::VecIn rate);

  // As bytes, for checkpoints.
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  static constexpr int kOrder = 4;
  bool step_by_halves(const RightSide& f, math::VecIn y, math::VecIn rate, double h);
  bool runge_kutta(const RightSide& f, double s, math::VecIn y, math::VecIn rate, double h,
                   math::VecView out);
  bool step_on(const RightSide& f, math::VecIn y, math::VecIn rate, double h);
  void begin_history(math::VecIn y, math::VecIn rate);

  int past_ = 0;  // 0: nothing is known; n: history_ holds the last step, n of one size in a row
  bool multistep_ = false;
  double h_ = 0;             // s; length of the attempt
  double history_step_ = 0;  // s; the step that history_ is scaled to
  math::VecBuffer start_, start_rate_, middle_, middle_rate_, end_, once_, error_;
  math::VecBuffer k2_, k3_, k4_, argument_;
  math::MatBuffer history_, next_;  // column k: hᵏ y⁽ᵏ⁾ / k!
};

}  // namespace carom::dynamics
