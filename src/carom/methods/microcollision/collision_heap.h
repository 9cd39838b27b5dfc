// Some bodies of a frame and all that they may meet, on their own clocks (Mirtich & Canny, §3). A
// heap holds, for every pair whose swept boxes meet within the frame, a time before which the two
// cannot touch. The pair on top is looked at, when its time has come: distance, nearest points, and
// how long some separating direction keeps the two apart at the least
// (geometry/times/separation.h). If they are within reach of each other and approach, they collide
// and fly on along new paths; else the bound goes back into the heap. A collision changes two
// bodies: their pairs get bounds from what was last known of their distance and how fast they can
// close it, without looking. Bounds converge on an impact quadratically.
//
// An approach counts as a collision when it is less than a tenth of a nanosecond away; that of a
// resting body, a microcollision, also when it is within a hundredth of the height it hops to.
//
// An event costs O(log pairs) beside the looks, one or two microseconds each. Regions may run at
// the same time: each changes the clocks of its own bodies alone, and reads those of bodies that do
// not move freely, which nothing changes. What a body of another region, met on a new way, would do
// is left out and noted.
#pragma once

#include <deque>

#include "carom/contact/pairs.h"
#include "carom/methods/microcollision/collision_law.h"
#include "carom/methods/shared/advance_result.h"
#include "carom/methods/shared/pair_schedule.h"

namespace carom::methods {

struct Clock {                                // one body's
  OwnWay way;                                 // looked ahead to the end of the frame
  std::vector<std::size_t> pairs;             // pairs of its region
  std::vector<contact::Pairs::Pieces> known;  // theirs, ascending
};

// A frame, as all regions see it.
struct Timetable {
  double t_end = 0;
  Flight flight;  // all bodies', from the frame's start
  std::vector<Clock> clocks;
  std::vector<std::int32_t> regions;  // one per body; kNone where it does not move freely
  static constexpr std::int32_t kNone = -1;

  void set_way(const Scene& scene, BodyId id, const RigidMotion& motion, double t);
  BodyState state_of(BodyId id, double t) const { return clocks[index(id)].way.at(t); }
};

class CollisionHeap {
 public:
  CollisionHeap(const Scene& scene, contact::Pairs& pairs, const ClockOptions& options,
                const impact::Law& law, Timetable& timetable, base::Watched watched);

  // Empties it; then it is given its bodies, the pairs of begin_frame() that one of them belongs
  // to, in order, and the stick records of its bodies.
  void begin(std::int32_t number);
  void add(BodyId body) { bodies_.push_back(body); }
  void add(const contact::Pairs::Meeting& meeting) { given_.push_back(meeting); }
  void add(const StickRecord& stick) { sticks_.push_back(stick); }

  // Goes from the frame's start to `until`. Where collisions follow one another without end and
  // time stands still, it stops there with a Zeno point.
  void run(double until);

  std::int32_t number() const { return number_; }
  std::span<const BodyId> bodies() const { return bodies_; }
  const AdvanceResult& result() const { return result_; }
  double reached() const { return reached_; }
  std::span<const Bounce> bounces() const { return bounces_; }  // in the order of time
  std::span<const StickRecord> sticks() const { return sticks_; }
  // Pairs of bodies whose boxes met on new ways, of this region or of two.
  std::span<const std::pair<BodyId, BodyId>> met() const { return met_; }

  bool is_home(BodyId body) const { return timetable_.regions[index(body)] == number_; }

 private:
  struct Known {  // bounds on one pair
    double t = 0;
    PairSchedule::Gap gap;  // at that time
  };

  void prepare();
  void add_pair(const contact::Pairs::Meeting& meeting);
  void meet(const contact::Pairs::Pieces& who, BodyId id);
  bool is_known(const contact::Pairs::Pieces& who, BodyId id) const;
  void rebound(std::size_t pair, double t);
  double closing_speed(const contact::ShapePair& pair) const;
  contact::PairQuery::Look look(std::size_t pair, double t);
  bool meets(const contact::PairQuery::Look& look, const contact::ShapePair& pair) const;
  void collide(std::size_t pair, double t, const contact::PairQuery::Look& look);
  void reroute(BodyId id, const BodyState& from, double t);
  Clock& clock(BodyId id) { return timetable_.clocks[index(id)]; }
  const Clock& clock(BodyId id) const { return timetable_.clocks[index(id)]; }

  const Scene& scene_;
  contact::Pairs& pairs_;
  ClockOptions options_;
  Timetable& timetable_;
  base::Watched watched_;
  std::int64_t others_ = 0;  // bodies of the scene that do not move freely
  StickRecords sticks_;
  CollisionLaw law_;
  std::int32_t number_ = 0;
  std::vector<BodyId> bodies_;
  std::vector<contact::Pairs::Meeting> given_, meetings_;
  std::deque<contact::PairQuery> queries_;  // queries of pairs that were not given
  std::size_t queries_used_ = 0;
  std::vector<Known> known_;
  PairSchedule schedule_;
  std::vector<contact::Pairs::Pieces> around_;
  std::vector<Bounce> bounces_;
  std::vector<std::pair<BodyId, BodyId>> met_;
  AdvanceResult result_;
  double reached_ = 0;
};

}  // namespace carom::methods
