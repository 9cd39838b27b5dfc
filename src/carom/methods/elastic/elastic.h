// Bodies that deform where they touch: contact forces from indentation, friction and damping, and
// the motion under them as systems of equations solved with error control (Neumayr & Otter).
// Nothing jumps and nothing is held: impact and rest come out of the forces.
// docs/methods/elastic.md tells the scheme and its departures.
//
// Bodies that push each other make a cluster, which takes its
// own steps (cluster.h); all others fly freely, in closed form. So the cost goes with what
// touches, and each cluster's steps with what happens in it.
//
// The cluster that is behind goes on first. Then every other one is at least as far, and began its
// last step no later: when two meet, both can be left off in their last steps, at the same time. Of
// every pair that is apart a time before which it cannot touch is known, from bounds on both
// motions: the flights, and the steps that clusters have taken already. So what a solver's events
// did not see is met all the same. Where a contact begins, those concerned become one cluster;
// those that have come apart are found when one of them begins anew.
//
// All bodies that joints connect are of one cluster; so are those that a force couples, and all
// where a program has a law.
//
// Everything begins anew now and then, at the end of a frame. What is kept for a checkpoint is the
// state when it last did, and the ends of frames since: going on takes the same steps again, with
// the same result to the last bit.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "carom/methods/elastic/cluster.h"
#include "carom/methods/elastic/step_budget.h"
#include "carom/methods/shared/method_traits.h"
#include "carom/methods/shared/pair_schedule.h"
#include "carom/methods/shared/squeeze_check.h"

namespace carom::methods {

MethodTraits describe_elastic();
Elastic make_elastic(const model::MethodSettings& settings);

class ElasticStepper {
 public:
  ElasticStepper(StepContext& context, const Elastic& options);

  // Goes as far as t_end; no output may fall in between.
  AdvanceResult advance(State& state, double t_end);

  void forces_changed(const State& state);
  void report(record::Summary& summary) const { summary.elastic = counts_; }
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  struct Pushed {  // a body in a cluster
    BodyId id{};
    std::int32_t unused = 0;        // stands in the gap, so that a checkpoint's bytes are all set
    std::array<double, 6> rates{};  // v', L'
    double first_step = 0;          // s; the cluster's
  };
  struct RestartPoint {  // where all clusters began anew
    State state;
    std::vector<ElasticContact> touches;
    std::vector<Pushed> pushed;
    std::vector<double> multipliers;  // joints'
    std::vector<StepBudget::Credit> credits;
    std::vector<double> frames;  // s; end times of the frames since
    std::int64_t steps = 0;      // of all solvers since
  };

  // elastic.cpp: the event loop, and where everything begins anew
  AdvanceResult advance_frame(State& state, double t_end);
  AdvanceResult run(State& state, double t_end);
  void end_frame(State& state, double t);
  double usual_hysteresis() const;
  double portal_noise() const;
  void reset(const State& state);
  void begin(const State& state);
  void begin_from_restart();
  void choose_hysteresis();
  void collect_restart(const State& state);
  void restart_all(const State& state);
  bool began_long_ago() const;
  void catch_up();

  // pair_watch.cpp
  double choose_horizon() const;
  void choose_reaches(double ahead);
  void watch(double t);
  double known_until(const NearPairs::Near& pair) const;
  double closing_speed(const NearPairs::Near& pair) const;
  double depth_of_contact(const NearPairs::Near& pair) const;
  void wait_for(std::size_t near, double t);
  void look_at(std::size_t near, double t);

  // clusters.cpp
  bool step(Cluster& cluster);
  bool may_step(std::span<const BodyId> bodies, double t);
  bool goes_implicitly(std::size_t near) const;
  void note_implicit_step(double duration);
  void meet(const Change& change, double t);
  bool has_left_reach(const Cluster& cluster) const;
  bool proceed(std::size_t cluster);
  bool tend_to_events(std::size_t cluster);
  void take_in(std::size_t cluster, double t);
  void take_in(const contact::Contact& at, double t);
  void find_members(double t);
  void record_events(double t);
  void unite_members(double t);
  void regroup(const std::vector<ElasticContact>& touches);
  std::vector<Cluster::Seed> find_groups(const std::vector<ElasticContact>& touches) const;
  void make_cluster(Cluster::Seed from);
  void let_fly(BodyId id);
  bool is_pushed(std::span<const BodyId> bodies) const;
  bool in_cluster(BodyId id) const { return cluster_of_[index(id)] != kNone; }
  bool is_dynamic(BodyId id) const { return scene_.body(id).is_dynamic(); }

  static constexpr std::int32_t kNone = -1;

  StepContext& context_;
  const Scene& scene_;
  Elastic options_;
  BodyTracks tracks_;
  NearPairs near_;
  ClusterScratch scratch_;
  ImplicitImpulses impulses_;
  StepBudget budget_;
  bool replays_ = false;  // true while it takes steps again that are recorded and counted
  double hysteresis_ = 0;
  double noted_depth_ = 0;  // m; the next indentation to tell of
  bool begun_ = false;
  RestartPoint restart_;
  std::vector<std::unique_ptr<Cluster>> clusters_;  // some of them idle
  std::vector<std::size_t> idle_;
  std::vector<std::int32_t> cluster_of_;  // each body, or none
  TimeHeap clocks_;                       // times of clusters
  PairSchedule meetings_;                 // looks at near pairs that are apart
  double watched_until_ = 0;
  std::vector<BodyId> jointed_;
  std::vector<BodyId> applied_;                     // ascending: what forces act on is of a cluster
  std::vector<std::optional<double>> first_steps_;  // per body, of a cluster that begins with it
  ClusterSteps segments_;
  std::vector<record::ContactEvent> events_;
  std::vector<Change> changes_;
  std::vector<std::size_t> members_;
  std::vector<BodyId> concerned_;  // bodies that are to be regrouped
  std::vector<double> reaches_;
  State state_, before_;
  SqueezeCheck squeeze_;
  record::ElasticCounts counts_;
};

}  // namespace carom::methods
