// Tells the recorder what contacts do: which pairs of bodies come to rest on each other and let go,
// and what impacts did. Remembers the pairs that rest.
#pragma once

#include <compare>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/impact/law.h"
#include "carom/methods/shared/joint_forces.h"
#include "carom/record/recorder.h"

namespace carom::methods {

struct BodyPair {
  BodyId a{}, b{};
  auto operator<=>(const BodyPair&) const = default;
};

// An impact as it was resolved: its rows, what acted on them, and the states on both sides of it.
struct AppliedImpact {
  const contact::ContactSet& contacts;  // from which the problem was assembled
  SolvedJoints joints;                  // the problem with its impulses
  const State &before, &after;
  impact::ImpactResult result{.iterations = 1};
  std::span<const char> settled;  // per island: nothing in it is an impact for a person
  double micro_below = 0;         // m/s; slower approaches are microcollisions
};

class ContactLog {
 public:
  ContactLog(const Scene& scene, record::Recorder& recorder) : scene_(scene), recorder_(recorder) {}

  // These are all contacts that rest at `state`, but for those between bodies that both are marked
  // in `still`, which go on as they were.
  void update_resting(const contact::ContactSet& contacts, const State& state,
                      std::span<const char> still = {});

  // Events are written for what a person would call an impact; the slow ones that only keep a
  // resting contact at rest are told to the sinks (the audit must see every impulse), and are an
  // event only when they end a bounce sequence.
  void record_impact(const AppliedImpact& impact);

  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  bool rests(const BodyPair& pair) const;
  void append_couples(const AppliedImpact& impact);
  void record_contact(const AppliedImpact& impact, std::size_t island, std::size_t row);

  const Scene& scene_;
  record::Recorder& recorder_;
  std::vector<BodyPair> resting_, now_resting_;  // sorted
  std::vector<bool> recorded_;
  std::vector<record::ContactEvent> events_;
  std::vector<record::CarriedForce> joint_impulses_;  // of joints, and couples of contacts
};

}  // namespace carom::methods
