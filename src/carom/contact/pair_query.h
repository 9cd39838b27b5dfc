// The questions asked of one pair of shapes, or of the stops of one joint: where do they touch now,
// where may they touch soon, and when will they touch in a flight. Balls, and corners over planes,
// are feature pairs in closed form; everything else goes through signed distance and contact
// regions. Keeps hints and memory between questions.
#pragma once

#include <span>
#include <vector>

#include "carom/contact/followed.h"
#include "carom/dynamics/flight.h"
#include "carom/geometry/distance/shape_pairs.h"
#include "carom/geometry/regions/near_region.h"
#include "carom/geometry/times/gap_bounds.h"
#include "carom/geometry/times/time_of_contact.h"
#include "carom/model/scene.h"

namespace carom::contact {

// Two shapes of a scene. Body a owns the first feature of each feature pair.
struct ShapePair {
  BodyId a{}, b{};
  std::int32_t shape_a = 0, shape_b = 0;
  geometry::PairRoutine routine = geometry::PairRoutine::Ignored;
};

// A contact that happens during a flight, s seconds after its start.
struct ContactTime {
  double s = 0;
  BodyId a{}, b{};
  std::int64_t feature = 0;
  double rate = 0;  // d gap/dt then; negative is an impact
};

// Contacts found by some queries in a row, and memory to work in.
struct NearContacts {
  ContactSet found;
  std::vector<geometry::NearPoint> points;
};

class PairQuery {
 public:
  // `a` and `b` are the pair's shapes made ready; they must outlive the query.
  void set(const Scene& scene, const ShapePair& pair, const geometry::Convex& a,
           const geometry::Convex& b);

  // Stops of a joint instead: their pairs on the bodies, and a name that no two shapes have.
  void set_stops(BodyId a, BodyId b, const std::vector<geometry::FeaturePair>& stops,
                 double restitution, std::int64_t name);

  const ShapePair& pair() const { return pair_; }

  // Brings what append_near reads near to the processor, some queries ahead.
  void prefetch() const;

  // One feature for every contact, unless nobody asks.
  void append_contacts(const Scene& scene, const State& state, ContactSet& out,
                       std::vector<ContactFeatures>* features = nullptr);

  // The points that may touch within a short time: those at which the gap is at most `margin`. Near
  // points of shapes that lean are as good as the margin; where the shapes are nearer than
  // `touching`, the points at which they touch are among them, as append_contacts() has them.
  struct Soon {
    double duration, margin;
    double touching = 0;  // m
  };
  void append_near(const State& state, const Soon& soon, NearContacts& out);

  // Moves those of the contacts found before that this question finds again, by their names or as
  // the only one, to where they are now; the others are left. `at` are all contacts of this query.
  void follow_near(const State& state, const Soon& soon, std::span<Contact> at, NearContacts& work);

  double compute_gap(const Scene& scene, const State& state);    // the least of the pair
  Contact find_nearest(const Scene& scene, const State& state);  // where it is least
  std::int64_t name() const { return feature_id(0); }            // among the pairs of two bodies
  bool in_closed_form() const { return !features_.empty(); }
  const geometry::Convex& convex_a() const { return *convex_a_; }
  const geometry::Convex& convex_b() const { return *convex_b_; }

  // Two bodies on clocks of their own, `left` seconds before a horizon (Mirtich & Canny, §3.1).
  struct Clocks {
    const RigidMotion &a, &b;
    double s_a, s_b;  // now, on either motion
    double left;
    double band = 0;  // m; nearer points that approach count as meeting
    double tolerance =
        0;             // m; shapes that overlap by more than the depth may sink by this much more
    double depth = 0;  // m; shapes that overlap by less count as apart; negative: those that are
                       // apart by more
  };
  struct Look {
    double gap = 0;             // no points are nearer
    geometry::ContactPoint at;  // the nearest point; within the band, that which approaches fastest
    double rate = 0;            // d gap/dt there
    double wait = 0;            // no contact before, at the least
  };
  Look look(const Clocks& now);
  void forget() { search_.hint = {}; }
  const model::PairProperties& between() const { return between_; }

  // Fills times() and says whether the search finished.
  void search(const Scene& scene, const Flight& flight);
  const std::vector<ContactTime>& times() const { return times_; }
  bool capped() const { return capped_; }
  double unproven() const { return search_.unproven; }  // m; geometry::TouchSearch

 private:
  struct Start {  // of a flight, for all features
    geometry::PairKinematics at;
    geometry::BoundedBodies bounds;
  };
  void search_feature(const Scene& scene, std::size_t feature, const Flight& flight,
                      const Start& begin);
  void search_shapes(const Scene& scene, const Flight& flight);
  geometry::Distance distance(const Scene& scene, const State& state);
  void find_fastest_approach(const geometry::Distance& apart, const geometry::BoundedBodies& now,
                             double band, Look& look);
  void append_region(const Scene& scene, const State& state, ContactSet& out,
                     std::vector<ContactFeatures>* features);
  double separation_along(const Vec3& normal, const geometry::Placed& a,
                          const geometry::Placed& b) const;
  bool is_beyond(double margin, const geometry::Placed& a, const geometry::Placed& b) const;
  void find_near_points(const geometry::NearQuery& query, const geometry::Placed& a,
                        const geometry::Placed& b, std::vector<geometry::NearPoint>& out);
  void append_touching(const State& state, double touching, std::size_t first, ContactSet& found);
  ContactFeatures features_of(const geometry::RegionPoint& point) const;  // on the bodies
  Contact make_contact(const geometry::ContactPoint& at, const math::Sample& gap,
                       std::int64_t feature) const;
  Contact near_contact(const State& state, const geometry::ContactPoint& at,
                       std::int64_t feature) const;
  std::int64_t feature_id(std::int64_t within) const { return name_ ^ within; }

  ShapePair pair_;
  std::int64_t name_ = 0;
  const geometry::Convex* convex_a_ = nullptr;
  const geometry::Convex* convex_b_ = nullptr;
  model::PairProperties between_;
  std::vector<geometry::FeaturePair> features_;  // in closed form
  Pose X_AS_, X_BS_;
  geometry::TouchSearch search_;
  std::vector<geometry::TouchTime> touches_;
  std::vector<ContactTime> times_;
  bool capped_ = false;
};

}  // namespace carom::contact
