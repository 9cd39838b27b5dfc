#include "carom/solvers/linear_program.h"

#include <coin/Clp_C_Interface.h>

#include <memory>
#include <numeric>

namespace carom::solvers {

namespace {

using Status = LinearProgramStatus;

struct ModelDeleter {
  void operator()(Clp_Simplex* model) const { Clp_deleteModel(model); }
};
using Model = std::unique_ptr<Clp_Simplex, ModelDeleter>;

constexpr int kNoPerturbation = 100;

// The library wants arrays of one number each, and one more start than there are columns.
struct Arrays {
  std::vector<double> column_lower, column_upper, row_lower, row_upper, values;
  std::vector<int> rows, starts;

  explicit Arrays(const LinearProgram& problem) : starts(problem.starts) {
    starts.push_back(static_cast<int>(problem.entries.size()));
    for (const auto& [lower, upper] : problem.column_bounds) {
      column_lower.push_back(lower);
      column_upper.push_back(upper);
    }
    for (const auto& [lower, upper] : problem.row_bounds) {
      row_lower.push_back(lower);
      row_upper.push_back(upper);
    }
    for (const auto& [row, value] : problem.entries) {
      rows.push_back(row);
      values.push_back(value);
    }
  }
};

Model make_model(const LinearProgram& problem, const LinearProgramOptions& options) {
  Model model(Clp_newModel());
  Clp_setLogLevel(model.get(), 0);
  Clp_setPerturbation(model.get(), kNoPerturbation);
  Clp_setPrimalTolerance(model.get(), options.tolerance);
  Clp_setDualTolerance(model.get(), options.tolerance);
  Clp_setMaximumIterations(model.get(), options.max_iterations);
  const Arrays arrays(problem);
  Clp_loadProblem(model.get(), static_cast<int>(problem.columns()),
                  static_cast<int>(problem.rows()), arrays.starts.data(), arrays.rows.data(),
                  arrays.values.data(), arrays.column_lower.data(), arrays.column_upper.data(),
                  problem.cost.data(), arrays.row_lower.data(), arrays.row_upper.data());
  return model;
}

Status status_of(Clp_Simplex* model) {
  switch (Clp_status(model)) {
    case 0:
      return Status::Optimal;
    case 1:
      return Status::Infeasible;
    case 2:
      return Status::Unbounded;
    case 3:
      return Status::IterationCap;
    default:
      return Status::Failed;
  }
}

std::vector<double> take_ray(Clp_Simplex* model, double* ray, std::size_t size, double sign) {
  std::vector<double> taken;
  if (ray == nullptr) return taken;
  for (const double entry : std::span(ray, size)) taken.push_back(sign * entry);
  Clp_freeRay(model, ray);
  return taken;
}

// Rows that may be missed at a cost of one a unit: the duals of the least miss are a certificate,
// for when the library has seen the infeasibility without keeping one.
std::vector<double> find_certificate(const LinearProgram& problem,
                                     const LinearProgramOptions& options) {
  constexpr LinearProgram::Bounds kMiss{.lower = 0};
  LinearProgram elastic = problem;
  elastic.cost.assign(problem.columns(), 0);
  for (int i = 0; i < static_cast<int>(problem.rows()); ++i) {
    for (const double sign : {1.0, -1.0}) {
      elastic.add_column(1, kMiss);
      elastic.add_entry(i, sign);
    }
  }
  const Model model = make_model(elastic, options);
  Clp_primal(model.get(), 0);
  const double* duals = Clp_dualRowSolution(model.get());
  return {duals, duals + problem.rows()};
}

void prove(const LinearProgram& problem, const LinearProgramOptions& options, Clp_Simplex* model,
           LinearProgramResult& result) {
  if (result.status == Status::Infeasible) {
    result.ray = take_ray(model, Clp_infeasibilityRay(model), problem.rows(), -1);
    if (result.ray.empty()) result.ray = find_certificate(problem, options);
    result.certificate = check_infeasibility(problem, result.ray);
  } else if (result.status == Status::Unbounded) {
    result.ray = take_ray(model, Clp_unboundedRay(model), problem.columns(), 1);
    if (!result.ray.empty()) result.certificate = check_unboundedness(problem, result.ray);
  } else {
    result.ray.clear();
    result.certificate = {};
  }
}

// The dual simplex proves infeasibility, though it has been seen to claim it over rounding; that
// nothing bounds the cost is for the primal to show. Without proof the primal has the last word.
bool is_proved(const LinearProgramResult& result, const LinearProgramOptions& options) {
  return !result.ray.empty() && result.certificate.margin > options.tolerance &&
         result.certificate.error <= options.tolerance;
}

}  // namespace

std::span<const LinearProgram::Entry> LinearProgram::column(std::size_t j) const {
  const auto first = static_cast<std::size_t>(starts[j]);
  const auto end = j + 1 < starts.size() ? static_cast<std::size_t>(starts[j + 1]) : entries.size();
  return std::span(entries).subspan(first, end - first);
}

void LinearProgram::add_column(double its_cost, const Bounds& bounds) {
  starts.push_back(static_cast<int>(entries.size()));
  cost.push_back(its_cost);
  column_bounds.push_back(bounds);
}

LinearProgramResult solve_linear_program(const LinearProgram& problem,
                                         const LinearProgramOptions& options) {
  const Model model = make_model(problem, options);
  LinearProgramResult result;
  Clp_dual(model.get(), 0);
  result.status = status_of(model.get());
  prove(problem, options, model.get(), result);
  if (result.status != Status::Optimal && !is_proved(result, options)) {
    Clp_primal(model.get(), 0);
    result.status = status_of(model.get());
    prove(problem, options, model.get(), result);
  }
  result.iterations = Clp_numberIterations(model.get());
  const double* x = Clp_primalColumnSolution(model.get());
  const double* duals = Clp_dualRowSolution(model.get());
  result.x.assign(x, x + problem.columns());
  result.duals.assign(duals, duals + problem.rows());
  result.objective =
      std::inner_product(result.x.begin(), result.x.end(), problem.cost.begin(), 0.0);
  if (result.status == Status::Optimal)
    result.residual = compute_residual(problem, result.x, result.duals);
  return result;
}

}  // namespace carom::solvers
