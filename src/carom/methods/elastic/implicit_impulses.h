// Impulses of springs at one instant: those with which the springs of a cluster push at the end of
// the free flight of duration h that follows. A flight and such impulses, again and again, are
// implicit Euler for the velocity in the middle of flights, w,
//
//   x₁ = x₀ + h w₁          M (w₁ - w₀) = h (f(x₁) + M g)
//
// with the force law of Neumayr & Otter without its damping (eq. 3a), and it is exact in momentum
// and angular momentum. A convex potential of elastic energy cannot grow by it whatever h is, and
// what is stiff comes to rest in one step: so contacts begin and end in a step without a restart,
// and those that last shorter do not bounce.
//
// With gaps linear in the velocities, w minimises the convex
//
//   ½ |w - w_free|²_M + Σ F(δ) + Σ h μ N √(|v_t|² + ε²) + ½ Σ κ e²,
//
// F the energy of a spring, N the normal force found before, e the error of a joint's row: Newton's
// method with a line search. Gaps are then measured where the flight leads, and it is solved again.
//
// Curved shapes have no gaps linear in anything, and springs change with how shapes touch. So where
// impulses would give the motion more than springs have taken from it and then do not hold, springs
// keep the depth that they have: whatever shapes do no energy is gained.
#pragma once

#include "carom/math/block_factor.h"
#include "carom/methods/elastic/cluster_equations.h"
#include "carom/methods/elastic/near_pairs.h"

namespace carom::methods {

class ImplicitImpulses {
 public:
  ImplicitImpulses(const Scene& scene, NearPairs& near, const BodyTracks& tracks,
                   ClusterScratch& scratch)
      : scene_(scene), near_(near), tracks_(tracks), scratch_(scratch), loads_(scene, pairs_) {}

  struct Cluster {
    std::span<const BodyId> bodies;      // with slots in the scratch
    std::span<const std::size_t> pairs;  // near ones, of which a body of the cluster is one
    bool with_joints;
    double stored;  // J; what springs have taken from the motion, and may give back
  };
  // What acted between two bodies, or in a joint.
  struct Acted {
    record::CarriedForce force;  // the mean over the flight
    record::ForceEffect effect;
    ElasticContact touch;  // a contact's bristle, and what its springs hold
    double depth = 0;      // m; at the instant
  };

  // At the scratch's time and state, of which it changes the velocities of these bodies.
  std::span<const Acted> apply(const Elastic& options, const Cluster& cluster, double duration);

 private:
  using Index = math::Index;
  // Three rows each: the normal and two tangents, the first of them along the slip.
  struct Contact {
    std::size_t pair = 0;
    Spring spring;
    Index row = 0;
    std::array<double, 3>
        before{};  // m/s; the rows' rates in the middle of a flight without impulses
    double measured_gap = 0, measured_rate = 0;  // at the end of a flight with that opening rate
    double load = 0, held = 0;                   // N, and J by the spring
    Vec3 impulse = Vec3::Zero();                 // N s; along the rows
    Vec3 pushed = Vec3::Zero(), weights = Vec3::Zero();  // the law's impulse, and its slope
  };
  struct Hold {  // a joint's row
    dynamics::JointRow joint;
    Index row = 0;
    double before = 0, stiffness = 0, error = 0, error_rate = 0, impulse = 0, pushed = 0;
  };
  void find_contacts(const Cluster& cluster);
  void set_up(const Cluster& cluster);
  void add_part(BodyId id, Index row, int part, const Vec3& linear, const Vec3& angular);
  std::int32_t stretch_of(BodyId id) const;
  void minimise();
  double potential(math::VecIn u);
  void linearise(math::VecIn u);
  void align_tangents(math::VecIn u);
  void move_impulses(double part);
  bool find_direction();
  bool measure(const Cluster& cluster);
  void solve(const Cluster& cluster);
  double bound_gain(const Cluster& cluster);
  double held_at_instant();
  double held_ahead();  // at the end of the flight
  void hold_depths();
  double find_work() const;
  double hop_energy(const Cluster& cluster) const;
  Vec3 fall_of(const contact::Contact& at) const;
  double fall_along(const dynamics::JointRow& row) const;
  void change_velocities(const Cluster& cluster, State& state) const;
  void write_effects(double stored);
  void write_contacts(double share);
  void write_joints();
  Vec3 rates(const Contact& contact, math::VecIn u) const;
  double gap_ahead(const Contact& contact, double opening) const;
  Vec3 mean_velocity(BodyId id, const Vec3& point) const;

  const Scene& scene_;
  NearPairs& near_;
  const BodyTracks& tracks_;
  ClusterScratch& scratch_;
  Elastic options_;
  double h_ = 0;
  double least_slip_ = 0;  // m/s
  double enough_ = 0;      // size of a gradient that counts as zero
  Touches pairs_;
  ContactLoads loads_;
  std::vector<Spring> springs_;
  std::vector<Contact> contacts_;
  std::vector<Hold> holds_;
  std::vector<dynamics::JointRow> joints_;
  math::BlockRows rows_;
  math::BlockFactor factor_;
  std::vector<math::BlockRows::Stretch> stretches_;
  std::vector<double> root_masses_;
  std::vector<Mat3> roots_;  // C of I⁻¹ = C Cᵀ, one per body
  math::VecBuffer u_, direction_, trial_, gradient_;
  State before_, ahead_;
  contact::NearContacts work_;
  std::vector<contact::Contact> followed_;
  std::vector<Acted> acted_;
};

}  // namespace carom::methods
