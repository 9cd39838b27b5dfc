#include "carom/contact/contact_problem.h"

#include <algorithm>
#include <numeric>

namespace carom::contact {

namespace {

Vec3 side_rate(const BodyState& body, const Vec3& lever) { return body.twist().at(lever); }

ContactRow make_row(const Contact& contact, const State& state) {
  const BodyState& a = state[contact.a];
  const BodyState& b = state[contact.b];
  const math::Tangents tangents = math::make_tangents(contact.at.normal);
  ContactRow row;
  row.a.lever = contact.at.point - a.x;
  row.b.lever = contact.at.point - b.x;
  row.normal = contact.at.normal;
  row.tangent1 = tangents.first;
  row.tangent2 = tangents.second;
  row.restitution = contact.restitution;
  row.friction = contact.friction;
  row.bias = {contact.bias, row.tangent1.dot(contact.slip_bias),
              row.tangent2.dot(contact.slip_bias)};
  row.gap = contact.at.gap;
  const Vec3 relative = side_rate(a, row.a.lever) - side_rate(b, row.b.lever);
  row.rate = {row.normal.dot(relative), row.tangent1.dot(relative), row.tangent2.dot(relative)};
  row.rolling = contact.rolling_friction;
  row.spinning = contact.spinning_friction;
  return row;
}

// R, and what turns: 1/R is the sum of what the distances from the contact to the centres of bodies
// that move freely are one over.
void measure_turning(const Vec3& spin, ContactRow& row) {
  const double bends = (row.a.block >= 0 ? 1 / row.a.lever.norm() : 0) +
                       (row.b.block >= 0 ? 1 / row.b.lever.norm() : 0);
  row.arm = bends > 0 ? 1 / bends : 0;
  row.turning =
      row.arm * Vec3(row.normal.dot(spin), row.tangent1.dot(spin), row.tangent2.dot(spin));
}

}  // namespace

void Assembler::assemble(const ContactSet& contacts, std::span<const dynamics::JointRow> joints,
                         const State& state, ContactProblem& out) {
  block_of_body_.assign(scene_.bodies.size(), -1);
  connected_.reset(0);
  out.blocks.clear();
  unsorted_contacts_.clear();
  unsorted_equalities_.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ContactRow row = make_row(contacts[i], state);
    row.a.block = block_of(contacts[i].a, state, out);
    row.b.block = block_of(contacts[i].b, state, out);
    row.source = static_cast<std::int32_t>(i);
    if (row.resists_turning())
      measure_turning(state[contacts[i].a].w - state[contacts[i].b].w, row);
    join(row.a.block, row.b.block);
    unsorted_contacts_.push_back(row);
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const dynamics::JointRow& row = joints[i];
    const std::int32_t a = block_of(row.a, state, out);
    const std::int32_t b = block_of(row.b, state, out);
    join(a, b);
    unsorted_equalities_.push_back({a, b, row.linear_a, row.angular_a, row.linear_b, row.angular_b,
                                    dynamics::row_rate(row, state) - row.speed, row.error, row.bias,
                                    static_cast<std::int32_t>(i)});
  }
  split_into_islands(out);
}

void Assembler::include(std::span<const BodyId> bodies, const State& state, ContactProblem& out) {
  for (const BodyId id : bodies) block_of(id, state, out);
}

std::int32_t Assembler::block_of(BodyId id, const State& state, ContactProblem& out) {
  const Body& body = scene_.body(id);
  if (!body.is_dynamic()) return -1;
  std::int32_t& block = block_of_body_[index(id)];
  if (block < 0) {
    block = static_cast<std::int32_t>(out.blocks.size());
    const BodyState& at = state[id];
    out.blocks.push_back(
        {id, body.inverse_mass, dynamics::world_inverse_inertia(body, at.q), at.v, at.w});
    connected_.add();
  }
  return block;
}

