// The pairs of shapes that may touch, told apart into those in contact and the others (Neumayr &
// Otter, section 4). Which are in contact changes only at events; in between, two functions watch
// over all of them (eq. 12):
//
//   z₁ = the greatest distance of those in contact      rises through zero where one ends
//   z₂ = the least distance of the others, plus 2ε      falls through zero where one begins
//
// At an event a pair is in contact where its distance is below -ε, so neither function is zero
// when integration goes on.
//
// Only pairs whose boxes, grown by how far each body may get (`reach`), overlap are known. The way
// that some body has left to the end of its reach continues z₂ in the place of the boxes' distance
// in eq. 11: nothing unknown is nearer. And a pair of which that way alone proves that it is not
// the nearest is not measured, so the cost goes with what is about to touch.
#pragma once

#include <compare>
#include <span>
#include <tuple>
#include <vector>

#include "carom/contact/pairs.h"
#include "carom/elastic/force_law.h"

namespace carom::elastic {

struct ElasticOptions {
  Regularisation regularisation{};
  double reduction = 1;   // k_red
  bool stick = true;      // bristles instead of (3c)
  double hysteresis = 0;  // ε, m; 0: a part of the smallest body
  double tolerance = 1e-8;
};

// What is remembered of a pair in contact.
struct Touch {
  BodyId a{}, b{};
  std::int64_t name = 0;   // among the pairs of these bodies
  double start_speed = 0;  // δ'⁻, m/s
  double fastest = 0;      // m/s; the greatest δ' so far
  double stored = 0;       // J; what its springs took in and have not given back
  std::int32_t slot = -1;  // of its bristle and its books
  auto operator<=>(const Touch& other) const {
    return std::tuple(a, b, name) <=> std::tuple(other.a, other.b, other.name);
  }
  bool operator==(const Touch& other) const { return (*this <=> other) == 0; }
};

// What began or ended at an event.
struct Change {
  contact::Contact at;
  bool begins;
};

class ContactDictionary {
 public:
  ContactDictionary(const Scene& scene, contact::Pairs& pairs);

  void set_hysteresis(double epsilon) { epsilon_ = epsilon; }
  double hysteresis() const { return epsilon_; }

  // The pairs that may meet while no point of a body gets farther than its reach, one per body,
  // from where it is in this state; those in contact stay so.
  void watch(const State& state, std::span<const double> reaches);
  double used(const State& state);  // of their reach, by the body that has used most of its own
  double swing(BodyId id) const { return swings_[index(id)]; }  // m per rad, of what turns

  // selectContactPairsAtEvent: decides anew what is in contact. `changes` is replaced.
  void select(const State& state, std::vector<Change>& changes);

  // selectContactPairsNoEvent: z₁ and z₂.
  struct Crossings {
    double contact, apart;
  };
  Crossings cross(const State& state);

  // Seconds until some pair that is apart falls to -3ε/2, judging from this state and how it is
  // accelerated (one per body); infinite where none does `within` that time.
  double time_to_begin(const State& state, std::span<const Twist> accelerations, double within);

  const std::vector<Touch>& touches() const { return touches_; }
  std::vector<Touch>& touches() { return touches_; }
  contact::PairQuery& query(std::size_t touch) { return query_of(numbers_[touch]); }

  // Where those in contact are known: from a checkpoint.
  void restore(std::vector<Touch> touches) { touches_ = std::move(touches); }

 private:
  struct Near {
    std::size_t number;  // of the pair
    BodyId a{}, b{};
    double gap;  // when it was last looked up
  };
  void sort_pairs();
  void measure_ways(const State& state);
  double least_gap(const Near& pair) const;
  double farthest(const State& state, std::span<const Twist> accelerations, BodyId id,
                  double within) const;
  contact::PairQuery& query_of(std::size_t number) { return *pairs_.meeting(number).query; }
  static Touch touch_of(const contact::PairQuery& query);

  const Scene& scene_;
  contact::Pairs& pairs_;
  double epsilon_ = 0;
  std::vector<double> swings_;
  State since_;                        // when pairs were last looked up
  std::vector<double> reaches_;        // from there
  std::vector<double> ways_;           // of which this much is used
  std::vector<Near> near_;             // all that are within reach
  std::vector<Touch> touches_, next_;  // ascending
  std::vector<std::size_t> numbers_;   // of the pair of each touch
  std::vector<Near> apart_;            // the others
};

}  // namespace carom::elastic
