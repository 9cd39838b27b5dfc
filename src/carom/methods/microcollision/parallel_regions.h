// Bodies that keep their own clocks, frame by frame, in regions that know nothing of each other
// (collision_heap.h), on several threads.
//
// Bodies whose swept boxes meet belong to one group, and so do those they meet in turn; what does
// not move freely connects nothing. Some groups make a region, so that there is work enough in it;
// regions run at the same time. Where a body takes a new way and its box then meets one of another
// region, nothing is done about it; but when all have ended, groups whose boxes have met are
// united, and those that were not in the same region run again, from the frame's start, in one. So
// until no two boxes of different regions meet, kMostRounds times at the most; then all run in one
// region, and so do some frames to come.
//
// Why the result does not depend on this: what happens to a group follows from its own bodies, its
// own pairs in their order, and what does not move freely. The heap of a region that holds other
// groups too treats the events of each in the same order as a heap of its own would, since they
// only change their own. In the end no box of a group meets one of a group in another region, so
// that a single region would have held no other pairs either. Whose boxes met does not depend on
// who was first: a box only grows, and the later of two is told. Which regions there are follows
// from the state at the frame's start, not from the number of threads. Collisions are told in the
// order of time; those of the same instant in different regions in the order of the regions, which
// is that of their first bodies.
//
// A region that does not reach the frame's end stops all there.
#pragma once

#include "carom/base/disjoint_sets.h"
#include "carom/methods/microcollision/collision_heap.h"
#include "carom/methods/shared/step_context.h"

namespace carom::methods {

class ParallelRegions {
 public:
  ParallelRegions(StepContext& context, const ClockOptions& options, const impact::Law& law,
                  MicrocollisionMemory& memory);

  // Moves `state` to t_end; collisions are appended in the order of time. Where collisions follow
  // one another without end and time stands still, it stops there with a Zeno point.
  AdvanceResult advance(State& state, double t_end, std::vector<record::Collision>& out);

  std::size_t regions() const { return used_; }  // number of them in the last frame

 private:
  struct Place {  // a collision's region, and its number in it
    double t;
    std::size_t region, number;
    auto operator<=>(const Place&) const = default;
  };

  void begin(const State& state, double t_end);
  void run_in_groups();
  void run_as_one(double until);
  void find_groups();
  BodyId group_of(BodyId body) { return id_of<BodyId>(connected_.root_of(index(body))); }
  void unite(BodyId a, BodyId b);
  void run_what_has_no_region(std::size_t enough, double until);
  void make_regions(std::size_t enough);
  void give_pairs_and_sticks(std::size_t first);
  std::int32_t region_of(BodyId a, BodyId b) const;
  bool dissolve_what_met();
  void dissolve(BodyId body);
  const CollisionHeap* find_stuck() const;
  void gather(std::vector<record::Collision>& out);
  void gather_sticks();

  const Scene& scene_;
  base::Workers& workers_;
  contact::Pairs& pairs_;
  ClockOptions options_;
  impact::Law law_;
  MicrocollisionMemory& memory_;
  Timetable timetable_;
  std::deque<CollisionHeap> regions_;
  std::size_t used_ = 0;  // number of regions in use
  std::size_t pairs_in_frame_ = 0;
  std::vector<BodyId> moving_;      // freely
  base::DisjointSets connected_;    // bodies; a group goes by its first one
  std::vector<std::size_t> sizes_;  // numbers of a group's pairs, at its root
  std::vector<char> again_;         // at its root: has to run again
  std::vector<Place> places_;
  StickRecords kept_;
};

}  // namespace carom::methods
