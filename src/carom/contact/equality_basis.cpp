#include "carom/contact/equality_basis.h"

namespace carom::contact {

namespace {

using math::ConstMatView;
using math::Index;
using math::VecView;

constexpr double kDependent = 1e-7;  // a row of which the earlier ones leave a smaller part

// Takes the first k columns out of `rest`, twice, adding up the parts.
template <typename Basis>
void take_out(const Basis& basis, Index k, VecView rest, VecView parts) {
  parts.head(k).setZero();
  for (int pass = 0; pass < 2; ++pass) {
    for (Index j = 0; j < k; ++j) {
      const double part = basis.col(j).dot(rest);
      parts[j] += part;
      rest -= part * basis.col(j);
    }
  }
}

}  // namespace

void EqualityBasis::choose_independent(const ConstMatView& massless) {
  independent_.clear();
  auto basis = basis_.resize(massless.rows(), massless.cols());
  auto rest = rest_.resize(massless.rows());
  auto along = along_.resize(massless.cols());
  for (Index i = 0; i < massless.cols(); ++i) {
    const double length = massless.col(i).norm();
    rest = massless.col(i);
    take_out(basis, rank(), rest, along);
    if (!(rest.norm() > kDependent * length)) continue;
    basis.col(rank()) = rest / rest.norm();
    independent_.push_back(i);
  }
}

void EqualityBasis::set_up(const ConstMatView& rows, const ConstMatView& massless) {
  choose_independent(massless);
  auto basis = basis_.resize(rows.rows(), rows.cols());
  auto triangle = triangle_.resize(rank(), rank());
  auto rest = rest_.view();
  auto along = along_.view();
  for (Index k = 0; k < rank(); ++k) {
    rest = rows.col(independent_[static_cast<std::size_t>(k)]);
    take_out(basis, k, rest, along);
    triangle.row(k).head(k) = along.head(k).transpose();
    triangle(k, k) = rest.norm();
    basis.col(k) = rest / triangle(k, k);
  }
}

void EqualityBasis::project(VecView y) const {
  const auto basis = basis_.view();
  for (int pass = 0; pass < 2; ++pass) {
    for (Index k = 0; k < rank(); ++k) y -= basis.col(k).dot(y) * basis.col(k);
  }
}

void EqualityBasis::answer(VecView rates) {
  const auto triangle = triangle_.view();
  auto x = along_.resize(rank());
  for (Index k = 0; k < rank(); ++k) {  // triangle · x = -rates: the change of y in the basis
    x[k] = -rates[independent_[static_cast<std::size_t>(k)]];
    for (Index j = 0; j < k; ++j) x[k] -= triangle(k, j) * x[j];
    x[k] /= triangle(k, k);
  }
  rates.setZero();
  for (Index k = rank() - 1; k >= 0; --k) {  // triangleᵀ · impulses = x
    for (Index j = k + 1; j < rank(); ++j)
      x[k] -= triangle(j, k) * rates[independent_[static_cast<std::size_t>(j)]];
    rates[independent_[static_cast<std::size_t>(k)]] = x[k] / triangle(k, k);
  }
}

}  // namespace carom::contact
