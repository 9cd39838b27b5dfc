// The entries of the Jacobian of ClusterEquations.
#include "carom/methods/elastic/cluster_equations.h"

namespace carom::methods {

namespace {

// A small turn that changes an attitude by dq is 2 dq q*; q as w, x, y, z.
math::Mat3x4 turn_by_attitude(const Quat& q) {
  math::Mat3x4 turn;
  turn.col(0) = -2 * q.vec();
  turn.rightCols<3>() = 2 * (q.w() * Mat3::Identity() + math::skew(q.vec()));
  return turn;
}

}  // namespace

void ClusterEquations::jacobian(double t, double c, math::VecIn y, math::VecIn rate,
                                math::VecView values) {
  unpack(t, y);
  load(bristles(y), multipliers(rate));
  values.setZero();
  for (const BodyId id : bodies_) {
    const BodyPlaces& places = body_places_[static_cast<std::size_t>(scratch_.slot[index(id)])];
    const BodyState& body = now()[id];
    for (std::size_t i = 0; i < 3; ++i) {
      values[places.x[i]] += c;
      values[places.x[3 + i]] -= 1;
      values[places.own[7 + i] + static_cast<math::Index>(i)] += c;
      values[places.own[10 + i] + 3 + static_cast<math::Index>(i)] += c;
    }
    // q' = ½ (0, ω) q: by q, and by L through ω.
    const Mat3 inverse = dynamics::world_inverse_inertia(scene_.body(id), body.q);
    const math::Mat3x4 turn = turn_by_attitude(body.q);  // rows: ½ (0, e) q = ¼ turnᵀ e
    for (math::Index k = 0; k < 4; ++k) {
      const auto place = places.q[static_cast<std::size_t>(k)];
      values[place + k] += c;
      if (k == 0) {
        values.segment<3>(place + 1) -= 0.5 * body.w;
      } else {
        values[place] += 0.5 * body.w[k - 1];
        values.segment<3>(place + 1) -= 0.5 * body.w.cross(Vec3::Unit(k - 1));
      }
    }
    for (math::Index k = 0; k < 3; ++k)
      values.segment<4>(places.q[static_cast<std::size_t>(4 + k)]) -=
          0.25 * turn.transpose() * inverse.col(k);
  }
  add_contacts_to(values);
  for (math::Index z = bristle_offset(); z < size(); ++z) values[find_place(z, z)] += c;
  add_joints_to(c, values);
}

void ClusterEquations::add_contacts_to(math::VecView values) const {
  for (const Node& node : loads_.nodes()) {
    const ElasticContact& pair = touches_.all[node.touch];
    const std::array<Side, 2> sides{side_of(pair.a, 1, node.point),
                                    side_of(pair.b, -1, node.point)};
    for (const Side& on : sides) {
      if (!moves(on.id)) continue;
      for (const Side& by : sides)
        if (moves(by.id)) add_node_to(node, on, by, values);
      if (stick_) add_bent_to(node, on, values);
      if (stick_) add_bending_to(node, on, values);
    }
  }
  for (std::size_t i = 0; stick_ && i < touches_.all.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      values.segment<3>(pair_places_[i].z_z[k]) -=
          loads_.bristle_rates()[i].by_bristle.col(static_cast<math::Index>(k));
}

ClusterEquations::Side ClusterEquations::side_of(BodyId id, double sign, const Vec3& point) const {
  return {id,
          sign,
          scene_.body(id).inverse_mass,
          point - now()[id].x,
          dynamics::world_inverse_inertia(scene_.body(id), now()[id].q),
          turn_by_attitude(now()[id].q)};
}

// How the force at a node on one body goes with the place, attitude, velocity and momentum of one.
void ClusterEquations::add_node_to(const Node& node, const Side& on, const Side& by,
                                   math::VecView values) const {
  const PairPlaces& places = pair_places_[node.touch];
  const auto& own = body_places_[static_cast<std::size_t>(scratch_.slot[index(on.id)])].own;
  const auto& other = on.sign > 0 ? places.a_b : places.b_a;
  const auto& block = on.id == by.id ? own : other;
  const Mat3 lever = math::skew(by.lever);
  const math::Mat3x4 by_attitude = -by.sign * node.by_place * lever * by.turn;
  const Mat3 by_momentum = -by.sign * node.by_velocity * lever * by.inverse;
  const math::Mat3x4 couple_by_attitude = -by.sign * node.couple_by_place * lever * by.turn;
  const Mat3 couple_by_momentum =
      by.sign * (node.couple_by_spin - node.couple_by_velocity * lever) * by.inverse;
  for (math::Index k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    take_off(on, block[i], by.sign * node.by_place.col(k), by.sign * node.couple_by_place.col(k),
             values);
    take_off(on, block[7 + i], by.sign * node.by_velocity.col(k),
             by.sign * node.couple_by_velocity.col(k), values);
    take_off(on, block[10 + i], by_momentum.col(k), couple_by_momentum.col(k), values);
  }
  for (math::Index k = 0; k < 4; ++k)
    take_off(on, block[3 + static_cast<std::size_t>(k)], by_attitude.col(k),
             couple_by_attitude.col(k), values);
}

void ClusterEquations::add_bent_to(const Node& node, const Side& on, math::VecView values) const {
  const PairPlaces& places = pair_places_[node.touch];
  const auto& column = on.sign > 0 ? places.a_z : places.b_z;
  for (math::Index k = 0; k < 3; ++k)
    take_off(on, column[static_cast<std::size_t>(k)], node.by_bristle.col(k), Vec3::Zero(), values);
}

// How the bristle goes with the place, attitude, velocity and momentum of a body, by what is at a
// node.
void ClusterEquations::add_bending_to(const Node& node, const Side& by,
                                      math::VecView values) const {
  const PairPlaces& places = pair_places_[node.touch];
  const auto& block = by.sign > 0 ? places.z_a : places.z_b;
  const Mat3 by_place = by.sign * node.bristle.by_place;
  const Mat3 by_velocity = by.sign * node.bristle.by_velocity;
  const math::Mat3x4 by_attitude = -by_place * math::skew(by.lever) * by.turn;
  const Mat3 by_momentum = -by_velocity * math::skew(by.lever) * by.inverse;
  for (math::Index k = 0; k < 4; ++k)
    values.segment<3>(block[3 + static_cast<std::size_t>(k)]) -= by_attitude.col(k);
  for (math::Index k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    values.segment<3>(block[i]) -= by_place.col(k);
    values.segment<3>(block[7 + i]) -= by_velocity.col(k);
    values.segment<3>(block[10 + i]) -= by_momentum.col(k);
  }
}

// A force on a and a couple, of the rows v and L of a body.
void ClusterEquations::take_off(const Side& on, std::int64_t place, const Vec3& force,
                                const Vec3& couple, math::VecView& values) {
  values.segment<3>(place) -= on.sign * on.inverse_mass * force;
  values.segment<3>(place + 3) -= on.sign * (on.lever.cross(force) + couple);
}

void ClusterEquations::add_joints_to(double c, math::VecView values) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const dynamics::JointRow& row = rows_[i];
    const RowPlaces& places = row_places_[i];
    const math::Index force = joint_offset() + static_cast<math::Index>(i),
                      shift = force + row_count_;
    values[find_place(force, force)] += c * compliance_[i];
    values[find_place(shift, shift)] += c * compliance_[i];
    const auto add = [&](BodyId id, const Vec3& linear, const Vec3& angular, const auto& error,
                         const auto& rate, std::int64_t push, std::int64_t move) {
      if (!moves(id)) return;
      const Quat& q = now()[id].q;
      const double inverse_mass = scene_.body(id).inverse_mass;
      const Mat3 inverse = dynamics::world_inverse_inertia(scene_.body(id), q);
      const math::Mat3x4 turn = turn_by_attitude(q);
      const Vec3 spin = inverse * angular;
      for (math::Index k = 0; k < 3; ++k) {
        values[error[static_cast<std::size_t>(k)]] += linear[k];
        values[rate[static_cast<std::size_t>(k)]] += linear[k];
        values[rate[static_cast<std::size_t>(3 + k)]] += spin[k];
      }
      for (math::Index k = 0; k < 4; ++k)
        values[error[static_cast<std::size_t>(3 + k)]] += angular.dot(turn.col(k));
      values.segment<3>(push) -= c * inverse_mass * linear;
      values.segment<3>(push + 3) -= c * angular;
      values.segment<3>(move) -= c * inverse_mass * linear;
      values.segment<4>(move + 3) -= c * 0.25 * turn.transpose() * spin;
    };
    add(row.a, row.linear_a, row.angular_a, places.error_a, places.rate_a, places.force_a,
        places.shift_a);
    add(row.b, row.linear_b, row.angular_b, places.error_b, places.rate_b, places.force_b,
        places.shift_b);
  }
}

}  // namespace carom::methods
