// A list with room for N values in itself: what a query collects without touching the heap.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace carom::geometry {

template <typename T, std::size_t N>
class BoundedList {
 public:
  static_assert(std::is_trivially_destructible_v<T>);
  BoundedList() {}  // leaves the room as it is: clearing it costs more than most queries

  // Refuses, and says so, when the list is full.
  bool push(const T& value) {
    if (size_ == N) return false;
    std::construct_at(values_ + size_++, value);
    return true;
  }
  void clear() { size_ = 0; }
  void shrink(std::size_t size) { size_ = size; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* begin() { return values_; }
  T* end() { return values_ + size_; }
  const T* begin() const { return values_; }
  const T* end() const { return values_ + size_; }

 private:
  union {
    T values_[N];  // NOLINT(readability-identifier-naming): private, though in a union
  };
  std::size_t size_ = 0;
};

}  // namespace carom::geometry
