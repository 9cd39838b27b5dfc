// When the restitution of an impact is over. Poisson: the normal impulse has grown to (1 + e) times
// what compressed the contact. Stronge: its work gave back e² of what compression stored. Newton:
// the contact separates at e times the speed of its approach; with friction that can gain energy,
// so it is here for comparison and no law offers it.
#pragma once

namespace carom::impact {

enum class Restitution { Poisson, Stronge, Newton };

// Where an impact is, along its normal.
struct NormalState {
  double impulse = 0;
  double speed = 0;
  double released = 0;  // work of the normal impulse in restitution
};

class RestitutionRule {
 public:
  RestitutionRule(Restitution kind, double coefficient, double approach_speed)
      : kind_(kind), e_(coefficient), approach_speed_(approach_speed) {}

  // Maximum compression: `stored` is the work that was put in until here.
  void start(double impulse, double stored);

  // What the rule still counts; not positive: it is over.
  double left(const NormalState& at) const;

  // How fast that falls with the normal impulse, if the normal speed changes by `lifting` with it.
  double counting_rate(double speed, double lifting) const;
  bool counts_work() const { return kind_ == Restitution::Stronge; }

  // How much more normal impulse that takes if the normal speed changes by `lifting` for each unit
  // of it; infinite if it never ends.
  double left_on_line(const NormalState& at, double lifting) const;

 private:
  Restitution kind_;
  double e_, approach_speed_;
  double end_ = 0;
};

}  // namespace carom::impact