void Assembler::join(std::int32_t a, std::int32_t b) {
  if (a < 0 || b < 0) return;
  connected_.unite(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
}

// Islands are numbered by their first row, and rows keep their order within an island.
void Assembler::split_into_islands(ContactProblem& out) {
  out.islands.clear();
  island_of_root_.assign(out.blocks.size(), -1);
  const auto island_of = [&](std::int32_t a, std::int32_t b) -> std::int32_t {
    const std::size_t root = connected_.root_of(static_cast<std::size_t>(a >= 0 ? a : b));
    if (island_of_root_[root] < 0) {
      island_of_root_[root] = static_cast<std::int32_t>(out.islands.size());
      out.islands.emplace_back();
    }
    return island_of_root_[root];
  };
  const auto island = [&](std::int32_t i) -> Island& {
    return out.islands[static_cast<std::size_t>(i)];
  };
  for (const ContactRow& row : unsorted_contacts_)
    ++island(island_of(row.a.block, row.b.block)).contacts;
  for (const EqualityRow& row : unsorted_equalities_)
    ++island(island_of(row.block_a, row.block_b)).equalities;
  std::int32_t contacts = 0;
  std::int32_t equalities = 0;
  for (Island& each : out.islands) {
    each.first_contact = std::exchange(contacts, contacts + each.contacts);
    each.first_equality = std::exchange(equalities, equalities + each.equalities);
    each.contacts = each.equalities = 0;  // counted again while filling
  }
  out.contacts.resize(unsorted_contacts_.size());
  out.equalities.resize(unsorted_equalities_.size());
  for (const ContactRow& row : unsorted_contacts_) {
    Island& to = island(island_of(row.a.block, row.b.block));
    out.contacts[to.contact(to.contacts++)] = row;
  }
  for (const EqualityRow& row : unsorted_equalities_) {
    Island& to = island(island_of(row.block_a, row.block_b));
    out.equalities[to.equality(to.equalities++)] = row;
  }
}

namespace {

// Calls push(block, force, torque) for both sides of every row.
template <typename Push>
void for_each_push(const ContactProblem& problem, const Impulses& impulses, const Push& push) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ContactRow& row = problem.contacts[i];
    const Vec3 p = world_impulse(row, impulses.contacts[i]);
    if (row.a.block >= 0) push(row.a.block, p, row.a.lever.cross(p));
    if (row.b.block >= 0) push(row.b.block, -p, -row.b.lever.cross(p));
    const Vec3 couple = world_couple(problem, impulses, i);
    if (couple.isZero(0)) continue;
    if (row.a.block >= 0) push(row.a.block, Vec3::Zero(), couple);
    if (row.b.block >= 0) push(row.b.block, Vec3::Zero(), -couple);
  }
  for (std::size_t i = 0; i < problem.equalities.size(); ++i) {
    const EqualityRow& row = problem.equalities[i];
    const double p = impulses.equalities[i];
    if (row.block_a >= 0) push(row.block_a, p * row.linear_a, p * row.angular_a);
    if (row.block_b >= 0) push(row.block_b, p * row.linear_b, p * row.angular_b);
  }
}

}  // namespace

bool resists_turning(const ContactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const ContactRow& row) { return row.resists_turning(); });
}

void clear_couples(const ContactProblem& problem, Impulses& impulses) {
  const bool any = resists_turning(problem);
  impulses.couples.assign(any ? problem.contacts.size() : 0, Vec3::Zero());
}

void apply_impulses(const ContactProblem& problem, const Impulses& impulses, State& state) {
  for_each_push(problem, impulses, [&](std::int32_t b, const Vec3& force, const Vec3& torque) {
    const BodyBlock& block = problem.blocks[static_cast<std::size_t>(b)];
    state[block.id].v += block.inverse_mass * force;
    state[block.id].w += block.inverse_inertia * torque;
  });
}

void apply_as_forces(const ContactProblem& problem, const Impulses& impulses, double duration,
                     std::span<Wrench> wrenches) {
  for_each_push(problem, impulses, [&](std::int32_t b, const Vec3& force, const Vec3& torque) {
    Wrench& wrench = wrenches[index(problem.blocks[static_cast<std::size_t>(b)].id)];
    wrench.force += force / duration;
    wrench.torque += torque / duration;
    wrench.leverage += torque.norm() / duration;
  });
}

}  // namespace carom::contact
