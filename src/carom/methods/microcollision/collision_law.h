// Collisions of two bodies in a world without lasting contact: what happens at one contact point,
// whichever engine found it. The epsilon is scaled to the smaller body: resting on something it
// hops to a height of epsilon times its diameter.
#pragma once

#include "carom/impact/laws/table.h"
#include "carom/methods/microcollision/balls/ball_contact.h"
#include "carom/record/frame.h"
#include "carom/record/sink.h"

namespace carom::methods {

// Two bodies where they meet, right before and, once they have collided, right after.
struct Encounter {
  BodyId id_a{}, id_b{};
  BodyState a, b;
  geometry::ContactPoint at;  // normal from b to a
  model::PairProperties between;
};

// How far two bodies that hold on to each other have slipped and turned, one on the other, since
// they met.
struct StickRecord {
  BodyId id_a{}, id_b{};
  double t = 0;               // s; of their last collision
  BodyState a, b;             // after it
  Vec3 foot = Vec3::Zero();   // then, in the plane of contact under the centre of the smaller
  Vec3 drift = Vec3::Zero();  // m; of a's point on b, until then
  double turn = 0;            // rad, about the normal
  double interval = 0;        // s; mean time between the last few collisions

  auto key() const { return std::pair(id_a, id_b); }
};

using StickRecords = std::vector<StickRecord>;  // sorted by their bodies

// What lasts from frame to frame.
struct MicrocollisionMemory {
  record::Vibration vibration;
  StickRecords sticks;
  std::int64_t undivided =
      0;  // frames to come that are not divided into regions (parallel_regions.h)

  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);
};

struct Bounce {
  record::Collision collision;
  record::Vibration vibration;  // this collision's
};

class CollisionLaw {
 public:
  CollisionLaw(const Scene& scene, const ClockOptions& options, const impact::Law& law,
               StickRecords& sticks);

  double hop_speed(BodyId a, BodyId b, const Vec3& normal) const;

  // A microcollision if the approach is slower than the hop speed, else an impact.
  Bounce collide(double t, const Encounter& meeting);

 private:
  impact::MicrocollisionResult find_impulse(const impact::Collision& collision,
                                            const impact::MicrocollisionRule& rule,
                                            const Encounter& meeting);
  Vec3 resolve_by_law(const impact::Collision& collision, const Encounter& meeting,
                      double restitution);
  Vec3 find_couple(const Encounter& meeting, const BodyState& a, const BodyState& b,
                   double normal_impulse) const;

  // stick_record.cpp
  StickRecord& find_stick_record(const Encounter& meeting);
  void update_stick(StickRecord& stick, double t, const Encounter& meeting, double hop_time) const;
  Vec3 find_foot(const Encounter& meeting) const;
  Vec3 moved(BodyId id, const BodyState& from, const BodyState& to, const Vec3& foot_from,
             const Vec3& foot_to, double dt) const;

  const Scene& scene_;
  HopRule rule_;
  impact::Law law_;
  StickRecords& sticks_;
  impact::ImpactWorkspace work_;
  contact::ContactProblem problem_;
  contact::Impulses impulses_;
};

}  // namespace carom::methods
