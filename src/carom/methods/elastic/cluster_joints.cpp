// Rows of a cluster's joints that others imply, and which of them may give way.
#include <tuple>

#include "carom/methods/elastic/cluster_equations.h"

namespace carom::methods {

namespace {

// Of a joint's row, beside how far bodies give way to it: what is left of one that others imply,
// and how far it may give way itself.
constexpr double kImplied = 1e-9, kCompliance = 1e-10;

}  // namespace

// How fast one row gives way to a unit force along another.
double ClusterEquations::mobility(const dynamics::JointRow& row,
                                  const dynamics::JointRow& by) const {
  double sum = 0;
  for (const auto& [id, linear, angular] : {std::tuple(row.a, row.linear_a, row.angular_a),
                                            std::tuple(row.b, row.linear_b, row.angular_b)}) {
    for (const auto& [other, also, turn] : {std::tuple(by.a, by.linear_a, by.angular_a),
                                            std::tuple(by.b, by.linear_b, by.angular_b)}) {
      if (other != id || !moves(id)) continue;
      const Mat3 inverse = dynamics::world_inverse_inertia(scene_.body(id), now()[id].q);
      sum += scene_.body(id).inverse_mass * linear.dot(also) + angular.dot(inverse * turn);
    }
  }
  return sum;
}

MatX ClusterEquations::find_mobilities() const {
  MatX mobilities(row_count_, row_count_);
  for (math::Index i = 0; i < row_count_; ++i)
    for (math::Index k = 0; k < row_count_; ++k)
      mobilities(i, k) =
          mobility(rows_[static_cast<std::size_t>(i)], rows_[static_cast<std::size_t>(k)]);
  return mobilities;
}

// Rows that others imply would leave multipliers open, so these alone may give way. As long as they
// are implied they do not move, hence carry nothing and take no work: a row that gives way under a
// load does, the more the lighter its body is beside the load. Pivoted Cholesky factors tell them.
void ClusterEquations::choose_compliances() {
  const MatX mobilities = find_mobilities();
  const VecX whole = mobilities.diagonal();
  compliance_.assign(rows_.size(), 0);
  for (math::Index i = 0; i < row_count_; ++i)
    compliance_[static_cast<std::size_t>(i)] = kCompliance * whole[i];
  MatX factor = MatX::Zero(row_count_, row_count_);
  VecX left = whole;
  for (math::Index k = 0; k < row_count_; ++k) {
    math::Index row = 0;
    if (!((left.array() / whole.array()).maxCoeff(&row) > kImplied)) break;
    compliance_[static_cast<std::size_t>(row)] = 0;
    factor.col(k) =
        (mobilities.col(row) - factor.leftCols(k) * factor.row(row).head(k).transpose()) /
        std::sqrt(left[row]);
    left -= factor.col(k).cwiseAbs2();
    left[row] = 0;
  }
}

}  // namespace carom::methods
