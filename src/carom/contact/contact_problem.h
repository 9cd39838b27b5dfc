// What a solver sees: inverse masses, directions, coefficients, velocities. Algebra, no shapes, no
// time. Contacts are rows of three (normal, two tangents), joints are equality rows; both are split
// into islands of bodies that push one another, in a fixed order, so that islands can be solved
// anywhere and written back to their own places.
#pragma once

#include <span>
#include <vector>

#include "carom/base/disjoint_sets.h"
#include "carom/contact/contact_set.h"
#include "carom/dynamics/flight.h"
#include "carom/dynamics/joint_rows.h"

namespace carom::contact {

// One side of a row: which body it moves (-1: nothing can move that side) and how it is measured
// there. For a contact row the rate is direction·(v + w × lever).
struct Side {
  std::int32_t block = -1;
  Vec3 lever = Vec3::Zero();
};

struct ContactRow {
  Side a, b;
  Vec3 normal, tangent1, tangent2;
  double restitution = 0, friction = 0;
  Vec3 rate = Vec3::Zero();  // v⁻ along normal and tangents, driven bodies included
  Vec3 bias = Vec3::Zero();  // of the accelerations along them, from velocities alone
  double gap = 0;
  std::int32_t source = 0;  // index in the ContactSet
  // Of a couple κ on body a, opposed on b, whose parts along normal and tangents are an impulse
  // times `arm`; then its rates are velocities, and bounds are parts of the normal impulse.
  double rolling = 0, spinning = 0;
  double arm = 0;               // m
  Vec3 turning = Vec3::Zero();  // m/s; arm times the relative angular velocity, before

  bool resists_turning() const { return rolling > 0 || spinning > 0; }
};

// linear·v + angular·w, summed over both sides, less the row's speed is held at zero: joints.
struct EqualityRow {
  std::int32_t block_a = -1, block_b = -1;
  Vec3 linear_a, angular_a, linear_b, angular_b;
  double rate = 0;          // v⁻
  double error = 0;         // of the position whose rate this is
  double bias = 0;          // of its acceleration, from velocities alone
  std::int32_t source = 0;  // index in the list of joint rows
};

// A body that impulses can move.
struct BodyBlock {
  BodyId id{};
  double inverse_mass = 0;
  Mat3 inverse_inertia = Mat3::Zero();  // world axes
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
};

struct Island {
  std::int32_t first_contact = 0, contacts = 0;
  std::int32_t first_equality = 0, equalities = 0;

  // Where the island's k-th rows stand in the problem.
  template <typename Integer>
  std::size_t contact(Integer k) const {
    return static_cast<std::size_t>(first_contact) + static_cast<std::size_t>(k);
  }
  template <typename Integer>
  std::size_t equality(Integer k) const {
    return static_cast<std::size_t>(first_equality) + static_cast<std::size_t>(k);
  }
};

struct ContactProblem {
  std::vector<BodyBlock> blocks;
  std::vector<ContactRow> contacts;     // island by island
  std::vector<EqualityRow> equalities;  // island by island
  std::vector<Island> islands;
};

// Impulses on the rows: normal and tangents of each contact on body a, opposed on b; one number per
// equality.
struct Impulses {
  std::vector<Vec3> contacts;
  std::vector<double> equalities;
  std::vector<Vec3> couples{};  // per contact, over its arm; empty where none resists turning
};

// Collects the moving bodies, sets up every row at the given state and finds the islands. Only the
// listed contacts take part. Keeps its scratch memory between calls.
class Assembler {
 public:
  explicit Assembler(const Scene& scene) : scene_(scene) {}
  void assemble(const ContactSet& contacts, std::span<const dynamics::JointRow> joints,
                const State& state, ContactProblem& out);
  // Dynamic bodies that no row may move, after those of the rows just assembled.
  void include(std::span<const BodyId> bodies, const State& state, ContactProblem& out);

 private:
  std::int32_t block_of(BodyId id, const State& state, ContactProblem& out);
  void join(std::int32_t a, std::int32_t b);
  void split_into_islands(ContactProblem& out);

  const Scene& scene_;
  std::vector<std::int32_t> block_of_body_;
  base::DisjointSets connected_;  // blocks
  std::vector<std::int32_t> island_of_root_;
  std::vector<ContactRow> unsorted_contacts_;
  std::vector<EqualityRow> unsorted_equalities_;
};

// The impulse of one contact on body a, world axes.
inline Vec3 world_impulse(const ContactRow& row, const Vec3& impulse) {
  return impulse.x() * row.normal + impulse.y() * row.tangent1 + impulse.z() * row.tangent2;
}

// The couple of a contact of the problem on body a, world axes, N m s.
inline Vec3 world_couple(const ContactProblem& problem, const Impulses& impulses,
                         std::size_t contact) {
  if (impulses.couples.empty()) return Vec3::Zero();
  const ContactRow& row = problem.contacts[contact];
  return row.arm * world_impulse(row, impulses.couples[contact]);
}

// Whether any contact resists turning.
bool resists_turning(const ContactProblem& problem);

// No couples yet: one for each contact, or none where none resists turning.
void clear_couples(const ContactProblem& problem, Impulses& impulses);

// Changes the velocities of `state` by the impulses.
void apply_impulses(const ContactProblem& problem, const Impulses& impulses, State& state);

// The same impulses spread over `duration` as constant forces and torques, added per body.
void apply_as_forces(const ContactProblem& problem, const Impulses& impulses, double duration,
                     std::span<Wrench> wrenches);

}  // namespace carom::contact
