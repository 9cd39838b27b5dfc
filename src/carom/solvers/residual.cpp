#include "carom/solvers/residual.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/solvers/linear_program.h"

namespace carom::solvers {

namespace {

// The least value of coefficient·t over lower <= t <= upper. Where a bound that it runs to is
// infinite, the value is left out and the coefficient is an error.
struct Least {
  double value = 0, error = 0;

  void add(double coefficient, double lower, double upper) {
    if (coefficient == 0) return;
    const double bound = coefficient > 0 ? lower : upper;
    if (std::isinf(bound))
      error = std::max(error, std::abs(coefficient));
    else
      value += coefficient * bound;
  }
};

double outside(double value, double lower, double upper) {
  return std::max({0.0, lower - value, value - upper});
}

// A direction may not leave through a bound that exists.
double leaving(double rate, double lower, double upper) {
  return outside(rate, std::isinf(lower) ? lower : 0.0, std::isinf(upper) ? upper : 0.0);
}

double greatest_magnitude(std::span<const double> values) {
  double greatest = 0;
  for (const double value : values) greatest = std::max(greatest, std::abs(value));
  return greatest;
}

std::vector<double> scaled_to_one(std::span<const double> values) {
  std::vector<double> scaled(values.begin(), values.end());
  const double greatest = greatest_magnitude(values);
  if (greatest > 0)
    for (double& value : scaled) value /= greatest;
  return scaled;
}

double column_product(const LinearProgram& problem, std::size_t column, std::span<const double> y) {
  double sum = 0;
  for (const LinearProgram::Entry& entry : problem.column(column))
    sum += entry.value * y[static_cast<std::size_t>(entry.row)];
  return sum;
}

std::vector<double> row_products(const LinearProgram& problem, std::span<const double> x) {
  std::vector<double> products(problem.rows(), 0.0);
  for (std::size_t j = 0; j < problem.columns(); ++j) {
    for (const LinearProgram::Entry& entry : problem.column(j))
      products[static_cast<std::size_t>(entry.row)] += entry.value * x[j];
  }
  return products;
}

}  // namespace

LinearProgramResidual compute_residual(const LinearProgram& problem, std::span<const double> x,
                                       std::span<const double> duals) {
  LinearProgramResidual residual;
  Least least;
  double cost = 0;
  const std::vector<double> products = row_products(problem, x);
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    const auto& [lower, upper] = problem.row_bounds[i];
    residual.primal = std::max(residual.primal, outside(products[i], lower, upper));
    least.add(duals[i], lower, upper);
  }
  for (std::size_t j = 0; j < problem.columns(); ++j) {
    const auto& [lower, upper] = problem.column_bounds[j];
    residual.primal = std::max(residual.primal, outside(x[j], lower, upper));
    least.add(problem.cost[j] - column_product(problem, j, duals), lower, upper);
    cost += problem.cost[j] * x[j];
  }
  residual.dual = least.error;
  residual.gap = std::abs(cost - least.value);
  return residual;
}

Certificate check_infeasibility(const LinearProgram& problem, std::span<const double> ray) {
  const std::vector<double> y = scaled_to_one(ray);
  Least least;
  for (std::size_t i = 0; i < problem.rows(); ++i)
    least.add(y[i], problem.row_bounds[i].lower, problem.row_bounds[i].upper);
  for (std::size_t j = 0; j < problem.columns(); ++j) {
    least.add(-column_product(problem, j, y), problem.column_bounds[j].lower,
              problem.column_bounds[j].upper);
  }
  return {least.value, least.error};
}

Certificate check_unboundedness(const LinearProgram& problem, std::span<const double> ray) {
  const std::vector<double> direction = scaled_to_one(ray);
  const std::vector<double> products = row_products(problem, direction);
  Certificate found;
  for (std::size_t j = 0; j < problem.columns(); ++j) {
    const auto& [lower, upper] = problem.column_bounds[j];
    found.margin -= problem.cost[j] * direction[j];
    found.error = std::max(found.error, leaving(direction[j], lower, upper));
  }
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    const auto& [lower, upper] = problem.row_bounds[i];
    found.error = std::max(found.error, leaving(products[i], lower, upper));
  }
  return found;
}

double compute_complementarity_residual(math::ConstMatView M, math::ConstVecView q,
                                        math::ConstVecView z) {
  double worst = 0;
  for (math::Index i = 0; i < q.size(); ++i) {
    double w = q[i];
    for (math::Index j = 0; j < q.size(); ++j) w += M(i, j) * z[j];
    worst = std::max(worst, std::abs(std::min(z[i], w)));
  }
  return worst;
}

}  // namespace carom::solvers
