#include "carom/io/hdf5.h"

#include <hdf5.h>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace carom::io::hdf5 {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);

namespace {

// Called from the innermost error outwards; the first has the cause.
herr_t keep_first(unsigned depth, const H5E_error2_t* error, void* out) {
  if (depth == 0) *static_cast<std::string*>(out) = error->desc;
  return 0;
}

Error make_error() {
  std::string message = "HDF5 failed";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &message);
  return Error(message);
}

std::vector<hsize_t> dimensions(const Shape& shape) { return {shape.begin(), shape.end()}; }

// No times of creation, so that the same run gives the same bytes; zeros where nothing was written.
Handle make_creation_properties() {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE));
  check(H5Pset_obj_track_times(properties.id(), false));
  check(H5Pset_alloc_time(properties.id(), H5D_ALLOC_TIME_EARLY));
  check(H5Pset_fill_time(properties.id(), H5D_FILL_TIME_ALLOC));
  return properties;
}

// A block that starts at a row and fills the other dimensions from 0.
Handle select_block(const Handle& dataset, std::uint64_t row, const Shape& block) {
  Handle file_space(H5Dget_space(dataset.id()));
  std::vector<hsize_t> start(block.size());
  start[0] = row;
  check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr,
                            dimensions(block).data(), nullptr));
  return file_space;
}

void write_block(const Handle& dataset, const Handle& type, std::uint64_t row, const Shape& block,
                 const void* data) {
  const Handle file_space = select_block(dataset, row, block);
  const Handle memory_space = make_space(block);
  check(H5Dwrite(dataset.id(), type.id(), memory_space.id(), file_space.id(), H5P_DEFAULT, data));
}

}  // namespace

Handle make_space(const Shape& shape) {
  if (shape.empty()) return Handle(H5Screate(H5S_SCALAR));
  return Handle(
      H5Screate_simple(static_cast<int>(shape.size()), dimensions(shape).data(), nullptr));
}

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

Handle::Handle(std::int64_t id) : id_(id) {
  if (id < 0) throw make_error();
}

Handle::~Handle() {
  if (id_ >= 0) H5Idec_ref(id_);
}

void check(int status) {
  if (status < 0) throw make_error();
}

template <>
Handle number_type<double>() {
  return Handle(H5Tcopy(H5T_IEEE_F64LE));
}
template <>
Handle number_type<std::int32_t>() {
  return Handle(H5Tcopy(H5T_STD_I32LE));
}
template <>
Handle number_type<std::int64_t>() {
  return Handle(H5Tcopy(H5T_STD_I64LE));
}
template <>
Handle number_type<std::uint8_t>() {
  return Handle(H5Tcopy(H5T_STD_U8LE));
}

Handle text_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1));
  check(H5Tset_size(type.id(), std::max<std::size_t>(bytes, 1)));
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD));
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8));
  return type;
}

Handle enum_type(std::span<const std::string_view> names) {
  Handle type(H5Tenum_create(H5T_STD_I32LE));
  for (std::int32_t value = 0; value < std::ssize(names); ++value)
    check(H5Tenum_insert(type.id(), std::string(names[static_cast<std::size_t>(value)]).c_str(),
                         &value));
  return type;
}

Handle compound_type(std::size_t bytes, const std::vector<Field>& fields) {
  Handle type(H5Tcreate(H5T_COMPOUND, bytes));
  for (const Field& field : fields) {
    const hsize_t count = field.count;
    const Handle array(count > 1 ? H5Tarray_create2(field.type.id(), 1, &count)
                                 : H5Tcopy(field.type.id()));
    check(H5Tinsert(type.id(), field.name.c_str(), field.offset, array.id()));
  }
  return type;
}

Handle make_group(const Handle& parent, const std::string& name) {
  const Handle properties(H5Pcreate(H5P_GROUP_CREATE));
  check(H5Pset_obj_track_times(properties.id(), false));
  return Handle(H5Gcreate2(parent.id(), name.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT));
}

Handle make_dataset(const Handle& parent, const std::string& name, const Handle& type,
                    const Shape& shape) {
  const Handle properties = make_creation_properties();
  return Handle(H5Dcreate2(parent.id(), name.c_str(), type.id(), make_space(shape).id(),
                           H5P_DEFAULT, properties.id(), H5P_DEFAULT));
}

Handle make_growing_dataset(const Handle& parent, const std::string& name, const Handle& type,
                            const Shape& shape, const Shape& chunk) {
  const int rank = static_cast<int>(shape.size());
  const Handle properties = make_creation_properties();
  check(H5Pset_chunk(properties.id(), rank, dimensions(chunk).data()));
  if (chunk[0] == 1) check(H5Pset_fill_time(properties.id(), H5D_FILL_TIME_NEVER));
  const std::vector<hsize_t> unlimited(shape.size(), H5S_UNLIMITED);
  const Handle space(H5Screate_simple(rank, dimensions(shape).data(), unlimited.data()));
  return Handle(H5Dcreate2(parent.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                           properties.id(), H5P_DEFAULT));
}

