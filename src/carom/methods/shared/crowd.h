// Bodies that others keep hitting: those with more impacts in a step than a few, and what they
// push. A heap that settles goes through impacts without number at ever smaller speeds, each of
// which stops the whole scene. Contacts of crowded bodies are treated together instead, those that
// are about to close among them (zeno_free/crowd_flight.h), but for bodies with joints. Where
// impacts are treated one moment at a time, the island of a crowded body that meets another which
// moves is brought to rest instead of bounced (ImpactTreatment), unless one of its contacts
// approaches faster than what bodies can gain in the step by falling. A body that bounces on what
// stands still is no crowd, however often it does.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/contact/contact_set.h"
#include "carom/dynamics/state.h"
#include "carom/model/scene.h"

namespace carom::methods {

class Crowd {
 public:
  explicit Crowd(const Scene& scene);

  // Bodies that pushed nothing in the last step leave, and all do once they have rested for some
  // steps.
  void begin_step(double duration, const State& state);
  // Longer steps count as several: of the time in which a body crosses its own size, the part
  // within which there is nothing to be gained from telling impacts apart.
  static double longest_step(const Scene& scene);

  // An impact of the contacts that approach faster than `slow`, m/s.
  void note_impact(const contact::ContactSet& contacts, double slow);
  // Contacts that push in a flight of the crowd, some from further than `near`, m.
  void note_pushing(const contact::ContactSet& contacts, double near);
  void join(BodyId a, BodyId b);

  double fast() const { return fast_; }                      // m/s
  bool is_hit_often(const contact::Contact& contact) const;  // one of its bodies, in this step
  bool holds(const contact::Contact& contact) const;
  bool is_any() const { return any_; }
  std::span<const char> marks() const { return crowded_; }      // one per body
  std::span<const char> everyone() const { return may_join_; }  // marks of all that may join

  // Of the room that crowded bodies leave between them, what is left as the crowd comes to rest.
  double part_of_room() const;

  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  void mark(BodyId id);
  bool is_slow(const State& state) const;

  const Scene& scene_;
  std::vector<int> impacts_;                        // of each body in this step
  std::vector<char> may_join_, crowded_, touches_;  // per body; now; who pushes in this step
  bool any_ = false, closes_ = false;
  int calm_ = 0;     // steps at rest, less those that were not
  double fast_ = 0;  // m/s
};

}  // namespace carom::methods
