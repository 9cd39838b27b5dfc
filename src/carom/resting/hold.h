// Impulses of least kinetic energy that bring rows to zero at once: all equalities, and of chosen
// contacts the normal, or normal and tangents, held like joints. Redundant rows share, rows that
// contradict one another are met in the least-squares sense (solvers/least_norm_multipliers.h), to
// round-off. For velocities, and for positions, whose errors are rates to be taken away. One sparse
// factor per island; islands in parallel; nothing is allocated once warm.
#pragma once

#include "carom/base/workers.h"
#include "carom/contact/island_rows.h"
#include "carom/resting/sparse_rows.h"
#include "carom/solvers/least_norm_multipliers.h"

namespace carom::resting {

enum class Hold : char { None, Normal, NormalAndTangents };

class Holder {
 public:
  explicit Holder(base::Workers& workers) : workers_(workers) {}

  // `held` has one entry per contact, and so has `turning`, if any: of how many axes, from the
  // normal on, turning is held (rates.couples). `out` gets one impulse per row; zero where nothing
  // is held. Returns the greatest rate, in the rows' own units, that impulses could still take
  // away.
  double hold(const contact::ContactProblem& problem, std::span<const Hold> held,
              const contact::Rates& rates, contact::Impulses& out,
              std::span<const char> turning = {});

 private:
  struct OneIsland {
    std::vector<RowName> names;
    SparseRows rows;
    math::BlockFactor factor;
    solvers::LeastNormMultipliers rest;
    std::vector<double> b, x;
    std::vector<char> chosen;
    math::VecBuffer y;
    double residual = 0;
  };
  static void name_rows(const contact::Island& island, std::span<const Hold> held,
                        std::span<const char> turning, OneIsland& at);
  static void settle(const contact::ContactProblem& problem, const contact::Island& island,
                     const contact::Rates& rates, OneIsland& at);
  static void write(const contact::Island& island, const OneIsland& at, contact::Impulses& out);

  base::Workers& workers_;
  std::vector<OneIsland> islands_;
};

}  // namespace carom::resting
