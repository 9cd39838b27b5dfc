#include "carom/contact/island_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/math/semidefinite_root.h"

namespace carom::contact {

namespace {

using math::BlockRows;
using math::ConstVecView;
using math::Index;
using math::VecView;

// A row of which the equalities leave less than this part is implied by them.
constexpr double kImplied = 1e-7;

// y with C y = w; coordinates that nothing can move stay zero.
Vec3 solve_root(const Mat3& C, const Vec3& w) {
  Vec3 y = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    if (C(k, k) > 0) y[k] = (w[k] - C.row(k).head(k).dot(y.head(k))) / C(k, k);
  }
  return y;
}

const Vec3& direction(const ContactRow& row, int axis) {
  return axis == 0 ? row.normal : axis == 1 ? row.tangent1 : row.tangent2;
}

}  // namespace

void IslandRows::set_up(const ContactProblem& problem, const Island& island, const Rates& rates,
                        std::span<const std::int32_t> implicit) {
  problem_ = &problem;
  island_ = island;
  implicit_.assign(implicit.begin(), implicit.end());
  collect_bodies();
  form_groups();
  build_equalities(rates);
  build_contacts(rates);
}

std::int32_t IslandRows::body_of(std::int32_t block) {
  if (block < 0) return -1;
  std::int32_t& body = body_of_block_[static_cast<std::size_t>(block)];
  if (body >= 0) return body;
  body = static_cast<std::int32_t>(bodies_.size());
  const BodyBlock& at = problem_->blocks[static_cast<std::size_t>(block)];
  bodies_.push_back({block, -1, 0, std::sqrt(at.inverse_mass), math::root_of(at.inverse_inertia)});
  return body;
}

void IslandRows::collect_bodies() {
  for (const Body& body : bodies_) {
    if (static_cast<std::size_t>(body.block) < body_of_block_.size())
      body_of_block_[static_cast<std::size_t>(body.block)] = -1;
  }
  body_of_block_.resize(problem_->blocks.size(), -1);
  bodies_.clear();
  for (std::int32_t k = 0; k < island_.contacts; ++k) {
    const ContactRow& row = problem_->contacts[island_.contact(k)];
    body_of(row.a.block);
    body_of(row.b.block);
  }
  for (std::int32_t k = 0; k < island_.equalities; ++k) {
    const EqualityRow& row = problem_->equalities[island_.equality(k)];
    body_of(row.block_a);
    body_of(row.block_b);
  }
}

std::array<IslandRows::Push, 2> IslandRows::pushes_of(const Equality& equality) const {
  if (equality.source < island_.equalities) {
    const EqualityRow& row = problem_->equalities[island_.equality(equality.source)];
    return {
        {{row.block_a, row.linear_a, row.angular_a}, {row.block_b, row.linear_b, row.angular_b}}};
  }
  const ContactRow& row = problem_->contacts[island_.contact(equality.source - island_.equalities)];
  return {{{row.a.block, row.normal, row.a.lever.cross(row.normal)},
           {row.b.block, -row.normal, -row.b.lever.cross(row.normal)}}};
}

double IslandRows::rate_of(const Equality& equality, const Rates& rates) const {
  if (equality.source < island_.equalities)
    return rates.equalities[island_.equality(equality.source)];
  return rates.contacts[island_.contact(equality.source - island_.equalities)].x();
}

// Bodies that equalities tie together are one group; groups and the bodies in them keep the order
// in which the rows name them.
void IslandRows::form_groups() {
  tied_.reset(bodies_.size());
  equality_list_.clear();
  for (std::int32_t k = 0; k < island_.equalities; ++k) equality_list_.push_back({0, k});
  for (const std::int32_t k : implicit_) equality_list_.push_back({0, island_.equalities + k});
  for (const Equality& each : equality_list_) {
    const auto [a, b] = pushes_of(each);
    if (a.block < 0 || b.block < 0) continue;
    tied_.unite(static_cast<std::size_t>(body_of(a.block)),
                static_cast<std::size_t>(body_of(b.block)));
  }
  stretches_.clear();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const std::size_t r = tied_.root_of(i);
    if (r == i) {
      bodies_[i].group = static_cast<std::int32_t>(stretches_.size());
      stretches_.push_back({0, 0});
    }
    bodies_[i].group = bodies_[r].group;
    BlockRows::Stretch& stretch = stretches_[static_cast<std::size_t>(bodies_[i].group)];
    bodies_[i].first = stretch.size;
    stretch.size += 6;
  }
  Index first = 0;
  for (BlockRows::Stretch& stretch : stretches_) {
    stretch.first = std::exchange(first, first + stretch.size);
  }
  for (Body& body : bodies_) body.first += stretches_[static_cast<std::size_t>(body.group)].first;
}

std::int32_t IslandRows::group_of(std::int32_t block) const {
  if (block < 0) return BlockRows::kNone;
  const auto body = body_of_block_[static_cast<std::size_t>(block)];
  return bodies_[static_cast<std::size_t>(body)].group;
}

