// What the length of a fixed step costs, or the height of hops: now and then some steps, eight but
// for the first times, are made beside it, which they do not touch, and once more as twice as many
// halves, and where the bodies end up is compared.
//
// The difference d is half the error, where that is of first order in the length h of a step, as of
// methods that hold forces constant over a step. Positions are taken in radii of the body, turns in
// radians, and with them what velocities that are off will have moved the body by within the second
// in which they add up, half a second times their difference. Of the body for which it is greatest
// the error a second over n steps is
//
//     2 d / (n h),
//
// whose mean over the samples is what the run has. It falls with h: kTolerance / error times the
// step would do. Where something collides, begins to touch or parts, nothing is compared: what that
// costs does not add up step by step. Of bodies that turn fast in contact a part of d does not add
// up either, so that the estimate is rather too large.
//
// Where bodies at rest hop, frames with hops of a quarter of the height take the place of halves.
// What hops get wrong goes with the root of their height h
// (docs/methods/figures/microcollision.md), so that the error is 2 d again, and h (kTolerance /
// error)² would do. Velocities are those of a hop and say nothing; places are off by about three
// hops, whatever the time, which therefore is so long that this is little. An impact counts as
// something that happens where it is faster than what rocks in hops.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "carom/simulation/beside.h"

namespace carom::simulation {

class StepError {
 public:
  // A hundredth of a radius or of a radian a second: what is drawn in a picture of the run is then
  // in the right place.
  static constexpr double kTolerance = 1e-2;

  StepError(const Scene& scene, base::Workers& workers, const dynamics::ProgramForces& program);
  ~StepError();

  void set_step(double length) { asked_ = length; }  // of the method that is judged

  // Before step number n: these are 1, 64, 512 and every 512th from then on, which is 5 % more
  // work; with automatic steps every 64th. Of frames that are compared f at a time, which takes as
  // long as 3 f of them, 5 f, 25 f, 125 f and every 125 f.
  bool is_due(std::int64_t n) const { return applies_ && n >= next_; }

  // Steps of this length, from `start`, where the method's memory is `memory`.
  void sample(std::int64_t n, const State& start, std::string_view memory, double step);

  // The longest step that is good enough at `start`, found by halving the usual one.
  double choose_first(const State& start, std::string_view memory);
  // What the last sample asks for instead of `step`: as often halved as the error wants, or doubled
  // where it would still be good; not longer than the method's usual step.
  double adapt(double step);

  record::StepError result() const;

  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  // What the second method does from a state on.
  struct Trial {
    const State& start;
    std::string_view memory;
    int steps;
    double step;  // s
  };
  class HardImpacts;
  struct LowerHops;
  int steps_of_sample(std::int64_t n) const;
  std::int64_t next_after(std::int64_t n) const;
  std::optional<double> measure(const Trial& trial);
  std::optional<double> measure_hops(const Trial& trial);
  bool advance_quietly(const Trial& trial, State& state);
  double difference(const State& a, const State& b) const;

  const Scene& scene_;
  base::Workers& workers_;
  const dynamics::ProgramForces& program_;
  double asked_;  // s
  double hop_;    // beside diameters; 0 where nothing hops
  bool applies_;
  bool automatic_;
  std::optional<Beside> beside_;
  std::unique_ptr<LowerHops> lower_;
  std::int64_t next_ = 1;
  std::int64_t passed_over_ = 0;  // times at which something happened, since the last sample
  std::int64_t samples_ = 0;
  std::int64_t steps_ = 0;  // of all samples
  double step_sum_ = 0;     // s; of their lengths
  double error_sum_ = 0;    // the same; of errors a second
  double last_ = 0;         // error a second
  bool fresh_ = false;      // that one has not been adapted to
  State whole_, halves_;
};

}  // namespace carom::simulation
