// Plain values to bytes and back, for checkpoints: on the machine that wrote them. Equal values
// give equal bytes: a type with gaps between its members, whose bytes nobody sets, does not
// compile.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "carom/base/check.h"

namespace carom::base {

template <typename T>
constexpr bool read_as_bytes() {
  static_cast<void>(std::bit_cast<std::array<char, sizeof(T)>>(T{}));
  return true;
}
// A constant's bytes can be read at compile time where all of them are set.
template <typename T>
concept WithoutGaps = std::is_trivially_copyable_v<T> &&
                      requires { typename std::bool_constant<read_as_bytes<T>()>; };

template <typename T>
void append_bytes(std::string& bytes, const T& value) {
  static_assert(WithoutGaps<T>);
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}
template <typename T>
void append_bytes(std::string& bytes, const std::vector<T>& values) {
  append_bytes(bytes, static_cast<std::uint64_t>(values.size()));
  for (const T& value : values) append_bytes(bytes, value);
}

// Takes them off the front again, in the same order.
template <typename T>
void take_bytes(std::string_view& bytes, T& value) {
  static_assert(WithoutGaps<T>);
  check(bytes.size() >= sizeof(T), "a checkpoint's memory is whole");
  bytes.copy(reinterpret_cast<char*>(&value), sizeof(T));
  bytes.remove_prefix(sizeof(T));
}
template <typename T>
void take_bytes(std::string_view& bytes, std::vector<T>& values) {
  std::uint64_t size = 0;
  take_bytes(bytes, size);
  check(bytes.size() / sizeof(T) >= size, "a checkpoint's memory is whole");
  values.resize(size);
  for (T& value : values) take_bytes(bytes, value);
}

}  // namespace carom::base
