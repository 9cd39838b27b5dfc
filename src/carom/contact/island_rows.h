// One island in coordinates in which energy is plain: y with ½|y|² the kinetic energy of its
// bodies. An impulse p on a row r changes y by p·r, and the row's velocity is r·y + offset, so that
// masses, inertias and their two metrics (velocities in M, gradients in M⁻¹) appear nowhere below
// this line.
//
//   linear    y_v = √m v,      r_v = force / √m
//   angular   y_w = C⁻¹ w,     r_w = Cᵀ torque,     with I⁻¹ = C Cᵀ
//
// Joints, and implicit equalities (contacts on both sides of a squeezed body), are equalities from
// the start: bodies tied together by them form one group, one stretch of y, and within it every row
// is projected onto what the equalities leave free. Whoever pushes on a row moves the whole
// articulated body. Setting up costs as much as there are contacts, where groups are small.
#pragma once

#include <array>
#include <utility>

#include "carom/contact/contact_problem.h"
#include "carom/contact/equality_basis.h"
#include "carom/math/block_rows.h"

namespace carom::contact {

// The velocities to respond to, row by row of the problem: its own v⁻ for an impact, others for a
// step.
struct Rates {
  std::span<const Vec3> contacts;
  std::span<const double> equalities;
  std::span<const Vec3> couples{};  // what turns, per contact; empty: couples have no rows
};

class IslandRows {
 public:
  // `implicit` lists contacts of the island (counted from its first) whose normals are equalities.
  void set_up(const ContactProblem& problem, const Island& island, const Rates& rates,
              std::span<const std::int32_t> implicit = {});

  // A ball of couples that resists all turning, or the part of it about the normal, whose other two
  // rows are zero; of which contact, counted from the island's first.
  struct Couple {
    std::int32_t contact = 0;
    bool about_normal = false;
  };
  std::span<const Couple> couples() const { return couples_; }

  math::Index contacts() const { return island_.contacts; }
  // Rows 3k (normal), 3k + 1, 3k + 2 (tangents) of contact k, with their index by stretch. The
  // normal of an implicit equality, and a row that the equalities leave nothing of, is zero. Then
  // threes of the couples.
  const math::BlockRows& rows() const { return rows_; }
  // Velocities of the rows before any contact acts, equalities held; 3 per contact and couple.
  math::ConstVecView velocity() const { return velocity_.view(); }
  // The island's y at that moment, and what driven bodies add: velocity = rows·y + offset.
  math::ConstVecView start() const { return start_.view(); }
  math::ConstVecView offset() const { return offset_.view(); }
  int equality_rank() const { return rank_; }
  // By what the coordinates of rows are to be multiplied to be rid of masses.
  math::ConstVecView without_masses() const { return without_masses_.view(); }

  // Adds to x (3 per contact, zero at implicit equalities) the normal impulses that keep them
  // when x acts; they may pull.
  void add_implicit_impulses(math::VecView x);
  // Writes contact impulses x, couples after them, and the joint impulses that go with both to the
  // island's places.
  // There may be no implicit equalities.
  void store(math::ConstVecView x, Impulses& out);

 private:
  // A body: where its coordinates begin, and the roots of its inverse mass and inertia.
  struct Body {
    std::int32_t block = -1, group = -1;
    math::Index first = 0;
    double mass_root = 0;
    Mat3 inertia_root = Mat3::Zero();
  };
  struct Equality {
    std::int32_t group = 0;
    std::int32_t source = 0;  // row of the island: equalities, then contacts
    bool operator<(const Equality& other) const {
      return std::pair(group, source) < std::pair(other.group, other.source);
    }
  };
  struct Group {
    math::Index first_equality = 0, equalities = 0;
    EqualityBasis basis;
  };
  // Force and torque of a unit impulse on one side of a row.
  struct Push {
    std::int32_t block = -1;
    Vec3 force, torque;
  };

  void collect_bodies();
  std::int32_t body_of(std::int32_t block);
  void form_groups();
  void build_equalities(const Rates& rates);
  void build_contacts(const Rates& rates);
  void list_couples(const Rates& rates);
  void build_couples(const Rates& rates);
  void build_row(const std::array<Push, 2>& pushes, double rate, bool is_implicit);
  std::array<Push, 2> turn_of(const Couple& couple, int axis) const;
  void add_row(math::BlockRows& rows, const Push& a, const Push& b) const;
  void push(const Push& by, double impulse, math::VecView y) const;
  void build_basis(std::int32_t group);
  math::VecView equality_impulses(math::ConstVecView x);
  std::int32_t group_of(std::int32_t block) const;
  std::array<Push, 2> pushes_of(const Equality& equality) const;
  double rate_of(const Equality& equality, const Rates& rates) const;

  const ContactProblem* problem_ = nullptr;
  Island island_{};
  std::vector<std::int32_t> implicit_;
  std::vector<Couple> couples_;
  std::vector<Body> bodies_;
  std::vector<std::int32_t> body_of_block_;  // -1 outside the island
  base::DisjointSets tied_;                  // bodies, by equalities
  std::vector<math::BlockRows::Stretch> stretches_;
  std::vector<Group> groups_;
  std::vector<Equality> equality_list_;
  math::BlockRows rows_, equality_rows_;
  math::VecBuffer velocity_, start_, offset_, equality_rate_, multipliers_, change_,
      without_masses_;
  math::MatBuffer columns_, massless_;
  int rank_ = 0;
};

}  // namespace carom::contact
