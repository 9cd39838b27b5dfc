#include "carom/resting/hold.h"

#include <algorithm>

namespace carom::resting {

namespace {

using contact::ContactProblem;
using contact::Island;
using math::Index;

constexpr double kStep = 1e-9;  // α beside unit rows

}  // namespace

double Holder::hold(const ContactProblem& problem, std::span<const Hold> held,
                    const contact::Rates& rates, contact::Impulses& out,
                    std::span<const char> turning) {
  out.contacts.assign(problem.contacts.size(), Vec3::Zero());
  out.equalities.assign(problem.equalities.size(), 0);
  out.couples.assign(rates.couples.size(), Vec3::Zero());
  if (islands_.size() < problem.islands.size()) islands_.resize(problem.islands.size());
  auto one = [&](std::size_t i) {
    name_rows(problem.islands[i], held, turning, islands_[i]);
    settle(problem, problem.islands[i], rates, islands_[i]);
    write(problem.islands[i], islands_[i], out);
  };
  workers_.for_each(problem.islands.size(), 1, one);
  double residual = 0;
  for (std::size_t i = 0; i < problem.islands.size(); ++i)
    residual = std::max(residual, islands_[i].residual);
  return residual;
}

void Holder::name_rows(const Island& island, std::span<const Hold> held,
                       std::span<const char> turning, OneIsland& at) {
  at.names.clear();
  for (std::int32_t k = 0; k < island.contacts; ++k) {
    const Hold hold = held[island.contact(k)];
    const int axes = hold == Hold::None ? 0 : hold == Hold::Normal ? 1 : 3;
    for (int axis = 0; axis < axes; ++axis) at.names.push_back({k, axis});
    const int turns = turning.empty() ? 0 : turning[island.contact(k)];
    for (int axis = 0; axis < turns; ++axis) at.names.push_back(RowName::turning(k, axis));
  }
  for (std::int32_t k = 0; k < island.equalities; ++k) at.names.push_back(RowName::equality(k));
}

void Holder::settle(const ContactProblem& problem, const Island& island,
                    const contact::Rates& rates, OneIsland& at) {
  at.rows.set_up(problem, island, at.names);
  at.factor.set_pattern(at.rows.unit());
  at.factor.clear(kStep);
  at.b.assign(at.names.size(), 0);
  at.x.assign(at.names.size(), 0);
  at.chosen.assign(at.names.size(), 0);
  double longest = 0;
  for (std::size_t i = 0; i < at.names.size(); ++i) {
    const double length = at.rows.length(static_cast<Index>(i));
    if (length == 0) continue;
    const auto [index, axis] = at.names[i];
    const double rate = axis < 0   ? rates.equalities[island.equality(index)]
                        : axis < 3 ? rates.contacts[island.contact(index)][axis]
                                   : rates.couples[island.contact(index)][axis - 3];
    at.b[i] = rate / length;
    at.chosen[i] = 1;
    longest = std::max(longest, length);
    at.factor.add(at.rows.unit(), static_cast<Index>(i), 1);
  }
  auto y = at.y.resize(at.rows.unit().dimension());
  y.setZero();
  at.residual = 0;
  if (!at.factor.factor()) return;
  at.residual =
      longest * at.rest.settle(at.rows.unit(), at.chosen, at.b, at.factor, at.x, y).residual;
}

void Holder::write(const Island& island, const OneIsland& at, contact::Impulses& out) {
  for (std::size_t i = 0; i < at.names.size(); ++i) {
    const double length = at.rows.length(static_cast<Index>(i));
    if (length == 0) continue;
    const auto [index, axis] = at.names[i];
    if (axis < 0) {
      out.equalities[island.equality(index)] = at.x[i] / length;
    } else if (axis < 3) {
      out.contacts[island.contact(index)][axis] = at.x[i] / length;
    } else {
      out.couples[island.contact(index)][axis - 3] = at.x[i] / length;
    }
  }
}

}  // namespace carom::resting
