// Matrices and vectors of changing size that allocate only when they outgrow what they had.
#pragma once

#include <vector>

#include "carom/math/linear_algebra.h"

namespace carom::math {

using MatView = Eigen::Map<MatX>;
using VecView = Eigen::Map<VecX>;
using ConstMatView = Eigen::Map<const MatX>;
using ConstVecView = Eigen::Map<const VecX>;
using VecIn = const Eigen::Ref<const VecX>&;  // any contiguous vector, read

class MatBuffer {
 public:
  MatView resize(Eigen::Index rows, Eigen::Index cols) {
    rows_ = rows;
    cols_ = cols;
    const auto size = static_cast<std::size_t>(rows * cols);
    if (data_.size() < size) data_.resize(size);
    return view();
  }
  MatView view() { return {data_.data(), rows_, cols_}; }
  ConstMatView view() const { return {data_.data(), rows_, cols_}; }

 private:
  std::vector<double> data_;
  Eigen::Index rows_ = 0, cols_ = 0;
};

class VecBuffer {
 public:
  VecView resize(Eigen::Index size) {
    size_ = size;
    if (data_.size() < static_cast<std::size_t>(size)) data_.resize(static_cast<std::size_t>(size));
    return view();
  }
  VecView view() { return {data_.data(), size_}; }
  ConstVecView view() const { return {data_.data(), size_}; }

 private:
  std::vector<double> data_;
  Eigen::Index size_ = 0;
};

}  // namespace carom::math
