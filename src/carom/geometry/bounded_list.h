// A list with room for N values in itself: what a query collects without touching the heap.
#pragma once

#include <array>
#include <cstddef>

namespace carom::geometry {

template <typename T, std::size_t N>
class BoundedList {
 public:
  // Refuses, and says so, when the list is full.
  bool push(const T& value) {
    if (size_ == N) return false;
    values_[size_++] = value;
    return true;
  }
  void clear() { size_ = 0; }
  void shrink(std::size_t size) { size_ = size; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* begin() { return values_.data(); }
  T* end() { return values_.data() + size_; }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + size_; }

 private:
  std::array<T, N> values_;
  std::size_t size_ = 0;
};

}  // namespace carom::geometry
