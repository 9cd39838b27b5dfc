#include "carom/io/row_writer.h"

#include <algorithm>

namespace carom::io {

namespace {

// A chunk is rewritten whole at every checkpoint while it fills, and taken whole by the first row.
constexpr std::size_t kChunkBytes = 32768;

hdf5::Shape with_rows(std::uint64_t rows, const hdf5::Shape& row_shape) {
  hdf5::Shape shape{rows};
  shape.insert(shape.end(), row_shape.begin(), row_shape.end());
  return shape;
}

}  // namespace

RowWriter::RowWriter(const hdf5::Handle& parent, const std::string& name, RowFormat format,
                     std::uint64_t expected_rows)
    : format_(std::move(format)), row_bytes_(format_.type_bytes) {
  for (const std::uint64_t extent : format_.shape) row_bytes_ *= extent;
  chunk_rows_ = std::clamp<std::uint64_t>(kChunkBytes / std::max<std::size_t>(row_bytes_, 1), 1,
                                          std::max<std::uint64_t>(expected_rows, 1));
  rows_.resize(chunk_rows_ * row_bytes_);
  hdf5::Shape chunk = with_rows(chunk_rows_, format_.shape);
  for (std::uint64_t& extent : chunk) extent = std::max<std::uint64_t>(extent, 1);  // no bodies
  dataset_ =
      hdf5::make_growing_dataset(parent, name, format_.type, with_rows(0, format_.shape), chunk);
}

void* RowWriter::add_row() {
  if (rows() % chunk_rows_ == 0) {
    write_out();
    hdf5::set_shape(dataset_, with_rows(rows() + 1, format_.shape));
  }
  return rows_.data() + row_bytes_ * gathered_++;
}

void RowWriter::write_out() {
  if (gathered_ == 0) return;
  hdf5::set_shape(dataset_, with_rows(rows(), format_.shape));
  hdf5::write_rows(dataset_, format_.type, written_, gathered_, rows_.data());
  checksum_.add(rows_.data(), gathered_ * row_bytes_);
  written_ += gathered_;
  gathered_ = 0;
}

}  // namespace carom::io
