// Something kept for every pair of bodies that has met: a hash table with open addressing, whose
// entries stand in the order in which the pairs came. Looking one up costs O(1), however many
// bodies there are; memory grows with the pairs alone and is kept when the table is cleared. To be
// saved, Value::visit_numbers(value, visit) calls visit on every number of a value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/base/bytes.h"
#include "carom/base/ids.h"

namespace carom::record {

template <typename Value>
class PairTable {
 public:
  struct Entry {
    BodyId a{}, b{};  // ascending
    Value value{};
  };

  // Made when it is not there yet. Valid until the next call.
  Value& at(BodyId i, BodyId j) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const auto [a, b] = std::minmax(i, j);
    std::int32_t& slot = slot_of(a, b);
    if (slot == kFree) {
      slot = static_cast<std::int32_t>(entries_.size());
      entries_.push_back({a, b, {}});
    }
    return entries_[static_cast<std::size_t>(slot)].value;
  }

  std::span<const Entry> entries() const { return entries_; }

  void clear() {
    entries_.clear();
    std::fill(slots_.begin(), slots_.end(), kFree);
  }

  void save(std::string& bytes) const {
    base::append_bytes(bytes, static_cast<std::uint64_t>(entries_.size()));
    for (const auto& [a, b, value] : entries_) {
      base::append_bytes(bytes, a);
      base::append_bytes(bytes, b);
      Value::visit_numbers(value, [&](double number) { base::append_bytes(bytes, number); });
    }
  }
  void restore(std::string_view& bytes) {
    clear();
    std::uint64_t size = 0;
    base::take_bytes(bytes, size);
    for (; size > 0; --size) {
      BodyId a{}, b{};
      base::take_bytes(bytes, a);
      base::take_bytes(bytes, b);
      Value::visit_numbers(at(a, b), [&](double& number) { base::take_bytes(bytes, number); });
    }
  }

 private:
  static constexpr std::int32_t kFree = -1;
  static constexpr std::size_t kLeastSlots = 64;

  static std::uint64_t hash(BodyId a, BodyId b) {
    const auto high = static_cast<std::uint64_t>(a) << 32U;
    const std::uint64_t key = high | static_cast<std::uint32_t>(b);
    const std::uint64_t mixed = key * 0x9E3779B97F4A7C15U;  // Fibonacci hashing
    return mixed ^ (mixed >> 32U);
  }

  // Where the pair stands, or where it may: there is always a free slot.
  std::int32_t& slot_of(BodyId a, BodyId b) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash(a, b) & mask;
    while (slots_[i] != kFree) {
      const Entry& entry = entries_[static_cast<std::size_t>(slots_[i])];
      if (entry.a == a && entry.b == b) break;
      i = (i + 1) & mask;
    }
    return slots_[i];
  }

  void grow() {
    slots_.assign(std::max(kLeastSlots, 2 * slots_.size()), kFree);
    for (std::size_t k = 0; k < entries_.size(); ++k)
      slot_of(entries_[k].a, entries_[k].b) = static_cast<std::int32_t>(k);
  }

  std::vector<Entry> entries_;
  std::vector<std::int32_t> slots_;  // a power of two of them, at most half taken
};

}  // namespace carom::record
