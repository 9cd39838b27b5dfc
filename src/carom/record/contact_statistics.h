// What every two bodies did to each other over a run: how often they collided, and the impulse they
// exchanged, whether by collisions or by forces that lasted. Its total over the simulated time is
// their mean force, whatever the method: of a body at rest, what carries its weight.
//
// Collisions are counted as they are told, and so is the impulse with which a bounce comes to rest,
// so that a run that goes on from a recording, of which they are told again, counts all of them;
// forces that lasted come with the summary, from sums that the recorder keeps in its checkpoints.
// Costs O(1) for each event; memory grows with the pairs.
#pragma once

#include <span>
#include <vector>

#include "carom/record/pair_table.h"
#include "carom/record/sink.h"

namespace carom::record {

struct ContactTotals {
  BodyId a{}, b{};                                // ascending
  std::int64_t impacts = 0, microcollisions = 0;  // one for each contact point
  double first_time = 0, last_time = 0;           // s; of a collision or a force
  Vec3 impulse = Vec3::Zero();                    // N s; on a
  double normal_impulse = 0;                      // N s; of collisions alone
  double greatest_impulse = 0;                    // N s; the size of the greatest of them
  Vec3 mean_force = Vec3::Zero();                 // N; on a, over the simulated time
};

// The same, as it acts on b.
ContactTotals seen_from_other(ContactTotals totals);

class ContactStatistics : public Sink {
 public:
  void event(const ContactEvent& event) override;
  void end(const Summary& summary) override;

  // In the ascending order of the pairs, once the run has ended.
  std::span<const ContactTotals> pairs() const { return pairs_; }

 private:
  static void meet(ContactTotals& totals, double first, double last);

  PairTable<ContactTotals> totals_;  // of collisions
  std::vector<ContactTotals> pairs_;
};

}  // namespace carom::record
