// Elastic contacts integrated with error control and events (Neumayr & Otter, sections 2 and 4).
//
//   a step    of IDA's, of whatever length its error allows, but not past the time at which a pair
//             that is apart will come to touch, judging from where it is and how it moves; so most
//             contacts begin where a step ends
//   a root    of z₁ or z₂ ends it earlier
//   begins    the solver begins anew, its first step a part of the time the contact will last. (One
//             that carries its past over the onset of a force takes as many steps, and errs tens of
//             times as much for balls, thousands for boxes.)
//   ends      forces are zero on both sides of it; order and past are kept, unless nothing is left
//             to integrate
//
// What is kept for a checkpoint is the state from which the solver last began anew and how many
// steps it has taken since: going on takes these steps again, with the same result to the last bit.
#pragma once

#include <string>
#include <string_view>

#include "carom/methods/elastic_system.h"

namespace carom::methods {

enum class ElasticStatus { Stepped, Failed };

class ElasticMotion {
 public:
  ElasticMotion(const Scene& scene, contact::Pairs& pairs);

  // From `state`, not beyond t_end: the motion goes to `flight`, its end to `state`.
  // On failure `state` is the last good one.
  ElasticStatus step(const elastic::ElasticOptions& options, State& state, double t_end,
                     Flight& flight);

  record::Forces forces() const;                                            // of the last step
  const std::vector<elastic::Change>& changes() const { return changes_; }  // at its end
  const record::ElasticCounts& counts() const { return counts_; }

  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  struct Beginning {  // from which the solver began anew
    State state;
    std::vector<elastic::Touch> touches;
    std::vector<double> bristles;  // three for each of them
    std::vector<double> rates;     // that the solver had found; none at first
    std::int64_t steps = 0;        // taken since
    double first_step = 0;
  };
  struct Look {  // at one time
    std::vector<record::CarriedForce> forces;
    std::vector<math::Twist> accelerations;
  };
  void begin(const State& state);
  bool catch_up(const State& state, double t_end, Flight& flight);
  void begin_anew(const State& state, double first_step);
  void keep_bristles(const State& state, double first_step);
  ElasticStatus take_step(State& state, double t_end, Flight& flight);
  void tend_to_events(solvers::DaeStatus status, const State& state, double t_end);
  double usual_hysteresis() const;
  void watch(const State& state, double step);
  double choose_stop(const State& state, double t_end);
  void look(const State& state, math::VecIn y, math::VecIn rate, Look& out);
  void join_ends(const State& from, const State& to, Flight& flight) const;

  const Scene& scene_;
  ElasticSystem system_;
  solvers::DaeSolver solver_;
  elastic::ElasticOptions options_;
  bool begun_ = false;
  Beginning beginning_;
  bool resumed_ = false;  // from a checkpoint
  std::vector<double> reaches_;
  VecX y_, rate_, middle_y_, middle_rate_, sums_, sums_before_;
  std::vector<record::ForceEffect> effects_;
  double stored_before_ = 0, stored_ = 0;  // J; in springs, at the ends of the last step
  std::vector<elastic::Change> changes_;
  Look start_, middle_, end_;
  State between_, end_state_;
  record::ElasticCounts counts_;
};

}  // namespace carom::methods
