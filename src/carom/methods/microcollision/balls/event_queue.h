// The next event of each of many items, the earliest first; of equal times the one that was set
// first, so that nobody waits for ever while others have one event after another at one time.
//
// A calendar with a small heap (Paul 2007, "A complexity O(1) priority queue for event driven
// molecular dynamics simulations"): buckets of equal width, each an unsorted list, cover a window
// of time; what lies beyond waits in one list until the window moves on. A bucket that becomes
// current is emptied into a binary heap, into which everything earlier than its end goes from then
// on. With about one event in a bucket everything is O(1): the width is guessed from the first
// times and adjusted to the rate at which events were taken out. Where times are so uneven that no
// width fits, crowded buckets cost what a heap of their items does, O(log m), and empty ones a few
// at a time. An event that is set goes to its bucket a few events later, when the memory asked for
// has come, unless the bucket is near.
//
// Times are not negative. Allocates only in fill().
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "carom/base/prefetch.h"

namespace carom::methods {

class EventQueue {
 public:
  struct Event {
    double time;
    std::int32_t item;
    std::uint32_t stamp = 0;  // counts on with every event that is set
  };

  // Instead of what there was: one event for each item, or none where the time is infinite.
  void fill(std::span<const double> times);

  // The item's event is at `time` from now on, or nowhere if that is infinite.
  void set(std::int32_t item, double time);

  // Takes the earliest event out, if there is one not later than `until`.
  std::optional<Event> pop(double until);

  // For those who ask for memory ahead of time: the current bucket, which events come from, the
  // first item of a later one, the next in the same one, or -1, and when an item's event is.
  std::int64_t bucket() const { return current_; }
  std::int32_t first_in(std::int64_t bucket) const {
    return bucket < window_end_ ? heads_[slot(bucket)] : kNobody;
  }

  std::int32_t next_in_bucket(std::int32_t item) const { return node(item).next; }
  double time_of(std::int32_t item) const { return node(item).time; }

  std::size_t size() const { return size_; }

 private:
  static constexpr std::int32_t kNobody = -1, kInHeap = -2, kOut = -3, kWaits = -4;
  static constexpr std::size_t kMostWaiting = 8;
  struct Node {
    double time;
    std::uint32_t stamp;
    std::int32_t next;  // in its list, or where it stands in the heap
    std::int32_t prev;  // in its list, kNobody for its first; kInHeap; kOut; kWaits
  };

  const Node& node(std::int32_t item) const { return nodes_[static_cast<std::size_t>(item)]; }
  Node& node(std::int32_t item) { return nodes_[static_cast<std::size_t>(item)]; }
  std::size_t slot(std::int64_t bucket) const { return static_cast<std::size_t>(bucket) & mask_; }
  std::int64_t bucket_of(double time) const;
  std::int32_t& head_for(std::int64_t bucket);

  void insert(std::int32_t item);
  void let_wait(std::int32_t item);
  void end_waiting(std::int32_t item);
  void end_all_waiting();
  void remove(std::int32_t item);
  bool refill_heap();
  void take_bucket(std::int32_t& head);
  void begin_next_window();
  void begin_window(double now);
  bool is_before(Event a, Event b) const {
    return a.time < b.time ||
           (a.time == b.time && static_cast<std::int32_t>(a.stamp - b.stamp) < 0);
  }
  void put(std::size_t place, Event event);
  void sift_up(std::size_t place, Event event);
  void sift_down(std::size_t place, Event event);
  void push_heap(std::int32_t item);
  void erase_from_heap(std::size_t place);

  std::vector<Node> nodes_;
  std::vector<std::int32_t> heads_;
  std::vector<Event> heap_;
  std::array<std::int32_t, kMostWaiting> waiting_{};  // for the memory of their bucket
  std::size_t waits_ = 0;                             // how many have waited
  std::int64_t nobody_waits_until_ = 0;               // bucket
  std::size_t mask_ = 0, size_ = 0;
  std::uint32_t stamp_ = 0;
  std::int32_t far_ = kNobody;  // first of those beyond the window
  double width_ = 1, per_width_ = 1;
  std::int64_t current_ = 0;  // bucket; events up to its end are in the heap
  std::int64_t window_end_ = 0;
  std::int64_t popped_ = 0;  // since widths were last looked at, which was at
  double measured_from_ = 0;
};

}  // namespace carom::methods