void IslandRows::push(const Push& by, double impulse, VecView y) const {
  if (by.block < 0) return;
  const auto local = static_cast<std::size_t>(body_of_block_[static_cast<std::size_t>(by.block)]);
  const Body& body = bodies_[local];
  y.segment<3>(body.first) += impulse * body.mass_root * by.force;
  y.segment<3>(body.first + 3) += impulse * (body.inertia_root.transpose() * by.torque);
}

void IslandRows::add_row(BlockRows& rows, const Push& a, const Push& b) const {
  const std::int32_t group_a = group_of(a.block);
  const std::int32_t group_b = group_of(b.block);
  const bool two = group_a != BlockRows::kNone && group_b != group_a;
  const Index row = group_a != BlockRows::kNone
                        ? rows.add(group_a, two ? group_b : BlockRows::kNone)
                        : rows.add(group_b, BlockRows::kNone);
  const auto fill = [&](const Push& by, int part) {
    if (by.block < 0) return;
    const auto local = static_cast<std::size_t>(body_of_block_[static_cast<std::size_t>(by.block)]);
    const Body& body = bodies_[local];
    const Index at = body.first - stretches_[static_cast<std::size_t>(body.group)].first;
    VecView values = rows.part(row, part);
    values.segment<3>(at) += body.mass_root * by.force;
    values.segment<3>(at + 3) += body.inertia_root.transpose() * by.torque;
  };
  fill(a, 0);
  fill(b, two ? 1 : 0);
}

// Equality rows group by group, and bases of what they forbid.
void IslandRows::build_equalities(const Rates& rates) {
  for (Equality& each : equality_list_) {
    const auto [a, b] = pushes_of(each);
    each.group = group_of(a.block >= 0 ? a.block : b.block);
  }
  std::sort(equality_list_.begin(), equality_list_.end());
  equality_rows_.reset(stretches_);
  if (groups_.size() < stretches_.size()) groups_.resize(stretches_.size());
  for (std::size_t g = 0; g < stretches_.size(); ++g)
    groups_[g].first_equality = groups_[g].equalities = 0;
  auto rate = equality_rate_.resize(static_cast<Index>(equality_list_.size()));
  for (const Equality& each : equality_list_) {
    const auto [a, b] = pushes_of(each);
    Group& group = groups_[static_cast<std::size_t>(each.group)];
    if (group.equalities++ == 0) group.first_equality = equality_rows_.size();
    rate[equality_rows_.size()] = rate_of(each, rates);
    add_row(equality_rows_, a, b);
  }
  rank_ = 0;
  for (std::size_t g = 0; g < stretches_.size(); ++g) {
    if (groups_[g].equalities == 0) continue;
    build_basis(static_cast<std::int32_t>(g));
    rank_ += static_cast<int>(groups_[g].basis.rank());
  }
}

void IslandRows::build_basis(std::int32_t group_index) {
  Group& group = groups_[static_cast<std::size_t>(group_index)];
  const BlockRows::Stretch& stretch = stretches_[static_cast<std::size_t>(group_index)];
  auto columns = columns_.resize(stretch.size, group.equalities);
  auto massless = massless_.resize(stretch.size, group.equalities);
  for (Index i = 0; i < group.equalities; ++i)
    columns.col(i) = std::as_const(equality_rows_).part(group.first_equality + i, 0);
  massless = columns;
  for (const Body& body : bodies_) {
    if (body.group == group_index && body.mass_root > 0)
      massless.middleRows<6>(body.first - stretch.first) /= body.mass_root;
  }
  group.basis.set_up(std::as_const(columns_).view(), std::as_const(massless_).view());
}

void IslandRows::build_contacts(const Rates& rates) {
  rows_.reset(stretches_);
  list_couples(rates);
  auto velocity = velocity_.resize(3 * (island_.contacts + static_cast<Index>(couples_.size())));
  offset_.resize(velocity.size());
  auto start = start_.resize(rows_.dimension());
  auto change = change_.resize(rows_.dimension());
  auto without_masses = without_masses_.resize(rows_.dimension());
  for (const Body& body : bodies_) {
    const BodyBlock& block = problem_->blocks[static_cast<std::size_t>(body.block)];
    start.segment<3>(body.first) =
        body.mass_root > 0 ? Vec3(block.v / body.mass_root) : Vec3(Vec3::Zero());
    start.segment<3>(body.first + 3) = solve_root(body.inertia_root, block.w);
    without_masses.segment<6>(body.first).setConstant(body.mass_root > 0 ? 1 / body.mass_root : 1);
  }
  velocity.setZero();
  const auto impulses = equality_impulses(std::as_const(velocity_).view());
  for (Index i = 0; i < impulses.size(); ++i) equality_rows_.add_to(change, i, impulses[i]);
  start += change;
  for (Index k = 0; k < island_.contacts; ++k) {
    const ContactRow& row = problem_->contacts[island_.contact(k)];
    const bool is_implicit = std::find(implicit_.begin(), implicit_.end(),
                                       static_cast<std::int32_t>(k)) != implicit_.end();
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3& d = direction(row, axis);
      build_row(
          {{{row.a.block, d, row.a.lever.cross(d)}, {row.b.block, -d, -row.b.lever.cross(d)}}},
          rates.contacts[island_.contact(k)][axis], is_implicit && axis == 0);
    }
  }
  build_couples(rates);
  rows_.index();
}

