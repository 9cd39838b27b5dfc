// Impulse-based simulation of up to millions of balls between planes that stand still (Mirtich &
// Canny, with the means of event-driven molecular dynamics). Every ball keeps its own clock, the
// time of its last collision, and flies from there in closed form; a collision touches two balls
// and whatever stands in the cells about them, however many others there are.
//
// A ball has one event in the queue, the earliest that is known of it: a ball or plane that it will
// meet, or the face of its cell that it will cross. What a ball was to meet may have been hit
// itself meanwhile, which its number of hits tells when the event comes; then one looks again. A
// meeting is not noted if the other ball has an earlier one: it will look for itself when that has
// come. So every pair is watched by one of the two at least, and what is noted mostly comes true.
//
// A frame begins and ends with all balls at the same time, and nothing but the State is kept from
// one to the next. Times count from the frame's start, so that late ones lose no digits. Events of
// equal time come in the order in which they were noticed, so that a blow on balls in touch goes
// through all of them in turn. Allocates nothing after the first frame. A collision costs one
// microsecond while all balls are in the caches, two to five beyond (docs/benchmarks.md).
#pragma once

#include <functional>

#include "carom/base/watch.h"
#include "carom/dynamics/state.h"
#include "carom/geometry/broad_phase/spatial_order.h"
#include "carom/methods/microcollision/balls/ball_cells.h"
#include "carom/methods/microcollision/balls/ball_contact.h"
#include "carom/methods/microcollision/balls/ball_scene.h"
#include "carom/methods/microcollision/balls/event_queue.h"
#include "carom/methods/shared/advance_result.h"
#include "carom/record/frame.h"
#include "carom/record/sink.h"

namespace carom::methods {

class BallClock {
 public:
  static bool applies(const Scene& scene) { return is_ball_scene(scene); }
  BallClock(const Scene& scene, const ClockOptions& options, base::Watched watched = {});

  // Moves `state` to t_end. Collisions are appended in the order of time, if anybody wants them.
  // When there are many of them, `flush` gets the state of that moment and may clear them.
  using Flush = std::function<void(const State&)>;
  AdvanceResult advance(State& state, double t_end, std::vector<record::Collision>* collisions,
                        const Flush& flush = {});

  std::int64_t collisions() const { return collisions_; }  // in all frames
  const record::Vibration& vibration() const { return vibration_; }

 private:
  struct Spin {
    Quat q = Quat::Identity();
    Vec3 w = Vec3::Zero();
    double clock = 0;
  };
  struct Outlook {  // what a ball will meet next, as far as is known
    double s = kNever;
    std::int32_t partner = 0;  // a ball, or -1 - k for plane k
    std::uint32_t partner_hits = 0;
    CellAt cell{};
    std::uint16_t planes = 0;  // within reach of the cell; a bit each, the last for all the rest
    std::uint8_t exit = 0;     // twice the axis, plus 1 for upward
  };
  struct Meeting {
    std::int32_t ball, partner;
    Vec3 normal;  // towards the ball
    Vec3 x_a, x_b;
    ContactSide a, b;
  };

  void begin(const State& state, double t_end);
  void load(const State& state);
  AdvanceResult run(State& state, const Flush& flush);
  void handle(std::int32_t ball);
  void finish(State& state, double s);
  BodyState state_of(std::int32_t ball, double s) const;

  void look_out(std::int32_t ball);
  void cross(std::int32_t ball);
  void consider_balls(std::int32_t ball, std::span<const std::int32_t> others);
  void choose_partner(std::int32_t ball);
  void consider_planes(std::int32_t ball);
  std::uint16_t planes_near(const CellAt& cell) const;
  double find_cell_exit(std::int32_t ball);
  double next_time(std::int32_t ball);
  static CellAt next_cell(const Outlook& outlook);
  BallCells::Block ahead_of(const Outlook& outlook) const;  // what is in sight from there alone

  // ball_prefetch.cpp
  void prefetch_upcoming();
  bool will_cross(std::int32_t ball) const;
  void prefetch_ball(std::int32_t ball) const;
  void prefetch_cells(std::int32_t ball) const;
  void prefetch_neighbours(std::int32_t ball);

  // ball_collisions.cpp
  void collide(std::int32_t ball);
  Meeting meet_ball(std::int32_t ball, std::int32_t partner) const;
  Meeting meet_plane(std::int32_t ball, std::int32_t partner) const;
  ContactSide side_of(std::int32_t ball) const;
  void turn_to_now(std::int32_t ball, ContactSide& side);
  void bounce(const BallImpact& impact, Meeting& meeting);
  void set_way(std::int32_t ball, const Vec3& x, const Vec3& v);
  void record_collision(const BallImpact& impact, const Meeting& meeting);
  BodyState standing(BodyId plane) const;

  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  // Out of the frame that falls.
  Vec3 seen_standing(const Vec3& x, double s) const { return x + 0.5 * s * s * scene_.gravity; }
  Vec3 velocity_standing(const Ball& ball) const { return ball.v + ball.clock * scene_.gravity; }
  const BallKind& kind_of(const Ball& ball) const { return parts_.kinds[at(ball.kind)]; }
  const FixedPlane& plane(std::int32_t partner) const { return parts_.planes[at(-1 - partner)]; }
  BodyId body_of(std::int32_t ball) const { return parts_.bodies[at(order_[at(ball)])]; }

  const Scene& scene_;
  ClockOptions options_;
  base::Watched watched_;
  BallScene parts_;
  HopRule hop_;
  double start_ = 0, duration_ = 0, now_ = 0;  // now_ and duration_ count from start_
  std::vector<std::int32_t> order_;            // of bodies: ball k is parts_.bodies[order_[k]]
  std::vector<Ball> balls_;
  std::vector<Outlook> outlooks_;
  std::vector<Spin> spins_;
  BallCells cells_;
  EventQueue queue_;
  std::vector<std::int32_t> met_;
  std::vector<EventQueue::Event> sights_;
  std::int64_t asked_ = 0;  // the last bucket whose memory was asked for
  std::vector<double> times_;
  std::vector<geometry::Box3> boxes_;
  geometry::SpatialOrder curve_;
  std::vector<record::Collision>* listener_ = nullptr;
  std::int64_t collisions_ = 0;
  record::Vibration vibration_;
};

}  // namespace carom::methods
