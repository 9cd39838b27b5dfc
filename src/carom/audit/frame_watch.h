// The deepest overlap of any two bodies over a frame, in continuous time: every pair that may meet
// is judged over each interval between turns of either, when it ends.
//
// Most intervals cost a comparison: what is apart by some length at one time is apart until its
// bodies have travelled that far. What is closer is judged along the direction that told it apart
// in the interval before, and looked at anew only where that proves nothing. All that is remembered
// is forgotten at the frame's end, so that a run goes on from a checkpoint with the same result.
//
// A frame in which bodies come far is judged in parts, so that each has few neighbours in one: the
// cost follows the ways they come, however long the frame. Two balls on parabolas, and a ball over
// a plane that stands still, are judged in closed form.
#pragma once

#include <array>
#include <vector>

#include "carom/audit/frame_walk.h"
#include "carom/audit/penetration.h"

namespace carom::audit {

class FrameWatch {
 public:
  explicit FrameWatch(PenetrationWatch& watch) : watch_(watch) {}

  void begin(FrameWalk& walk);
  void reach(std::size_t turn);           // before it and those that come with it
  void end_piece(BodyId body, double t);  // before its turn
  void end(double t);                     // of all

 private:
  struct Near {
    std::size_t a, b;        // solids
    double safe_until = -1;  // apart until the bodies have travelled this far, both together
    bool has_witness = false;
    // Along which they were apart last, as each body sees it, and the faces of each near to that.
    Vec3 d_A = Vec3::Zero(), d_B = Vec3::Zero(), face_a = Vec3::Zero(), face_b = Vec3::Zero();
  };
  struct PairWatch {
    BodyPair bodies;
    double judged_until;
    bool is_closed_form;
    double far_until;  // how far they may travel before other solids than the near ones can meet
    std::vector<Near> near;
  };

  // The last two poses of a body that were asked for.
  struct Recent {
    std::array<double, 2> t;
    std::array<Pose, 2> X;
    std::size_t oldest;
  };

  std::size_t count_parts() const;
  void begin_part(std::size_t turn);
  void list_pairs(const State& at, std::span<const double> paths, double t);
  void list_pairs_of_bodies();
  bool is_closed_form(const BodyPair& bodies) const;
  bool check_closed_form(PairWatch& pair, Interval times);
  void check(PairWatch& pair, double t);
  void find_near(PairWatch& pair, Interval times);
  void check_solids(const PairWatch& pair, Near& near, Interval times);
  static double gap_at_start(const Approach& approach, const Near& near);
  bool is_harmless(const Approach& approach, const Near& near) const;
  static void remember(const Approach& approach, const Vec3& d, Near& near);
  double travelled(const BodyPair& bodies, double t) const;
  const Pose& pose(BodyId body, double t);

  PenetrationWatch& watch_;
  FrameWalk* walk_ = nullptr;
  std::size_t parts_ = 1, part_ = 0;
  double part_end_ = 0;  // s
  State at_;             // where the centres are as a part begins
  std::vector<double> paths_;
  std::size_t pair_count_ = 0;
  std::vector<PairWatch> pairs_;    // of this frame, then memory of former ones
  std::vector<std::size_t> first_;  // per body, where its pairs begin
  std::vector<std::size_t> pairs_of_, next_;
  std::vector<Recent> recent_;        // per body
  std::vector<PoseMemory> memories_;  // per body, of its present piece
};

}  // namespace carom::audit
