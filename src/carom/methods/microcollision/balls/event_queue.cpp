#include "carom/methods/microcollision/balls/event_queue.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace carom::methods {

namespace {

constexpr std::size_t kFewestBuckets = 64;
constexpr double kEventsPerBucket = 0.5;
constexpr std::size_t kCrowded = 64;      // in the heap at once
constexpr double kWellFitting = 2;        // widths within this factor are left as they are
constexpr std::int64_t kPrefetched = 32;  // buckets ahead of which memory is asked for
constexpr double kLastBucket = 0x1p62;

// The mean time between events at first: a quarter of the items have theirs before the lower
// quartile, which a sample tells well enough.
double guess_spacing(std::span<const double> times) {
  std::array<double, 256> sample{};
  const std::size_t count = std::min(sample.size(), times.size());
  for (std::size_t i = 0; i < count; ++i) sample[i] = times[i * times.size() / count];
  std::sort(sample.begin(), sample.begin() + count);
  std::size_t rank = count / 4;
  while (rank > 0 && !std::isfinite(sample[rank])) --rank;
  const double share = static_cast<double>(rank + 1) / static_cast<double>(count + 1);
  const double spacing = sample[rank] / (share * static_cast<double>(times.size()));
  return std::isfinite(spacing) && spacing > 0 ? spacing : 1;
}

}  // namespace

std::int64_t EventQueue::bucket_of(double time) const {
  return static_cast<std::int64_t>(std::min(time * per_width_, kLastBucket));
}

std::int32_t& EventQueue::head_for(std::int64_t bucket) {
  return bucket < window_end_ ? heads_[slot(bucket)] : far_;
}

void EventQueue::fill(std::span<const double> times) {
  const std::size_t buckets = std::max(kFewestBuckets, std::bit_ceil(2 * times.size()));
  nodes_.resize(times.size());
  heads_.assign(buckets, kNobody);
  mask_ = buckets - 1;
  heap_.clear();
  heap_.reserve(times.size());
  far_ = kNobody;
  width_ = times.empty() ? 1 : kEventsPerBucket * guess_spacing(times);
  per_width_ = 1 / width_;
  current_ = -1;
  window_end_ = static_cast<std::int64_t>(buckets) - 1;
  popped_ = 0;
  measured_from_ = 0;
  size_ = 0;
  waiting_.fill(kNobody);
  nobody_waits_until_ = current_ + kPrefetched;
  stamp_ = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    nodes_[i] = {times[i], stamp_++, kNobody, kOut};
    if (std::isinf(times[i])) continue;
    insert(static_cast<std::int32_t>(i));
    ++size_;
  }
}

void EventQueue::set(std::int32_t item, double time) {
  Node& own = node(item);
  if (own.prev != kOut) {
    remove(item);
    --size_;
  }
  own.time = time;
  own.stamp = stamp_++;
  if (std::isinf(time)) return;
  ++size_;
  if (bucket_of(time) > current_ + kPrefetched) {
    let_wait(item);
  } else {
    insert(item);
  }
}

// Asks for the memory of the item's bucket and goes on; it goes there when some others have waited.
void EventQueue::let_wait(std::int32_t item) {
  node(item).prev = kWaits;
  base::prefetch(&head_for(bucket_of(node(item).time)));
  std::int32_t& longest = waiting_[waits_++ % kMostWaiting];
  end_waiting(longest);
  longest = item;
}

void EventQueue::end_waiting(std::int32_t item) {
  if (item != kNobody && node(item).prev == kWaits) insert(item);
}

void EventQueue::end_all_waiting() {
  for (std::int32_t& item : waiting_) end_waiting(std::exchange(item, kNobody));
  nobody_waits_until_ = current_ + kPrefetched;
}

void EventQueue::insert(std::int32_t item) {
  Node& own = node(item);
  const std::int64_t bucket = bucket_of(own.time);
  if (bucket <= current_) return push_heap(item);
  std::int32_t& head = head_for(bucket);
  own.next = head;
  own.prev = kNobody;
  if (head != kNobody) node(head).prev = item;
  head = item;
}

