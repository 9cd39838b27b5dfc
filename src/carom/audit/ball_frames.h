// Frames in which balls fly freely among planes that stand still: what FrameWalk and FrameWatch do
// for any bodies, in closed form. Two balls that fall alike pass each other on a straight line; one
// over a plane is on a parabola. So every flight of every pair that comes near is judged exactly.
//
// A frame is judged in parts in which a ball comes as far as two radii, in the mean: the cost
// follows the ways they come, however long the frame, and is O(1) for each ball and collision of a
// part while the balls lie about evenly. Nothing is remembered from frame to frame.
#pragma once

#include "carom/audit/ball_grid.h"
#include "carom/audit/ledger.h"
#include "carom/record/frame.h"

namespace carom::audit {

class BallFrames {
 public:
  BallFrames(PenetrationWatch& watch, Ledger& ledger) : watch_(watch), ledger_(ledger) {}

  void begin(const Scene& scene);            // after the watch
  bool apply() const { return all_balls_; }  // to frames without segments of this scene

  void check(const State& state);          // all pairs, now
  void judge(const record::Frame& frame);  // between the ledger's begin_frame() and end_frame()

 private:
  struct Flyer {  // a ball
    int body;
    double radius;
    double since;    // s; when it was in this state, on the flight that it is on
    BodyState from;  // whose orientation is of no account
    BodyState at(double t, const Vec3& gravity) const;
  };
  struct Flight {   // seen by one who falls from rest since the part began: a straight line
    double t0, t1;  // s; from then
    Vec3 x, v;      // x: where it would have been then
    Vec3 at(double t) const { return x + t * v; }
  };

  // Around a ball all the time of a part: from middle − way to middle + way as the part passes.
  struct Tube {
    Vec3 middle, way;
    double radius;
    bool may_meet(const Tube& other) const;
  };

  bool add(const Scene& scene, int body);
  void reset(const State& start);
  double choose_part(const record::Frame& frame) const;
  void list_flights(const record::Frame& frame, double from, double to);
  template <typename Take>
  void visit_balls(const record::Collision& collision, const Take& take) const;
  void open_flight(std::size_t ball, double t);
  void pass(const record::Frame& frame, const record::Collision& collision);
  void fly(Flyer& ball, double t);
  Tube bound_flights(std::size_t ball) const;
  void judge_part();
  void judge_planes(std::size_t ball);
  void judge_pair(std::size_t i, std::size_t j);
  std::span<const Flight> flights_of(std::size_t ball) const {
    return std::span(flights_).subspan(first_[ball], first_[ball + 1] - first_[ball]);
  }

  PenetrationWatch& watch_;
  Ledger& ledger_;
  bool all_balls_ = false;
  Vec3 gravity_ = Vec3::Zero();
  std::vector<StandingPlane> planes_;
  std::vector<Flyer> balls_;
  std::vector<int> ball_of_;  // per body; -1: of planes
  // Of the present part of a frame:
  std::size_t next_ = 0;                   // collision
  double began_ = 0, lasts_ = 0;           // s
  std::vector<std::size_t> first_, last_;  // per ball, where its flights begin, and the present one
  std::vector<Flight> flights_;
  std::vector<Tube> tubes_;   // per ball
  std::vector<Ball> around_;  // the same, for all of the part
  BallGrid grid_;
};

}  // namespace carom::audit
