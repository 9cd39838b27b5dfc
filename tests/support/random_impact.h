// The material of random impacts: seeded numbers, bodies of arbitrary inertia, joints between them,
// contacts, and motions that open them.
#pragma once

#include <cmath>

#include "carom/base/random.h"
#include "carom/math/rotation.h"
#include "reference/long_contacts.h"
#include "support/problems.h"

namespace carom::support {

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : random_(seed) {}

  double between(double low, double high) { return random_.uniform(low, high); }
  Vec3 vector(double size) {
    const double x = between(-1, 1), y = between(-1, 1);
    return size * Vec3(x, y, between(-1, 1));
  }
  Vec3 direction() {
    for (int i = 0; i < 100; ++i) {
      const Vec3 v = vector(1);
      if (v.norm() > 0.1 && v.norm() <= 1) return v.normalized();
    }
    return Vec3::UnitX();
  }
  bool one_in(int count) { return random_.uniform() * count < 1; }
  int below(int count) { return static_cast<int>(random_.uniform() * count); }
  // Small numbers as often as large ones.
  int spread(int least, int most) {
    const double growth = std::pow((most + 1.0) / least, random_.uniform());
    return std::min(most, static_cast<int>(least * growth));
  }
  Vec3 whole_vector(int size) {
    const auto entry = [&] { return static_cast<double>(below(2 * size + 1) - size); };
    const double x = entry(), y = entry();
    return {x, y, entry()};
  }

 private:
  base::Random random_;
};

class RandomImpact {
 public:
  struct Contact {
    ContactSpec spec;
    bool squeezed = false;
  };

  explicit RandomImpact(std::uint64_t seed) : random(seed) {}

  RandomNumbers random;
  Bodies bodies;
  std::vector<Contact> contacts;

  int count() const { return static_cast<int>(bodies.masses.size()); }
  int size() const { return static_cast<int>(contacts.size()); }
  const Vec3& place(int body) const {
    return bodies.state.bodies[static_cast<std::size_t>(body)].x;
  }

  void add_body(double mass, const Mat3& inertia, const Vec3& x) {
    bodies.masses.push_back(mass);
    bodies.inertias.push_back(inertia);
    BodyState at;
    at.x = x;
    at.v = random.vector(1);
    at.w = random.vector(1);
    bodies.state.bodies.push_back(at);
  }

  // Masses within a factor of up to 1e8; all move, or all with the same energy, or one strikes.
  void add_bodies(int wanted) {
    constexpr double powers[] = {0, 1, 2, 4, 8};
    const double ratio = powers[random.below(5)];
    const int style = random.below(3);
    const int striking = random.below(wanted);
    for (int i = 0; i < wanted; ++i) {
      const double mass = std::pow(10, ratio * random.between(-0.5, 0.5));
      add_body(mass, mass * random_inertia(), random.vector(2));
      BodyState& at = bodies.state.bodies.back();
      const double standing = i == striking ? 1 : 0;
      const double scale = style == 0 ? 1 : style == 1 ? 1 / std::sqrt(mass) : standing;
      at.v *= scale;
      at.w *= scale;
    }
  }

  // Ball joints between neighbours in the list; velocities then obey them.
  void add_joints(int wanted) {
    for (int i = 0; i < wanted && i + 1 < count(); ++i) {
      const Vec3 anchor = (place(i) + place(i + 1)) / 2 + random.vector(0.5);
      for (int axis = 0; axis < 3; ++axis) add_joint_row(i, i + 1, anchor, Vec3::Unit(axis));
    }
    move_bodies(hold_implicit_equalities(reference::velocity_of(bodies.state)));
  }

  // Two bodies, or a body and a wall, and a point about them.
  ContactSpec somewhere(bool walls) {
    ContactSpec spec;
    spec.a = random.below(count());
    spec.b = count() == 1 || (walls && random.one_in(3)) ? -1 : random.below(count() - 1);
    if (spec.b >= spec.a) ++spec.b;
    const Vec3 middle = spec.b < 0 ? place(spec.a) : Vec3((place(spec.a) + place(spec.b)) / 2);
    spec.point = middle + random.vector(0.7);
    if (spec.b >= 0 && random.one_in(2)) std::swap(spec.a, spec.b);
    return spec;
  }

  // A motion that keeps joints and squeezed contacts.
  reference::LongVec random_motion() {
    reference::LongVec motion(6 * count());
    for (Eigen::Index i = 0; i < motion.size(); ++i) motion[i] = random.between(-1, 1);
    return hold_implicit_equalities(motion);
  }

  // How a motion opens a contact: a's velocity there seen from b.
  Vec3 opening_of(const ContactSpec& spec, const reference::LongVec& motion) const {
    const auto at = [&](int body) -> Vec3 {
      if (body < 0) return Vec3::Zero();
      const Vec3 v = motion.segment<3>(6 * body).cast<double>();
      const Vec3 w = motion.segment<3>(6 * body + 3).cast<double>();
      return v + w.cross(spec.point - place(body));
    };
    return at(spec.a) - at(spec.b);
  }

  contact::ContactProblem assemble() const {
    return assemble([](const Contact&) { return true; });
  }

 private:
  Mat3 random_inertia() {
    const double size = random.between(0.2, 1);
    const Mat3 turn = math::quat_exp(random.vector(3)).toRotationMatrix();
    const Vec3 moments = 0.3 * size * size * Vec3(1, 1.4, random.between(1, 1.7));
    return turn * moments.asDiagonal() * turn.transpose();
  }

  void add_joint_row(int a, int b, const Vec3& anchor, const Vec3& axis) {
    contact::EqualityRow row;
    row.block_a = a;
    row.block_b = b;
    row.linear_a = axis;
    row.angular_a = (anchor - place(a)).cross(axis);
    row.linear_b = -axis;
    row.angular_b = -(anchor - place(b)).cross(axis);
    joints_.push_back(row);
  }

  template <typename Wanted>
  contact::ContactProblem assemble(const Wanted& wanted) const {
    std::vector<ContactSpec> specs;
    for (const Contact& each : contacts) {
      if (wanted(each)) specs.push_back(each.spec);
    }
    contact::ContactProblem problem = make_problem(bodies, specs);
    problem.equalities = joints_;
    problem.islands.front().equalities = static_cast<std::int32_t>(joints_.size());
    const reference::LongContacts exact(problem);
    const reference::LongVec velocity = reference::velocity_of(bodies.state);
    for (std::size_t i = 0; i < joints_.size(); ++i)
      problem.equalities[i].rate = static_cast<double>(exact.joints[i].dot(velocity));
    return problem;
  }

  reference::LongVec hold_implicit_equalities(const reference::LongVec& velocity) const {
    const reference::LongContacts exact(assemble([](const Contact& c) { return c.squeezed; }));
    std::vector<reference::LongRow> held = exact.joints;
    for (std::size_t k = 0; 3 * k < exact.contacts.size(); ++k) held.push_back(exact.normal(k));
    return exact.hold(held, velocity);
  }

  void move_bodies(const reference::LongVec& velocity) {
    for (std::size_t i = 0; i < bodies.state.bodies.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(6 * i);
      bodies.state.bodies[i].v = velocity.segment<3>(at).cast<double>();
      bodies.state.bodies[i].w = velocity.segment<3>(at + 3).cast<double>();
    }
  }

  std::vector<contact::EqualityRow> joints_;
};

}  // namespace carom::support
