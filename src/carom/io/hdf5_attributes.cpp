// Attributes of HDF5 objects.
#include <hdf5.h>

#include <algorithm>

#include "carom/io/hdf5.h"

namespace carom::io::hdf5 {

void set_attribute(const Handle& object, const std::string& name, const Handle& type,
                   const Shape& shape, const void* data) {
  const htri_t exists = H5Aexists(object.id(), name.c_str());
  check(exists);
  const Handle attribute(exists > 0 ? H5Aopen(object.id(), name.c_str(), H5P_DEFAULT)
                                    : H5Acreate2(object.id(), name.c_str(), type.id(),
                                                 make_space(shape).id(), H5P_DEFAULT, H5P_DEFAULT));
  check(H5Awrite(attribute.id(), type.id(), data));
}

void set_attribute(const Handle& object, const std::string& name, double value) {
  set_attribute(object, name, number_type<double>(), {}, &value);
}

void set_attribute(const Handle& object, const std::string& name, std::int64_t value) {
  set_attribute(object, name, number_type<std::int64_t>(), {}, &value);
}

void set_attribute(const Handle& object, const std::string& name, const std::string& value,
                   std::size_t capacity) {
  std::string padded = value;
  padded.resize(capacity);
  set_attribute(object, name, text_type(capacity), {}, padded.data());
}

std::int64_t read_integer_attribute(const Handle& object, const std::string& name) {
  const Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT));
  std::int64_t value = 0;
  check(H5Aread(attribute.id(), H5T_NATIVE_INT64, &value));
  return value;
}

std::string read_text_attribute(const Handle& object, const std::string& name) {
  const Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT));
  const Handle type(H5Aget_type(attribute.id()));
  std::string text(H5Tget_size(type.id()), '\0');
  check(H5Aread(attribute.id(), type.id(), text.data()));
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

void copy_attributes(const Handle& from, const Handle& to) {
  const int count = H5Aget_num_attrs(from.id());
  check(count);
  for (int i = 0; i < count; ++i) {
    const Handle source(H5Aopen_by_idx(from.id(), ".", H5_INDEX_NAME, H5_ITER_INC,
                                       static_cast<hsize_t>(i), H5P_DEFAULT, H5P_DEFAULT));
    const Handle type(H5Aget_type(source.id())), space(H5Aget_space(source.id()));
    std::vector<char> bytes(H5Aget_storage_size(source.id()));
    check(H5Aread(source.id(), type.id(), bytes.data()));
    std::string name(static_cast<std::size_t>(H5Aget_name(source.id(), 0, nullptr)), '\0');
    H5Aget_name(source.id(), name.size() + 1, name.data());
    const Handle copy(
        H5Acreate2(to.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
    check(H5Awrite(copy.id(), type.id(), bytes.data()));
  }
}

}  // namespace carom::io::hdf5
