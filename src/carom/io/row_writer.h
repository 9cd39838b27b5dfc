// A dataset that grows by rows. Rows gather in memory and go to HDF5 when a chunk is full or when
// asked, so that a row of a small scene costs a copy and not a call into HDF5. The first row of a
// chunk takes its place in the file, so that the layout follows from the rows alone.
#pragma once

#include "carom/base/checksum.h"
#include "carom/io/hdf5.h"

namespace carom::io {

struct RowFormat {
  hdf5::Handle type;
  std::size_t type_bytes = 0;
  hdf5::Shape shape;  // of one row; empty for a scalar
};

class RowWriter {
 public:
  // No chunk is made for more rows than `expected_rows`; more may come.
  RowWriter(const hdf5::Handle& parent, const std::string& name, RowFormat format,
            std::uint64_t expected_rows);

  void* add_row();   // memory for the next row, to be filled before the next call
  void write_out();  // hands what has gathered to HDF5
  std::uint64_t rows() const { return written_ + gathered_; }
  std::int64_t checksum() const { return checksum_.value(); }  // of the rows handed to HDF5

 private:
  RowFormat format_;
  std::size_t row_bytes_ = 0;
  std::uint64_t chunk_rows_ = 0;
  std::uint64_t written_ = 0, gathered_ = 0;
  std::vector<std::byte> rows_;
  base::Checksum checksum_;
  hdf5::Handle dataset_;
};

}  // namespace carom::io
