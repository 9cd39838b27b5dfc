// A frame's motion piece by piece. Every body is always on one piece: a free flight, or its part of
// a segment. At the frame's turns, in the order of time, some bodies end their pieces and begin the
// next: both of a collision, those of a segment that starts, those of one that ends and is not
// followed by another at once. Fixed and driven bodies stay on one piece for the whole frame. Costs
// a pass over bodies, collisions and segments to begin, which sorts the segments' starts, and then
// what the bodies of a turn take for each.
#pragma once

#include <span>
#include <vector>

#include "carom/audit/motion_bounds.h"
#include "carom/record/frame.h"

namespace carom::audit {

struct Piece {
  double t0 = 0, t1 = 0;
  bool is_free = true;  // nothing but gravity acts
  RigidMotion motion;
  BodyState start, end;  // end: as the body comes to its next piece
  MotionBounds bounds;
  double travelled = 0;  // m; how far any point that matters has come by t0, at most
  double speed = 0;      // m/s; of any such point, at most
  double center_speed = 0;

  double duration() const { return t1 - t0; }
  double travelled_at(double t) const { return travelled + speed * (t - t0); }
};

// What a body does after a turn: it flies freely from `start`, or moves along a segment to `end`.
struct NextPiece {
  BodyId body;
  double t1;
  const BodyState* start;
  const RigidMotion* motion = nullptr;
  const BodyState* end = nullptr;
};

enum class TurnKind { Collision, SegmentEnd, SegmentStart };  // at the same time in this order

struct Turn {
  double t;
  TurnKind kind;
  std::size_t number;               // of the collision or segment
  std::size_t first = 0, last = 0;  // of the next pieces
};

class FrameWalk {
 public:
  // levers: per body, how far from its centre of mass points can be that turning moves.
  void begin(const Scene& scene, std::span<const double> levers, const record::Frame& frame);
  std::span<const Turn> turns() const { return turns_; }
  std::span<const NextPiece> next_pieces(const Turn& turn) const {
    return std::span(next_).subspan(turn.first, turn.last - turn.first);
  }
  void pass(const Turn& turn);

  const record::Frame& frame() const { return *frame_; }
  bool is_dynamic(BodyId id) const { return scene_->body(id).is_dynamic(); }
  const Piece& piece(BodyId id) const { return pieces_[index(id)]; }
  BodySegment segment(BodyId id) const;

  // Per body, how far its centre comes from where it starts, at most.
  std::span<const double> displacements() const { return displacements_; }

  // The same for a part of the frame from t, before which all turns have been passed and the next
  // one is `turn`, to t1: the length of its path. `at` is where the centres are at t.
  void bound_paths(std::size_t turn, double t, double t1, State& at, std::vector<double>& paths);

 private:
  void list_turns();
  void find_next_pieces();
  void append_next_pieces(const Turn& turn);
  void bound_displacements();
  double bound_excursion(const NextPiece& next, double t0) const;
  double bound_speed(const NextPiece& next, double t0) const;
  void open(const NextPiece& next, double t0);
  void bound(BodyId id, Piece& piece) const;

  const Scene* scene_ = nullptr;
  const record::Frame* frame_ = nullptr;
  std::span<const double> levers_;
  std::vector<Turn> turns_;
  std::vector<NextPiece> next_;   // of the turns, the last one first
  std::vector<NextPiece> first_;  // per body, as the frame starts
  std::vector<Piece> pieces_;     // per body
  std::vector<double> displacements_, excursions_;
  struct Pace {
    double since, speed;
  };
  std::vector<Pace> paces_;  // per body, for bound_paths()
};

}  // namespace carom::audit
