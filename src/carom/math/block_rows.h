// A matrix R whose rows each act on at most two stretches of a vector: dense there, zero elsewhere.
// Contacts are such rows, since a contact touches two bodies; so products with R cost as much as
// there are contacts, and two rows are orthogonal unless they share a stretch. Stretches are
// numbered, and either coincide or do not overlap.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "carom/math/buffers.h"

namespace carom::math {

class BlockRows {
 public:
  struct Stretch {
    Index first = 0, size = 0;
  };
  static constexpr std::int32_t kNone = -1;

  // Forgets the rows and takes new stretches.
  void reset(std::span<const Stretch> stretches);
  // Adds a row of zeros on stretches a and b (kNone: not on any).
  Index add(std::int32_t a, std::int32_t b);

  Index size() const { return static_cast<Index>(rows_.size()); }
  Index dimension() const { return dimension_; }
  std::span<const Stretch> stretches() const { return stretches_; }
  std::int32_t stretch_of(Index row, int part) const {
    return at(row).stretch[static_cast<std::size_t>(part)];
  }
  VecView part(Index row, int part);
  ConstVecView part(Index row, int part) const;

  double dot(Index row, VecIn y) const { return dot(row, y.data()); }
  double dot(Index row, const double* y) const {
    const Row& r = at(row);
    return dot_part(r, 0, y) + dot_part(r, 1, y);
  }
  double dot(Index row, Index other) const;
  double squared_norm(Index row) const { return dot(row, row); }
  void add_to(VecView y, Index row, double scale) const {  // y += scale · row
    const Row& r = at(row);
    add_part(r, 0, y.data(), scale);
    add_part(r, 1, y.data(), scale);
  }

  // Rows by the stretches they act on. Valid after index(), until the next change.
  void index();
  std::span<const std::int32_t> rows_on(std::int32_t stretch) const;

 private:
  struct Row {
    std::array<std::int32_t, 2> stretch{kNone, kNone};
    std::array<std::size_t, 2> data{};
    std::array<Index, 2> first{}, size{};  // of the stretch; no size for none
  };
  // Nearly every stretch is one body: six numbers, written out so that they are done at once.
  double dot_part(const Row& row, std::size_t part, const double* y) const {
    const double* x = data_.data() + row.data[part];
    const double* z = y + row.first[part];
    if (row.size[part] == 6) {
      return (x[0] * z[0] + x[1] * z[1]) + (x[2] * z[2] + x[3] * z[3]) +
             (x[4] * z[4] + x[5] * z[5]);
    }
    double sum = 0;
    for (Index k = 0; k < row.size[part]; ++k) sum += x[k] * z[k];
    return sum;
  }
  void add_part(const Row& row, std::size_t part, double* y, double scale) const {
    const double* x = data_.data() + row.data[part];
    double* z = y + row.first[part];
    if (row.size[part] == 6) {
      for (int k = 0; k < 6; ++k) z[k] += scale * x[k];
      return;
    }
    for (Index k = 0; k < row.size[part]; ++k) z[k] += scale * x[k];
  }
  const Row& at(Index row) const { return rows_[static_cast<std::size_t>(row)]; }
  const Stretch& stretch(std::int32_t s) const { return stretches_[static_cast<std::size_t>(s)]; }

  std::vector<Stretch> stretches_;
  std::vector<Row> rows_;
  std::vector<double> data_;
  std::vector<std::int32_t> first_on_, on_;
  Index dimension_ = 0;
};

}  // namespace carom::math
