// The lineality space of a few gradients with whole-number entries, by trying every subset in exact
// arithmetic. A non-negative null combination is a sum of minimal ones, and a subset is the support
// of a minimal one when exactly one null vector exists on it and has no zero and one sign.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace carom::reference {

using WholeVector = std::vector<std::int64_t>;
using WholeMatrix = std::vector<WholeVector>;  // row by row

struct Lineality {
  std::set<std::size_t> implicit;  // gradients that are equalities
  int dimension = 0;
};

// Fraction-free (Bareiss) to reduced echelon form: every pivot column is zero but for `pivot`.
struct Echelon {
  WholeMatrix rows;
  std::vector<std::size_t> pivots;  // column of each row
  std::int64_t pivot = 1;
};

inline Echelon reduce(WholeMatrix rows) {
  Echelon form;
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  for (std::size_t column = 0; column < columns && form.pivots.size() < rows.size(); ++column) {
    const std::size_t rank = form.pivots.size();
    std::size_t found = rank;
    while (found < rows.size() && rows[found][column] == 0) ++found;
    if (found == rows.size()) continue;
    std::swap(rows[found], rows[rank]);
    const std::int64_t pivot = rows[rank][column];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == rank) continue;
      const std::int64_t factor = rows[i][column];
      for (std::size_t j = 0; j < columns; ++j)
        rows[i][j] = (rows[i][j] * pivot - factor * rows[rank][j]) / form.pivot;
    }
    form.pivot = pivot;
    form.pivots.push_back(column);
  }
  form.rows = std::move(rows);
  return form;
}

inline WholeMatrix as_columns(const WholeMatrix& gradients,
                              const std::vector<std::size_t>& chosen) {
  WholeMatrix matrix(gradients.front().size(), WholeVector(chosen.size()));
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    for (std::size_t k = 0; k < chosen.size(); ++k) matrix[row][k] = gradients[chosen[k]][row];
  }
  return matrix;
}

// Rank one less than there are columns, and the null vector of one sign without zeros.
inline bool supports_minimal_combination(const WholeMatrix& columns) {
  const Echelon form = reduce(columns);
  const std::size_t count = columns.front().size();
  if (form.pivots.size() + 1 != count) return false;
  std::size_t free = 0;
  while (free < form.pivots.size() && form.pivots[free] == free) ++free;
  for (std::size_t i = 0; i < form.pivots.size(); ++i) {  // pivot·x_i = -row_i[free]·x_free
    if (form.rows[i][free] * form.pivot >= 0) return false;
  }
  return true;
}

inline Lineality find_lineality(const WholeMatrix& gradients) {
  Lineality found;
  for (std::uint32_t subset = 1; subset < 1U << gradients.size(); ++subset) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if ((subset >> i & 1U) != 0) chosen.push_back(i);
    }
    if (chosen.size() > gradients.front().size() + 1) continue;
    if (supports_minimal_combination(as_columns(gradients, chosen)))
      found.implicit.insert(chosen.begin(), chosen.end());
  }
  if (found.implicit.empty()) return found;
  const std::vector<std::size_t> all(found.implicit.begin(), found.implicit.end());
  found.dimension = static_cast<int>(reduce(as_columns(gradients, all)).pivots.size());
  return found;
}

}  // namespace carom::reference
