#include "carom/io/recording_pack.h"

#include <algorithm>

#include "carom/io/hdf5.h"

namespace carom::io {

namespace {

constexpr std::size_t kChunkBytes = 65536;  // before they are compressed

std::size_t row_bytes(const hdf5::Shape& shape, std::size_t type_bytes) {
  std::size_t bytes = type_bytes;
  for (std::size_t i = 1; i < shape.size(); ++i) bytes *= shape[i];
  return bytes;
}

void copy_rows(const hdf5::Handle& from, const hdf5::Handle& to, std::uint64_t chunk_rows) {
  const hdf5::Handle type = hdf5::type_of(from);
  const hdf5::Shape shape = hdf5::shape_of(from);
  const std::size_t row = row_bytes(shape, hdf5::bytes_of(type));
  if (row == 0) return;
  std::vector<std::byte> rows(chunk_rows * row);
  for (std::uint64_t first = 0; first < shape[0]; first += chunk_rows) {
    const std::uint64_t count = std::min(chunk_rows, shape[0] - first);
    hdf5::read_rows(from, type, first, count, rows.data());
    hdf5::write_rows(to, type, first, count, rows.data());
  }
}

void copy_scalar(const hdf5::Handle& from, const hdf5::Handle& parent, const std::string& name) {
  const hdf5::Handle type = hdf5::type_of(from);
  std::vector<std::byte> value(hdf5::bytes_of(type));
  hdf5::read(from, type, value.data());
  hdf5::write(hdf5::make_scalar(parent, name, type), type, value.data());
}

void pack_dataset(const hdf5::Handle& from, const hdf5::Handle& parent, const std::string& name) {
  const hdf5::Handle type = hdf5::type_of(from);
  const hdf5::Shape shape = hdf5::shape_of(from);
  if (shape.empty()) return copy_scalar(from, parent, name);
  hdf5::Shape chunk = shape;
  const std::size_t row = std::max<std::size_t>(row_bytes(shape, hdf5::bytes_of(type)), 1);
  chunk[0] = std::clamp<std::uint64_t>(kChunkBytes / row, 1, std::max<std::uint64_t>(shape[0], 1));
  for (std::uint64_t& extent : chunk) extent = std::max<std::uint64_t>(extent, 1);  // no bodies
  const hdf5::Handle to = hdf5::make_packed_dataset(parent, name, type, shape, chunk);
  hdf5::copy_attributes(from, to);
  copy_rows(from, to, chunk[0]);
}

void pack_members(const hdf5::Handle& from, const hdf5::Handle& to) {
  hdf5::copy_attributes(from, to);
  for (const hdf5::Member& member : hdf5::members_of(from)) {
    if (member.is_group) {
      pack_members(hdf5::open_group(from, member.name), hdf5::make_group(to, member.name));
    } else {
      pack_dataset(hdf5::open_dataset(from, member.name), to, member.name);
    }
  }
}

}  // namespace

void pack_recording(const std::filesystem::path& from, const std::filesystem::path& to,
                    WriteStatus& status) {
  const hdf5::Handle source = hdf5::open_file(from.string());
  const hdf5::Handle packed(create_crash_safe_file(to, status, Tables::Checked));
  pack_members(hdf5::open_group(source, "/"), hdf5::open_group(packed, "/"));
}

}  // namespace carom::io
