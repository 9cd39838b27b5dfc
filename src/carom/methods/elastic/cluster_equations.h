// A cluster, bodies that push each other, as one system 0 = F(t, y, y') (Neumayr & Otter, eq. 1).
// y holds x, q, v and the angular momentum L of every body, 13 numbers; for every row of a joint
// the integrals Λ and M of two multipliers; of every bristle three numbers.
//
//   x' - v - Gₓᵀ M'/m = 0          v' - (f + Gₓᵀ Λ')/m - g = 0
//   q' - ½ (ω + I⁻¹ G_ωᵀ M') q + κ (|q|² - 1) q = 0
//   L' - τ - G_ωᵀ Λ' = 0           joint error = 0, joint rate = 0
//
// Joints hold in place and velocity at once (Gear, Gupta & Leimkuhler 1985), and as multipliers
// enter by their integrals, one differentiation of the constraints gives all of y': index 1.
//
// The Jacobian follows the contact graph: each pair in contact couples the six equations of motion
// of either body to the other's 13 variables. Left out are how normals, lever arms and inertias
// turn with the bodies: terms of the order of indentation over radius, which slow the corrector,
// not the answer.
#pragma once

#include <array>
#include <optional>

#include "carom/dynamics/applied_forces.h"
#include "carom/dynamics/body_variables.h"
#include "carom/dynamics/joint_rows.h"
#include "carom/methods/elastic/body_tracks.h"
#include "carom/methods/elastic/contact_loads.h"
#include "carom/record/sink.h"
#include "carom/solvers/dae.h"

namespace carom::methods {

// What all clusters work in: numbers of bodies, each of which belongs to one cluster at the most.
struct ClusterScratch {
  ClusterScratch(const Scene& scene, const dynamics::AppliedForces& forces);
  const dynamics::AppliedForces& applied;

  State now;                      // the state that was put in last
  std::vector<math::Index> slot;  // in y of its cluster
  dynamics::AppliedWrenches wrenches;
  std::vector<Vec3> linear, angular;  // accelerations
  // What a solver has found of v' and L' is better than what follows from y: in stiff contacts the
  // last digits of places decide about forces. Kept for when another begins.
  std::vector<std::optional<std::array<double, 6>>> rates;
  std::vector<double> multipliers;  // joints', kept likewise
};

class ClusterEquations {
 public:
  ClusterEquations(const Scene& scene, Touches& touches, const BodyTracks& bodies,
                   ClusterScratch& scratch);

  // At the scratch's state, with these bodies (ascending), the touches, and all joints or none.
  // Pairs that had no bristle get one, as far as the first step will bend it.
  void begin(std::span<const BodyId> bodies, bool with_joints, const Elastic& options,
             double first_step);
  void lay_out();  // the Jacobian, again as pairs end
  void release() { bodies_.clear(); }
  std::span<const BodyId> bodies() const { return bodies_; }
  bool has_joints() const { return row_count_ > 0; }

  math::Index size() const;
  const solvers::SparsePattern& pattern() const { return pattern_; }

  void pack(math::VecView y) const;
  void unpack(double t, math::VecIn y);  // to the scratch, what is driven too
  void drive(double t);                  // puts what is driven there into the scratch
  math::ConstVecView bristles(math::VecIn y) const;

  // y' from y, joints included, and from what the scratch keeps.
  void find_rates(double t, math::VecIn y, math::VecView rate);
  // Puts rates into the scratch, and bristles into the touches: for whoever begins here.
  void keep(math::VecIn y, math::VecIn rate);

  void forget_rates();  // drops the rates that were kept

  bool residual(double t, math::VecIn y, math::VecIn rate, math::VecView out);
  void jacobian(double t, double c, math::VecIn y, math::VecIn rate, math::VecView values);
  void weights(math::VecIn y, double tolerance, math::VecView out) const;

  // Loads at the scratch's state, and what they do to the bodies.
  void load(math::VecIn bristles, math::VecIn multipliers);
  math::ConstVecView multipliers(math::VecIn rate) const;
  // What a program applies at the load last set, one per body of the cluster; or empty.
  void read_program(std::vector<Wrench>& out) const;
  // Accelerations by y', one per body of the cluster. Computed from y they would be the residuals
  // of the corrector, which stiff contacts multiply.
  void read_accelerations(math::VecIn rate, std::vector<math::Twist>& out) const;
  // What each contact and joint does, nine numbers a slot and a joint: impulse, moment about the
  // centre of the first of its bodies that moves, work on a and on b, what springs take in. (About
  // a point at rest the moment of a steady force on a body that slides grows, and low orders
  // integrate that badly.)
  VecX quadrature_errors(double tolerance) const;
  void quadrature(double t, math::VecIn y, math::VecIn rate, math::VecView out);
  // Effects in the order of append_forces, with moments about the world's origin.
  struct End {
    double t;
    std::span<const BodyState> bodies;  // the cluster's
    std::span<const record::CarriedForce> forces;
  };
  void read_effects(math::VecIn sums, const End& from, const End& to,
                    std::vector<record::ForceEffect>& out) const;
  // What springs hold, J, and with what they took in during a step; the second is remembered.
  double stored() const;
  double store(math::VecIn sums);