Handle make_scalar(const Handle& parent, const std::string& name, const Handle& type) {
  constexpr std::size_t kMostCompact = 60000;  // bytes: HDF5 has room for 64 KiB in a header
  const Handle properties = make_creation_properties();
  if (H5Tget_size(type.id()) <= kMostCompact) check(H5Pset_layout(properties.id(), H5D_COMPACT));
  return Handle(H5Dcreate2(parent.id(), name.c_str(), type.id(), make_space({}).id(), H5P_DEFAULT,
                           properties.id(), H5P_DEFAULT));
}

Handle make_packed_dataset(const Handle& parent, const std::string& name, const Handle& type,
                           const Shape& shape, const Shape& chunk) {
  constexpr unsigned kDeflation = 4;  // 9 takes several times as long and gains little
  const int rank = static_cast<int>(shape.size());
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE));
  check(H5Pset_obj_track_times(properties.id(), false));
  check(H5Pset_chunk(properties.id(), rank, dimensions(chunk).data()));
  check(H5Pset_fill_time(properties.id(), H5D_FILL_TIME_ALLOC));
  check(H5Pset_shuffle(properties.id()));
  check(H5Pset_deflate(properties.id(), kDeflation));
  check(H5Pset_fletcher32(properties.id()));
  const std::vector<hsize_t> unlimited(shape.size(), H5S_UNLIMITED);
  const Handle space(H5Screate_simple(rank, dimensions(shape).data(), unlimited.data()));
  return Handle(H5Dcreate2(parent.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                           properties.id(), H5P_DEFAULT));
}

void set_shape(const Handle& dataset, const Shape& shape) {
  check(H5Dset_extent(dataset.id(), dimensions(shape).data()));
}

void write(const Handle& dataset, const Handle& type, const void* data) {
  check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
}

void write_rows(const Handle& dataset, const Handle& type, std::uint64_t first, std::uint64_t count,
                const void* data) {
  Shape block = shape_of(dataset);
  block[0] = count;
  write_block(dataset, type, first, block, data);
}

void write_front(const Handle& dataset, const Handle& type, std::uint64_t row, std::uint64_t count,
                 const void* data) {
  write_block(dataset, type, row, {1, count}, data);
}

Handle open_file(const std::string& path) {
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
}

Handle open_dataset(const Handle& parent, const std::string& name) {
  return Handle(H5Dopen2(parent.id(), name.c_str(), H5P_DEFAULT));
}

Shape shape_of(const Handle& dataset) {
  const Handle space(H5Dget_space(dataset.id()));
  const int rank = H5Sget_simple_extent_ndims(space.id());
  check(rank);
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr));
  return {extent.begin(), extent.end()};
}

std::uint64_t bytes_on_disk(const Handle& file) {
  hsize_t bytes = 0;
  check(H5Fget_filesize(file.id(), &bytes));
  return bytes;
}

Handle type_of(const Handle& dataset) { return Handle(H5Dget_type(dataset.id())); }

std::size_t bytes_of(const Handle& type) { return H5Tget_size(type.id()); }

void read_rows(const Handle& dataset, const Handle& type, std::uint64_t first, std::uint64_t count,
               void* data) {
  Shape block = shape_of(dataset);
  block[0] = count;
  const Handle file_space = select_block(dataset, first, block);
  const Handle memory_space = make_space(block);
  check(H5Dread(dataset.id(), type.id(), memory_space.id(), file_space.id(), H5P_DEFAULT, data));
}

void read(const Handle& dataset, const Handle& type, void* data) {
  check(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
}

std::string read_text(const Handle& parent, const std::string& name) {
  const Handle dataset = open_dataset(parent, name);
  const Handle type(H5Dget_type(dataset.id()));
  std::string text(H5Tget_size(type.id()), '\0');
  read(dataset, type, text.data());
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

void flush(const Handle& file) { check(H5Fflush(file.id(), H5F_SCOPE_LOCAL)); }

std::vector<Member> members_of(const Handle& group) {
  H5G_info_t info;
  check(H5Gget_info(group.id(), &info));
  std::vector<Member> members(info.nlinks);
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const ssize_t length =
        H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    check(static_cast<int>(length));
    std::string& name = members[i].name;
    name.resize(static_cast<std::size_t>(length));
    H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size() + 1,
                       H5P_DEFAULT);
    const Handle object(H5Oopen(group.id(), name.c_str(), H5P_DEFAULT));
    members[i].is_group = H5Iget_type(object.id()) == H5I_GROUP;
  }
  return members;
}

Handle open_group(const Handle& parent, const std::string& name) {
  return Handle(H5Gopen2(parent.id(), name.c_str(), H5P_DEFAULT));
}

}  // namespace carom::io::hdf5
