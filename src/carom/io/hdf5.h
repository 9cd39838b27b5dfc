// The little of HDF5 that recordings need, with identifiers that close themselves and errors that
// throw. HDF5's own header stays out of ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carom::io::hdf5 {

// HDF5 refused; the message is its innermost complaint.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Keeps HDF5 from printing its error stack while in scope.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  int (*print_)(std::int64_t, void*) = nullptr;
  void* data_ = nullptr;
};

class Handle {
 public:
  Handle() = default;
  explicit Handle(std::int64_t id);  // throws Error when negative
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle();
  std::int64_t id() const { return id_; }

 private:
  std::int64_t id_ = -1;
};

void check(int status);  // throws Error when negative

// Types. All are stored as little-endian whatever the machine.
template <typename T>
Handle number_type();
template <>
Handle number_type<double>();
template <>
Handle number_type<std::int32_t>();
template <>
Handle number_type<std::int64_t>();
template <>
Handle number_type<std::uint8_t>();
Handle text_type(std::size_t bytes);                        // UTF-8, padded with zeros
Handle enum_type(std::span<const std::string_view> names);  // int32, counted from 0

struct Field {
  std::string name;
  std::size_t offset = 0;
  Handle type;
  std::size_t count = 1;  // more than one: an array
};
Handle compound_type(std::size_t bytes, const std::vector<Field>& fields);

using Shape = std::vector<std::uint64_t>;
Handle make_space(const Shape& shape);  // a dataspace; of one element where the shape is empty

Handle make_group(const Handle& parent, const std::string& name);
// Fixed size, its space taken and zeroed at once.
Handle make_dataset(const Handle& parent, const std::string& name, const Handle& type,
                    const Shape& shape);
// All dimensions may grow. The file's space grows by whole chunks at the moment set_shape() asks
// for them, so that where they lie does not depend on when the file is flushed. New chunks are
// zeros; a chunk of a single row costs nothing until it is written.
Handle make_growing_dataset(const Handle& parent, const std::string& name, const Handle& type,
                            const Shape& shape, const Shape& chunk);
// A single value, in the dataset's own header where there is room.
Handle make_scalar(const Handle& parent, const std::string& name, const Handle& type);
// Written once, chunk after chunk: shuffled, deflated and with a checksum for each chunk.
Handle make_packed_dataset(const Handle& parent, const std::string& name, const Handle& type,
                           const Shape& shape, const Shape& chunk);
void set_shape(const Handle& dataset, const Shape& shape);
void write(const Handle& dataset, const Handle& type, const void* data);
// Rows [first, first + count) along the first dimension.
void write_rows(const Handle& dataset, const Handle& type, std::uint64_t first, std::uint64_t count,
                const void* data);
// The first `count` values of one row of a dataset with two dimensions.
void write_front(const Handle& dataset, const Handle& type, std::uint64_t row, std::uint64_t count,
                 const void* data);

Handle open_file(const std::string& path);
Handle open_dataset(const Handle& parent, const std::string& name);
Shape shape_of(const Handle& dataset);
std::uint64_t bytes_on_disk(const Handle& file);
Handle type_of(const Handle& dataset);
std::size_t bytes_of(const Handle& type);
void read(const Handle& dataset, const Handle& type, void* data);
void read_rows(const Handle& dataset, const Handle& type, std::uint64_t first, std::uint64_t count,
               void* data);
std::string read_text(const Handle& parent, const std::string& name);
void flush(const Handle& file);

// Attributes are made once and may be set again later; a text longer than its first value is cut.
// Attributes (hdf5_attributes.cpp).
void set_attribute(const Handle& object, const std::string& name, const Handle& type,
                   const Shape& shape, const void* data);
void set_attribute(const Handle& object, const std::string& name, double value);
void set_attribute(const Handle& object, const std::string& name, std::int64_t value);
void set_attribute(const Handle& object, const std::string& name, const std::string& value,
                   std::size_t capacity);
std::int64_t read_integer_attribute(const Handle& object, const std::string& name);
std::string read_text_attribute(const Handle& object, const std::string& name);
void copy_attributes(const Handle& from, const Handle& to);

struct Member {
  std::string name;
  bool is_group = false;
};
std::vector<Member> members_of(const Handle& group);  // by name, ascending
Handle open_group(const Handle& parent, const std::string& name);

}  // namespace carom::io::hdf5