void EventQueue::remove(std::int32_t item) {
  Node& own = node(item);
  if (own.prev == kInHeap) {
    erase_from_heap(static_cast<std::size_t>(own.next));
  } else if (own.prev != kWaits) {
    if (own.next != kNobody) node(own.next).prev = own.prev;
    (own.prev == kNobody ? head_for(bucket_of(own.time)) : node(own.prev).next) = own.next;
  }
  own.prev = kOut;
}

std::optional<EventQueue::Event> EventQueue::pop(double until) {
  if (heap_.empty() && !refill_heap()) return std::nullopt;
  const Event first = heap_.front();
  if (first.time > until) return std::nullopt;
  erase_from_heap(0);
  node(first.item).prev = kOut;
  --size_;
  ++popped_;
  return first;
}

// Makes the next bucket current that has something in it; false if none has.
bool EventQueue::refill_heap() {
  if (size_ == 0) return false;
  while (heap_.empty()) {
    if (current_ >= nobody_waits_until_) end_all_waiting();
    if (current_ + 1 >= window_end_) begin_next_window();
    take_bucket(heads_[slot(++current_)]);
    const std::int32_t soon = first_in(current_ + kPrefetched);
    if (soon != kNobody) base::prefetch(&node(soon));
    if (heap_.size() > kCrowded && popped_ > static_cast<std::int64_t>(mask_)) {
      begin_window(heap_.front().time);
    }
  }
  return true;
}

void EventQueue::take_bucket(std::int32_t& head) {
  while (head != kNobody) {
    const std::int32_t item = head;
    head = node(item).next;
    push_heap(item);
  }
}

// Nothing is left but what lies beyond the window; the new one begins with the earliest of that.
void EventQueue::begin_next_window() {
  end_all_waiting();
  double first = node(far_).time;
  for (std::int32_t i = far_; i != kNobody; i = node(i).next) first = std::min(first, node(i).time);
  begin_window(first);
}

// Lays everything out again from the time `now` on, in buckets of a width that fits the events
// taken out since the last time.
void EventQueue::begin_window(double now) {
  const double fitting = kEventsPerBucket * (now - measured_from_) / static_cast<double>(popped_);
  const bool fits = fitting <= kWellFitting * width_ && width_ <= kWellFitting * fitting;
  if (!fits && popped_ > 0 && fitting > 0) width_ = fitting;
  per_width_ = 1 / width_;
  current_ = bucket_of(now) - 1;
  window_end_ = current_ + static_cast<std::int64_t>(heads_.size());
  nobody_waits_until_ = current_ + kPrefetched;
  popped_ = 0;
  measured_from_ = now;
  std::fill(heads_.begin(), heads_.end(), kNobody);
  heap_.clear();
  far_ = kNobody;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(nodes_.size()); ++i) {
    if (node(i).prev != kOut) insert(i);
  }
}

void EventQueue::put(std::size_t place, Event event) {
  heap_[place] = event;
  Node& own = node(event.item);
  own.next = static_cast<std::int32_t>(place);
  own.prev = kInHeap;
}

void EventQueue::push_heap(std::int32_t item) {
  heap_.push_back({node(item).time, item, node(item).stamp});
  sift_up(heap_.size() - 1, heap_.back());
}

void EventQueue::erase_from_heap(std::size_t place) {
  const Event last = heap_.back();
  heap_.pop_back();
  if (place == heap_.size()) return;
  if (place > 0 && is_before(last, heap_[(place - 1) / 2])) {
    sift_up(place, last);
  } else {
    sift_down(place, last);
  }
}

void EventQueue::sift_up(std::size_t place, Event event) {
  while (place > 0) {
    const std::size_t parent = (place - 1) / 2;
    if (!is_before(event, heap_[parent])) break;
    put(place, heap_[parent]);
    place = parent;
  }
  put(place, event);
}

void EventQueue::sift_down(std::size_t place, Event event) {
  while (2 * place + 1 < heap_.size()) {
    std::size_t child = 2 * place + 1;
    if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
    if (!is_before(heap_[child], event)) break;
    put(place, heap_[child]);
    place = child;
  }
  put(place, event);
}

}  // namespace carom::methods
