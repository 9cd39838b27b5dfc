// Times of numbered things, the earliest on top; of equal times, the least number. Changing one
// costs O(log n).
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace carom::methods {

class TimeHeap {
 public:
  struct Entry {
    double t;
    std::size_t item;
    bool operator<(const Entry& other) const {
      return t < other.t || (t == other.t && item < other.item);
    }
  };

  void clear() {
    heap_.clear();
    place_.clear();
  }
  bool empty() const { return heap_.empty(); }
  const Entry& top() const { return heap_.front(); }
  double earliest() const { return heap_.empty() ? HUGE_VAL : heap_.front().t; }

  // Items come in ascending order, each added once.
  void add(double t) {
    place_.push_back(heap_.size());
    heap_.push_back({t, place_.size() - 1});
    lift(heap_.size() - 1);
  }
  void set(std::size_t item, double t) {
    const std::size_t i = place_[item];
    heap_[i].t = t;
    sink(lift(i));
  }

 private:
  std::size_t lift(std::size_t i) {
    while (i > 0 && heap_[i] < heap_[(i - 1) / 2]) {
      swap(i, (i - 1) / 2);
      i = (i - 1) / 2;
    }
    return i;
  }
  void sink(std::size_t i) {
    for (;;) {
      std::size_t least = i;
      for (const std::size_t child : {2 * i + 1, 2 * i + 2}) {
        if (child < heap_.size() && heap_[child] < heap_[least]) least = child;
      }
      if (least == i) return;
      swap(i, least);
      i = least;
    }
  }
  void swap(std::size_t i, std::size_t j) {
    std::swap(heap_[i], heap_[j]);
    place_[heap_[i].item] = i;
    place_[heap_[j].item] = j;
  }

  std::vector<Entry> heap_;
  std::vector<std::size_t> place_;
};

}  // namespace carom::methods
