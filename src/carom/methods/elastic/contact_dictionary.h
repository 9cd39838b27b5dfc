// The pairs of a cluster, bodies that push each other, told apart into those in contact and the
// others (Neumayr & Otter, section 4). Which are in contact changes only at events; in between, two
// functions watch over all of them (eq. 12):
//
//   z₁ = the greatest distance of those in contact      rises through zero where one ends
//   z₂ = the least distance of the others, plus 2ε      falls through zero where one begins
//
// At an event a pair is in contact where its distance is below -ε, so neither function is zero
// when integration goes on.
//
// Only pairs within reach are known (near_pairs.h), those with bodies outside of the cluster
// included. The way that some body has left to the end of its reach continues z₂ in the place of
// the boxes' distance in eq. 11: nothing unknown is nearer. And a pair of which the ways of its
// bodies prove that it is not the nearest is not measured, so the cost goes with what is about to
// touch.
#pragma once

#include "carom/methods/elastic/near_pairs.h"

namespace carom::methods {

// What began or ended at an event.
struct Change {
  contact::Contact at;
  bool begins;
  std::size_t near;  // the pair
};

// The first t at which gap + rate t + bend t²/2 is zero; infinite where it never is, or was.
double time_to_fall(double gap, double rate, double bend);

class ContactDictionary {
 public:
  // `now`: where bodies are. Those of the cluster are put there by the caller, others by this.
  ContactDictionary(NearPairs& near, const BodyTracks& bodies, State& now)
      : near_(near), bodies_(bodies), now_(now) {}

  void set_hysteresis(double epsilon) { epsilon_ = epsilon; }
  double hysteresis() const { return epsilon_; }

  // The bodies of the cluster and what touches; again, when pairs were looked up anew.
  void begin(std::span<const BodyId> cluster, std::vector<ElasticContact> touches);
  void find_near();

  const Touches& touches() const { return touches_; }
  Touches& touches() { return touches_; }

  // selectContactPairsNoEvent: z₁ and z₂ at `now`.
  struct Crossings {
    double contact, apart;
  };
  Crossings zero_crossings();
  double used() const;  // part of a reach that the body which used most has used; between steps

  // Seconds from `now` until some pair that is apart falls to -3ε/2, judging from how its bodies
  // are accelerated; infinite where none does `within` that time. Between steps.
  double time_to_begin(double within);

  // The pairs of the cluster's own bodies, and with bodies that nothing moves, that touch or might
  // within a time. Between steps.
  void find_close(double within, std::vector<std::size_t>& out) const;

  // selectContactPairsAtEvent: appends those that begin or end at `now`. What ends is forgotten;
  // what begins is not in this dictionary before begin().
  void select(std::vector<Change>& changes);

 private:
  bool is_home(BodyId id) const;
  double least_gap(const NearPairs::Near& pair) const;
  void place(const NearPairs::Near& pair);
  double farthest(BodyId id, double within) const;

  NearPairs& near_;
  const BodyTracks& bodies_;
  State& now_;
  double epsilon_ = 0;
  std::vector<BodyId> cluster_;  // ascending
  Touches touches_;
  std::vector<std::size_t> touching_, apart_;  // among the near pairs
};

}  // namespace carom::methods