// Projected onto what the equalities leave free.
void IslandRows::build_row(const std::array<Push, 2>& pushes, double rate, bool is_implicit) {
  const Index i = rows_.size();
  add_row(rows_, pushes[0], pushes[1]);
  auto velocity = velocity_.view();
  velocity[i] = rate + rows_.dot(i, change_.view());
  const double before = rows_.squared_norm(i);
  bool tied = false;
  for (const int part : {0, 1}) {
    const std::int32_t group = rows_.stretch_of(i, part);
    if (group == BlockRows::kNone || groups_[static_cast<std::size_t>(group)].equalities == 0)
      continue;
    groups_[static_cast<std::size_t>(group)].basis.project(rows_.part(i, part));
    tied = true;
  }
  if (tied && (is_implicit || rows_.squared_norm(i) <= kImplied * kImplied * before)) {
    rows_.part(i, 0).setZero();
    rows_.part(i, 1).setZero();
  }
  offset_.view()[i] = velocity[i] - rows_.dot(i, start_.view());
}

void IslandRows::list_couples(const Rates& rates) {
  couples_.clear();
  for (std::int32_t k = 0; k < island_.contacts && !rates.couples.empty(); ++k) {
    const ContactRow& row = problem_->contacts[island_.contact(k)];
    if (row.rolling > 0) couples_.push_back({k, false});
    if (row.spinning > 0) couples_.push_back({k, true});
  }
}

std::array<IslandRows::Push, 2> IslandRows::turn_of(const Couple& couple, int axis) const {
  const ContactRow& row = problem_->contacts[island_.contact(couple.contact)];
  const double arm = couple.about_normal && axis > 0 ? 0 : row.arm;
  const Vec3 d = arm * direction(row, axis);
  return {{{row.a.block, Vec3::Zero(), d}, {row.b.block, Vec3::Zero(), -d}}};
}

void IslandRows::build_couples(const Rates& rates) {
  for (const Couple& couple : couples_) {
    const Vec3& rate = rates.couples[island_.contact(couple.contact)];
    for (int axis = 0; axis < 3; ++axis) {
      const bool acts = axis == 0 || !couple.about_normal;
      build_row(turn_of(couple, axis), acts ? rate[axis] : 0, false);
    }
  }
}

// What the equalities answer to contact impulses x and to the velocities at the start.
VecView IslandRows::equality_impulses(ConstVecView x) {
  auto y = change_.view();
  y.setZero();
  for (Index k = 0; k < island_.contacts; ++k) {
    const Vec3 impulse = x.segment<3>(3 * k);
    if (impulse.isZero(0)) continue;
    const ContactRow& row = problem_->contacts[island_.contact(k)];
    const Vec3 p = world_impulse(row, impulse);
    push({row.a.block, p, row.a.lever.cross(p)}, 1, y);
    push({row.b.block, -p, -row.b.lever.cross(p)}, 1, y);
  }
  for (Index i = Index{3} * island_.contacts; i < x.size(); ++i) {
    const Couple& couple = couples_[static_cast<std::size_t>(i / 3 - island_.contacts)];
    for (const Push& turn : turn_of(couple, static_cast<int>(i % 3))) push(turn, x[i], y);
  }
  auto impulses = multipliers_.resize(equality_rows_.size());
  for (Index i = 0; i < impulses.size(); ++i)
    impulses[i] = equality_rate_.view()[i] + equality_rows_.dot(i, y);
  for (std::size_t g = 0; g < stretches_.size(); ++g) {
    Group& group = groups_[g];
    if (group.equalities == 0) continue;
    group.basis.answer(VecView(impulses.data() + group.first_equality, group.equalities));
  }
  return impulses;
}

void IslandRows::add_implicit_impulses(VecView x) {
  const auto impulses = equality_impulses(ConstVecView(x.data(), x.size()));
  for (std::size_t i = 0; i < equality_list_.size(); ++i) {
    const std::int32_t contact = equality_list_[i].source - island_.equalities;
    if (contact >= 0) x[Index{3} * contact] += impulses[static_cast<Index>(i)];
  }
}

void IslandRows::store(ConstVecView x, Impulses& out) {
  for (Index k = 0; k < island_.contacts; ++k) {
    out.contacts[island_.contact(k)] = x.segment<3>(3 * k);
  }
  for (std::size_t i = 0; i < couples_.size(); ++i) {
    Vec3& couple = out.couples[island_.contact(couples_[i].contact)];
    if (i == 0 || couples_[i - 1].contact != couples_[i].contact) couple.setZero();
    couple += x.segment<3>(3 * (island_.contacts + static_cast<Index>(i)));
  }
  const auto impulses = equality_impulses(x);
  for (std::size_t i = 0; i < equality_list_.size(); ++i) {
    out.equalities[island_.equality(equality_list_[i].source)] = impulses[static_cast<Index>(i)];
  }
}

}  // namespace carom::contact
