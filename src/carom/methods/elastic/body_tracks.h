// Where every body is, as far as that is known, and how far it has come. A body that nothing pushes
// flies on; of one that is pushed the last step is known, and beyond it is taken to go straight on.
#pragma once

#include <vector>

#include "carom/methods/shared/pair_schedule.h"
#include "carom/model/scene.h"

namespace carom::methods {

class BodyTracks {
 public:
  // lever_bounds: per body, how far turning moves its surface, m per rad.
  BodyTracks(const Scene& scene, std::vector<double> lever_bounds);

  double lever_bound(BodyId id) const { return lever_bounds_[index(id)]; }

  // All bodies begin to fly freely, with nothing travelled yet.
  void begin(const State& from);
  // At t a body begins to fly freely.
  void fly(BodyId id, const BodyState& from, double t);
  // Bounds the speeds of bodies that fly from t up to `until`.
  void look_ahead(double t, double until);
  // A body joins a cluster at t: only its state and its acceleration are known from then on.
  void hold(BodyId id, const BodyState& now, double t, const math::Twist& pushed);
  // A step, from where the body's last way ends.
  struct Times {
    double t0, t1;
  };
  void step(BodyId id, Times times, const RigidMotion& motion, const math::Twist& pushed);

  BodyState at(BodyId id, double t) const;
  const OwnWay& way(BodyId id) const { return tracks_[index(id)].way; }
  double known_until(BodyId id) const { return tracks_[index(id)].t1; }  // for ever, where it flies
  // Acceleration at known_until(), as far as it is known.
  const math::Twist& acceleration(BodyId id) const { return tracks_[index(id)].pushed; }

  // m; by any point of the body up to t, at most.
  double travelled(BodyId id, double t) const;
  // m; by any point of a body that has come from the end of its last way to `now`, at most.
  double travelled(BodyId id, const BodyState& now) const;
  double speed(BodyId id) const { return tracks_[index(id)].way.speed; }

 private:
  struct Track {
    OwnWay way;  // its speed counts from `marked` on
    double t1 = 0;
    BodyState end;  // at t1, where that is finite
    math::Twist pushed;
    double marked = 0;     // a time since the way's start
    double travelled = 0;  // up to then
  };
  double speed_of(BodyId id, const RigidMotion& motion, double duration) const;

  const Scene& scene_;
  std::vector<double> lever_bounds_;
  double until_ = 0;
  std::vector<Track> tracks_;
};

}  // namespace carom::methods
