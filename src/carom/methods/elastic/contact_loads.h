// The forces of all pairs in contact at a state, and how they change with it: eq. 3 at every node
// of every pair. Balls, and corners over planes, are nodes of their own; where shapes touch over a
// region, its corners share one spring, each in proportion to the length of outline next to it, so
// that a corner which splits in two, or two that meet, change nothing, and less as it rises above
// the surface, so that a box which tips over an edge passes its spring on to that edge. Measured by
// portals (pair_measure.h), each two convex pieces have one node.
//
// Bristles (friction `stick`): each pair carries a deflection z across its normal, |z| <= 1. A node
// that slips by v bends it by
//
//   z' = (v - |v| z)/√(ℓ² + τ² v²)        f_t = -μ f_n (z + τ z')
//
// and the bristle of a pair by the mean of these, weighted by the nodes' loads. While a node
// slides, τ |v| beyond ℓ, f_t is Coulomb's friction against its own slip, whatever the bristle; at
// rest z' = 0 and v = 0 under any load within the cone: it does not creep. |f_t| <= μ f_n, and what
// friction takes from the motion is never less than what the bristle takes in. ℓ is the deflection
// of the spring at which two balls begin to slide (Mindlin), τ what damps it.
#pragma once

#include "carom/math/buffers.h"
#include "carom/methods/elastic/elastic_contact.h"
#include "carom/methods/elastic/shape_factors.h"

namespace carom::methods {

// The law of one pair. Constant while it lasts but for the factor of shape, which goes with the
// normal.
struct PairConstants {
  PairLaw law;          // without the factor of shape
  double yield = 0;     // ℓ, m
  double settling = 0;  // τ, s
  double rolling = 0;   // μ_r
  double spinning = 0;  // μ_s
  double restitution = 0;
  double lasts = 0;  // s; about how long, at the speed at which it began
};

// How a bristle moves.
struct BristleRate {
  Vec3 value = Vec3::Zero();
  Mat3 by_bristle = Mat3::Zero(), by_velocity = Mat3::Zero(), by_place = Mat3::Zero();
};

// One point at which a pair pushes; forces act on a.
struct Node {
  std::size_t touch = 0;
  Vec3 point = Vec3::Zero(), normal = Vec3::Zero();
  Vec3 force = Vec3::Zero(), couple = Vec3::Zero();
  double spring = 0;  // N; what of it is not damping
  double bent = 0;    // J; in the bristle
  // How the force changes with the place, velocity and bristle of a against b, and the couple with
  // place, velocity and spin.
  Mat3 by_place = Mat3::Zero(), by_velocity = Mat3::Zero(), by_bristle = Mat3::Zero();
  Mat3 couple_by_place = Mat3::Zero(), couple_by_velocity = Mat3::Zero(),
       couple_by_spin = Mat3::Zero();
  BristleRate bristle;         // part of the pair's
  double depth = 0, rate = 0;  // δ, δ'
};

// A point at which a pair may push, and the law by which it does there.
struct Spring {
  contact::Contact at;
  PairLaw law;
};

class ContactLoads {
 public:
  // `touches` must outlive this.
  ContactLoads(const Scene& scene, Touches& touches) : scene_(scene), touches_(touches) {}

  // After they have changed.
  void prepare(const Elastic& options);

  // A bristle after so many seconds of the slip that a pair has.
  Vec3 first_bend(std::size_t touch, const State& state, double seconds);

  // The greatest δ' of each pair, m/s, as evaluated last; remember() makes them the greatest so
  // far.
  void read_approach(std::vector<double>& out) const;
  void remember(std::span<const double> approach);

  // Every spring of a pair whose ends are no farther apart than `reach`; and where those are at
  // another state that are still found there.
  void append_springs(std::size_t touch, const State& state, double reach,
                      std::vector<Spring>& out);
  void follow(std::size_t touch, const State& state, std::span<contact::Contact> points,
              contact::NearContacts& work) const;

  // Everything at one state, with bristles as three numbers per slot.
  void evaluate(const State& state, math::VecIn bristles);

  const std::vector<Node>& nodes() const { return nodes_; }
  // One per touch; how they change with velocities and places stands with the nodes.
  const std::vector<BristleRate>& bristle_rates() const { return rates_; }
  double deepest() const;  // m; the greatest indentation
  double bent() const;     // in bristles, J

  double shortest() const;  // s; the least time that a contact lasts

 private:
  struct Slip {
    Vec3 velocity;  // across the normal
    double depth, rate;
  };

  // contact_points.cpp
  GeometryFactors factors_of(std::size_t touch, const State& state, const SurfacePoint& at);
  void share_out(std::span<const contact::Contact> points, double margin);
  void measure_outline(std::span<const contact::Contact> points);
  void find_points(std::size_t touch, const State& state, double reach);  // with their shares
  PairLaw law_at(std::size_t touch, const GeometryFactors& factors, double share) const;

  // contact_loads.cpp
  PairConstants constants_of(std::size_t touch) const;
  Damped damped(std::size_t touch, double rate) const;
  void resist_turning(const PairConstants& pair, double arm, const NormalForce& normal,
                      const Vec3& spin, Node& node) const;
  void add_node(std::size_t touch, const contact::Contact& at, double share, const State& state,
                const Vec3& bristle);
  void add_bristle(std::size_t touch, const Vec3& bristle, std::size_t first);
  Slip slip_at(const contact::Contact& at, const State& state) const;
  double effective_mass(std::size_t touch) const;

  const Scene& scene_;
  Touches& touches_;
  Elastic options_;
  std::vector<PairConstants> constants_;
  std::vector<Node> nodes_;
  std::vector<BristleRate> rates_;
  contact::NearContacts near_;
  std::vector<double> shares_;
  std::vector<std::pair<double, std::size_t>> around_;  // points of a region by their angle
};

}  // namespace carom::methods
