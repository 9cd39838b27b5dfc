// The segments of a frame while it is made: steps of clusters, in memory that is kept from frame to
// frame.
#pragma once

#include <vector>

#include "carom/record/frame.h"

namespace carom::methods {

class ClusterSteps {
 public:
  struct Times {
    double t0, t1;
  };

  void clear();
  void add(Times times, std::span<const BodyId> bodies, std::span<const RigidMotion> motions,
           std::span<const BodyState> ends, const record::Forces& forces);
  // Takes the energy of springs that have vanished, J, off the end of the last segment, or off the
  // next one where there is none.
  void take_off(double stored);

  std::span<const record::ClusterSegment> view();

 private:
  struct Place {
    Times times;
    std::size_t body, bodies, force, forces;
    double stored_start, stored_end;
  };
  record::ProgramWrenches program_of(const Place& at) const;
  std::vector<Place> places_;
  double owed_ = 0;  // J; of what springs held
  std::vector<BodyId> bodies_;
  std::vector<RigidMotion> motions_;
  std::vector<BodyState> ends_;
  std::vector<record::CarriedForce> start_, middle_, end_;
  std::vector<Wrench> program_start_, program_middle_, program_end_;  // where a program applies any
  std::vector<record::ForceEffect> effects_;
  std::vector<record::ClusterSegment> segments_;
};

}  // namespace carom::methods
