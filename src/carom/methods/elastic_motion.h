// Elastic contacts of a whole scene. Bodies that push each other make a cluster, which takes its
// own steps (elastic_cluster.h); all others fly freely, in closed form. So the cost goes with what
// touches, and each cluster's steps with what happens in it.
//
// The cluster that is behind goes on first. Then every other one is at least as far, and began its
// last step no later: when two meet, both can be left off in their last steps, at the same time. Of
// every pair that is apart a time before which it cannot touch is known, from bounds on both
// motions: the flights, and the steps that clusters have taken already. So what a solver's events
// did not see is met all the same. Where a contact begins, those concerned become one cluster;
// those that have come apart are found when one of them begins anew.
//
// All bodies that joints connect are of one cluster.
//
// Everything begins anew now and then, at the end of a frame. What is kept for a checkpoint is the
// state when it last did, and the ends of frames since: going on takes the same steps again, with
// the same result to the last bit.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "carom/methods/advance_result.h"
#include "carom/methods/elastic_cluster.h"
#include "carom/methods/pair_heap.h"

namespace carom::methods {

class ElasticMotion {
 public:
  ElasticMotion(const Scene& scene, contact::Pairs& pairs, base::Watched watched = {});

  // From `state` to t_end, or to where it failed, or to where an indentation has become twice as
  // deep as any before (Indented): from there it goes on with the next call.
  AdvanceResult advance(const elastic::ElasticOptions& options, State& state, double t_end);

  // What happened meanwhile.
  std::span<const record::Leg> legs() { return legs_.view(); }
  std::span<const record::ContactEvent> events() const { return events_; }
  const record::ElasticCounts& counts() const { return counts_; }

  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  struct Pushed {  // a body in a cluster
    BodyId id{};
    std::int32_t unused = 0;        // stands in the gap, so that a checkpoint's bytes are all set
    std::array<double, 6> rates{};  // v', L'
    double first_step = 0;          // of the cluster
  };
  struct Beginning {  // of everything
    State state;
    std::vector<elastic::Touch> touches;
    std::vector<Pushed> pushed;
    std::vector<double> multipliers;  // of joints
    std::vector<double> frames;       // their ends since
    std::int64_t steps = 0;           // since
  };
  double usual_hysteresis() const;
  void set_out(const State& state);
  void begin(const State& state);
  void begin_from_beginning();
  void begin_anew(const State& state);
  bool began_long_ago() const;
  void catch_up();
  AdvanceResult run(State& state, double t_end);
  void end_frame(State& state, double t);

  double choose_horizon() const;
  void choose_reaches(double ahead);
  void watch(double t);
  double known_until(const elastic::NearPairs::Near& pair) const;
  double depth_of_contact(const elastic::NearPairs::Near& pair) const;
  void wait_for(std::size_t near, double t);
  void look_at(std::size_t near, double t);
  void meet(const elastic::Change& change, double t);
  bool has_left_reach(const ElasticCluster& cluster) const;
  bool proceed(std::size_t cluster);
  bool tend_to_events(std::size_t cluster);
  void take_in(std::size_t cluster, double t);
  void take_in(const contact::Contact& at, double t);
  void find_members(double t);
  void tell(double t);
  void unite_members(double t);
  void regroup(const std::vector<elastic::Touch>& touches);
  std::vector<ElasticCluster::Beginning> find_groups(
      const std::vector<elastic::Touch>& touches) const;
  void make_cluster(ElasticCluster::Beginning from);
  void let_fly(BodyId id);
  bool in_cluster(BodyId id) const { return cluster_of_[index(id)] != kNone; }
  bool is_dynamic(BodyId id) const { return scene_.body(id).is_dynamic(); }

  static constexpr std::int32_t kNone = -1;

  const Scene& scene_;
  base::Watched watched_;
  elastic::Whereabouts whereabouts_;
  elastic::NearPairs near_;
  ElasticBoard board_;
  elastic::ElasticOptions options_;
  double hysteresis_ = 0;
  double noted_depth_ = 0;  // m; the next indentation to tell of
  bool begun_ = false, resumed_ = false;
  Beginning beginning_;
  std::vector<std::unique_ptr<ElasticCluster>> clusters_;  // some of them idle
  std::vector<std::size_t> idle_;
  std::vector<std::int32_t> cluster_of_;  // each body, or none
  PairHeap clocks_;                       // of clusters
  PairHeap meetings_;                     // of near pairs that are apart
  double watched_until_ = 0;
  std::vector<BodyId> jointed_;
  std::vector<std::optional<double>> first_steps_;  // per body, of a cluster that begins with it
  ElasticLegs legs_;
  std::vector<record::ContactEvent> events_;
  std::vector<elastic::Change> changes_;
  std::vector<std::size_t> members_;
  std::vector<BodyId> concerned_;  // by what is regrouped
  std::vector<double> reaches_;
  State state_;
  record::ElasticCounts counts_;
};

}  // namespace carom::methods
