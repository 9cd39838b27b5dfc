// What a page keeps of events and forces, where there are more than a browser can hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/io/page_columns.h"
#include "carom/record/events.h"
#include "carom/record/forces.h"

namespace carom::io {

// The first PageData::kMostEvents by impulse, in the order of time. Amortised, one more costs O(1).
class KeptEvents {
 public:
  void add(const record::ContactEvent& event);
  std::int64_t total() const { return total_; }
  void write(PageColumns& columns);

 private:
  struct Kept {
    std::int64_t number = 0;
    record::ContactEvent event;
  };
  static auto rank(const Kept& kept);
  void drop();
  template <typename T, typename Of>
  void add_column(PageColumns& columns, const std::string& name, const Of& of) const;

  std::int64_t total_ = 0;
  std::vector<Kept> kept_;
};

// The forces of every `every`-th output.
class KeptForces {
 public:
  // Number -1 is the output before the first.
  void add(std::int64_t output, std::span<const record::CarriedForce> forces);
  std::int64_t every() const { return every_; }
  // Forces keep 13 bits, which are four digits.
  void write(PageColumns& columns, double place_quantum) const;

 private:
  struct Kept {
    std::int64_t output = 0;
    record::CarriedForce force;
  };
  template <typename Of>
  void add_column(PageColumns& columns, const char* name, const Of& of) const;

  std::int64_t every_ = 1;
  std::vector<Kept> kept_;
};

}  // namespace carom::io
