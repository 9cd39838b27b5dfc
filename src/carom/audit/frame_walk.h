// A frame's motion piece by piece. Every body is always on one piece, its free flight from one of
// its collisions to the next; passing a collision puts two bodies onto their next pieces. Fixed and
// driven bodies stay on one piece for the whole frame. Costs a pass over bodies and collisions to
// begin, and then what two bodies take for each collision.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "carom/audit/motion_bounds.h"
#include "carom/record/frame.h"

namespace carom::audit {

struct Piece {
  double t0 = 0, t1 = 0;
  RigidMotion motion;
  BodyState start, end;  // end: as the body flies, right before its next collision
  MotionBounds bounds;
  double travelled = 0;  // m; how far any point that matters has come by t0, at most
  double speed = 0;      // m/s; of any such point, at most

  double duration() const { return t1 - t0; }
  double travelled_at(double t) const { return travelled + speed * (t - t0); }
};

class FrameWalk {
 public:
  // levers: per body, how far from its centre of mass points can be that turning moves.
  void begin(const Scene& scene, std::span<const double> levers, const record::Frame& frame);
  void pass(std::size_t collision);

  const record::Frame& frame() const { return *frame_; }
  bool is_dynamic(BodyId id) const { return scene_->body(id).is_dynamic(); }
  const Piece& piece(BodyId id) const { return pieces_[index(id)]; }
  BodyStretch stretch(BodyId id) const;

  // Per body, how far its centre comes from where it starts, at most.
  std::span<const double> displacements() const { return displacements_; }

 private:
  void find_ends();
  void bound_displacements();
  void open(BodyId id, const BodyState& start, double t0, double t1);
  void bound(BodyId id, Piece& piece) const;

  const Scene* scene_ = nullptr;
  const record::Frame* frame_ = nullptr;
  std::span<const double> levers_;
  std::vector<Piece> pieces_;                 // per body
  std::vector<std::array<double, 2>> until_;  // per collision, when a and b collide next
  std::vector<double> first_until_;           // per body
  std::vector<double> displacements_, longest_;
};

}  // namespace carom::audit