  // One for every pair in contact, then one for every joint.
  void append_forces(std::vector<record::CarriedForce>& out);

  ContactLoads& loads() { return loads_; }

 private:
  static constexpr math::Index kBody = dynamics::BodyVariables::kCount,
                               kQ = dynamics::BodyVariables::kQ, kV = dynamics::BodyVariables::kV,
                               kL = dynamics::BodyVariables::kL;
  struct BodyPlaces {
    std::array<std::int64_t, 13> own{};  // places of rows v, L in each column
    std::array<std::int64_t, 6> x{};     // places of the row of x in columns x and v
    std::array<std::int64_t, 7> q{};     // places of rows q in columns q and L
  };
  struct PairPlaces {
    std::array<std::int64_t, 13> a_b{}, b_a{};        // rows v, L of one in columns of the other
    std::array<std::int64_t, 13> z_a{}, z_b{};        // rows z in columns of one
    std::array<std::int64_t, 3> z_z{}, a_z{}, b_z{};  // rows z, and v, L of a and b, in columns z
  };
  struct RowPlaces {
    std::array<std::int64_t, 7> error_a{}, error_b{};  // in columns x, q
    std::array<std::int64_t, 6> rate_a{}, rate_b{};    // in columns v, L
    std::int64_t force_a = 0, force_b = 0;             // rows v, L in the column of Λ
    std::int64_t shift_a = 0, shift_b = 0;             // rows x, q in the column of M
  };
  using Columns = std::vector<std::vector<std::int64_t>>;

  bool moves(BodyId id) const { return scene_.body(id).is_dynamic(); }  // is in y
  math::Index offset(BodyId id) const { return kBody * scratch_.slot[index(id)]; }
  math::Index joint_offset() const { return kBody * static_cast<math::Index>(bodies_.size()); }
  math::Index bristle_offset() const { return joint_offset() + 2 * row_count_; }
  math::Index bristle_place(std::int32_t slot) const {
    return bristle_offset() + 3 * static_cast<math::Index>(slot);
  }
  math::Index bristle_size() const { return stick_ ? 3 * slot_count_ : 0; }
  math::Index place_of_effect(std::size_t force) const;
  BodyId center_of(const record::CarriedForce& force) const;

  // cluster_pattern.cpp
  void make_pattern();
  void couple(BodyId row, BodyId column, Columns& columns) const;
  void compress(Columns& columns);  // to pattern_
  std::int64_t find_place(math::Index row, math::Index column) const;
  // Places of a row's entries in consecutive columns, `column` the first.
  void find_in_row(math::Index row, math::Index column, std::span<std::int64_t> places) const;
  void find_body_places();
  void find_pair_places();
  void find_row_places();

  // cluster_equations.cpp, cluster_jacobian.cpp, cluster_effects.cpp, cluster_joints.cpp
  BodyState read_body(BodyId id, math::VecIn y) const;
  const State& now() const { return scratch_.now; }
  double mobility(const dynamics::JointRow& row, const dynamics::JointRow& by) const;
  MatX find_mobilities() const;
  void choose_compliances();
  struct Side {  // one body of a node
    BodyId id;
    double sign, inverse_mass;  // forces are those on a
    Vec3 lever;
    Mat3 inverse;
    math::Mat3x4 turn;
  };
  Side side_of(BodyId id, double sign, const Vec3& point) const;
  void add_contacts_to(math::VecView values) const;
  void add_node_to(const Node& node, const Side& on, const Side& by, math::VecView values) const;
  void add_bent_to(const Node& node, const Side& on, math::VecView values) const;
  void add_bending_to(const Node& node, const Side& by, math::VecView values) const;
  static void take_off(const Side& on, std::int64_t place, const Vec3& force, const Vec3& couple,
                       math::VecView& values);
  void add_joints_to(double c, math::VecView values) const;

  const Scene& scene_;
  Touches& touches_;
  const BodyTracks& tracks_;
  ClusterScratch& scratch_;
  ContactLoads loads_;
  std::vector<BodyId> bodies_;    // ascending
  math::Index row_count_ = 0;     // rows of joints
  std::int32_t joint_count_ = 0;  // joints with rows
  std::int32_t slot_count_ = 0;   // for pairs in contact
  std::vector<BodyId> driven_;
  bool stick_ = true;
  std::vector<dynamics::JointRow> rows_;
  std::vector<double> compliance_;  // one per row
  VecX multipliers_;
  std::vector<record::CarriedForce> acting_;
  std::vector<double> pair_loads_;
  solvers::SparsePattern pattern_;
  std::vector<BodyPlaces> body_places_;
  std::vector<PairPlaces> pair_places_;
  std::vector<RowPlaces> row_places_;
};

}  // namespace carom::methods
