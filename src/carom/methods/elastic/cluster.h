// A cluster on a clock of its own: bodies that push each other, integrated with error control and
// events (Neumayr & Otter, sections 2 and 4).
//
//   a step    of IDA's, of whatever length its error allows, but not past the time at which a pair
//             that is apart will come to touch, judging from where it is and how it moves; so most
//             contacts begin where a step ends
//   a root    of z₁ or z₂ ends it earlier
//   begins    the solver begins anew, its first step a part of the time the contact will last. (One
//             that carries its past over the onset of a force takes as many steps, and errs tens of
//             times as much for balls, thousands for boxes.)
//   ends      forces are zero on both sides of it; order and past are kept
//
// Where it is told to, or finds no step, it goes by implicit steps instead: free flights, at the
// ends of which springs push at once (implicit_impulses.h). Before the solver takes over again
// flights become short, so that bodies are left with no velocity that impulses would have taken
// away.
//
// The last step may be recorded in parts, and left off anywhere in it.
#pragma once

#include "carom/methods/elastic/cluster_equations.h"
#include "carom/methods/elastic/cluster_steps.h"
#include "carom/methods/elastic/contact_dictionary.h"
#include "carom/methods/elastic/implicit_impulses.h"

namespace carom::methods {

class Cluster {
 public:
  Cluster(const Scene& scene, NearPairs& near, BodyTracks& bodies, ClusterScratch& scratch,
          ImplicitImpulses& impulses);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  struct Seed {
    std::vector<BodyId> bodies;  // ascending
    std::vector<ElasticContact> touches;
    bool with_joints = false;
    std::optional<double> first_step;  // s; else by how long the contacts will last
    double implicit_step = 0;          // s; 0: by the solver
  };
  // At the scratch's time and state.
  void begin(const Elastic& options, double hysteresis, Seed from);

  double time() const { return to_.t; }  // s; end of the last step
  // Goes on from that time. False where no step of the solver is short enough.
  [[nodiscard]] bool step();
  void step_implicitly(double duration);
  bool is_implicit() const { return implicit_; }

  // The part of the last step up to t that is not recorded yet, the state then put into the
  // scratch.
  void record(double t, ClusterSteps& segments, record::ElasticCounts& counts);

  // After record(): accepts the recorded state as the present one. Then, whether a contact begins
  // or ends there.
  void remember() { system_.loads().remember(from_.approach); }
  bool is_at_event();
  // What ends is forgotten, and what its springs still held is taken off the last segment.
  void select(std::vector<Change>& changes, ClusterSteps& segments);
  void proceed_unchanged();  // with the contacts that have not ended
  // What impulses did to a pair before it was taken for one that touches.
  void recall(ElasticContact& touch) const;
  // Bristles and rates are kept with the touches and in the scratch, for whoever begins here.
  void suspend();
  void dissolve() { system_.release(); }         // no bodies are left
  void find_near() { dictionary_.find_near(); }  // again
  double reach_used() const { return dictionary_.used(); }

  std::span<const BodyId> bodies() const { return system_.bodies(); }
  std::span<const BodyState> states() const { return from_.bodies; }  // at the time recorded last
  std::vector<ElasticContact>& touches() { return dictionary_.touches().all; }
  bool has_joints() const { return system_.has_joints(); }
  double last_step() const;

 private:
  struct Look {
    std::vector<record::CarriedForce> forces;
    std::vector<math::Twist> accelerations;  // one per body
    std::vector<Wrench> program;             // the same, or empty
  };
  struct Instant {
    double t = 0;
    std::vector<BodyState> bodies;
    VecX y, rate, sums;
    Look look;
    std::vector<double> approach;  // m/s; per touch the greatest δ'
    double deepest = 0, bent = 0;
  };
  void start_solver(double first_step);
  void start_implicitly(double duration);
  void take_implicit_step(double next);
  void note_bristles();
  void record_flight(double t, ClusterSteps& segments, record::ElasticCounts& counts);
  void hold_bodies();
  void read(double t, Instant& out);
  void look(Instant& at);
  void interpolate(double t, Instant& out);
  void look_between(double duration);
  static void join(const Instant& from, const Instant& to, std::vector<RigidMotion>& out);
  void place(const Instant& at);
  double choose_stop();

  const Scene& scene_;
  BodyTracks& tracks_;
  ClusterScratch& scratch_;
  ContactDictionary dictionary_;
  ClusterEquations system_;
  solvers::DaeSolver solver_;
  Elastic options_;
  double first_step_ = 0;
  std::int64_t steps_ = 0;  // since it began
  bool rooted_ = false;
  ImplicitImpulses& impulses_;
  bool implicit_ = false;
  double flight_ = 0;    // s; of the next implicit step
  double shortest_ = 0;  // s; of flights, before the solver takes over
  std::vector<std::size_t> close_;
  std::vector<ImplicitImpulses::Acted> acted_, acting_;  // at the end of the last flight; before it
  std::vector<record::CarriedForce> forces_;
  Instant from_, to_;  // ends of what is recorded and of what is known
  Instant between_, middle_;
  std::vector<RigidMotion> motions_;
  std::vector<record::ForceEffect> effects_;
  VecX sums_;
};

}  // namespace carom::methods
