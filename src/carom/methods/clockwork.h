// Bodies that keep their own clocks (Mirtich & Canny, §3). A heap holds, for every pair whose swept
// boxes meet within the frame, a time before which the two cannot touch. The pair on top is looked
// at, when its time has come: distance, nearest points, and how long some separating direction
// keeps the two apart at the least (geometry/separation.h). If they are within reach of each other
// and approach, they collide and fly on along new paths; else the bound goes back into the heap. A
// collision changes two bodies: their pairs get bounds from what was last known of their distance
// and how fast they can close it, without looking. Bounds converge on an impact quadratically.
//
// An approach counts as a collision when it is less than a tenth of a nanosecond away; that of a
// resting body, a microcollision, also when it is within a hundredth of the height it hops to.
//
// An event costs O(log pairs) beside the looks, one or two microseconds each; all bodies meet at
// the frame's end, so that a State is all there is to remember.
#pragma once

#include "carom/contact/pairs.h"
#include "carom/methods/advance_result.h"
#include "carom/methods/hopping.h"
#include "carom/methods/pair_heap.h"

namespace carom::methods {

class Clockwork {
 public:
  Clockwork(const Scene& scene, contact::Pairs& pairs, const ClockOptions& options, const Law& law,
            HopMemory& memory);

  // Moves `state` to t_end; collisions are appended in the order of time. Where collisions follow
  // one another without end and time stands still, it stops there with a Zeno point.
  AdvanceResult advance(State& state, double t_end, std::vector<record::Collision>& out);

 private:
  struct Clock {  // of one body
    double t0 = 0;
    RigidMotion motion;
    double fastest = 0;  // m/s; no point of the body moves faster within the frame
    std::vector<std::size_t> pairs;
  };
  struct Known {  // of one pair: at least `gap` apart at time t, closing at most at `speed`
    double t = 0, gap = 0, speed = 0;
  };

  void begin(const State& state, double t_end);
  double run(std::vector<record::Collision>& out, AdvanceResult& result);
  void set_out(BodyId id, const BodyState& from, double t);
  void add_pair(std::size_t pair);
  void rebound(std::size_t pair, double t);
  double closing_speed(const contact::ShapePair& pair) const;
  contact::PairQuery::Look look(std::size_t pair, double t);
  bool meets(const contact::PairQuery::Look& look, const contact::ShapePair& pair) const;
  void collide(std::size_t pair, double t, const contact::PairQuery::Look& look,
               std::vector<record::Collision>& out);
  void reroute(BodyId id, const BodyState& from, double t);
  BodyState state_of(BodyId id, double t) const;

  const Scene& scene_;
  ClockOptions options_;
  Hopping hopping_;
  contact::Pairs& pairs_;
  Flight flight_;
  std::vector<Clock> clocks_;
  std::vector<Known> known_;
  PairHeap heap_;
  std::vector<std::size_t> fresh_;
  double t_end_ = 0;
};

}  // namespace carom::methods
