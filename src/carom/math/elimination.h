// In which order the stretches of a symmetric pattern are eliminated, and where entries are then:
// by least degree, so that a chain of n costs n, and a wall as wide as high about n^1.5. The order
// is that of the pattern, and is found again only when that changes. Keeps its memory; allocates
// nothing once it has grown.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace carom::math {

class Elimination {
 public:
  using Couple = std::pair<std::int32_t, std::int32_t>;

  // Of `size` stretches, coupled as listed, in any order and as often as one likes. Whether places
  // are others than before.
  bool set(std::size_t size, std::vector<Couple>& couples);

  std::size_t size() const { return order_.size(); }
  std::size_t entries() const { return row_.size(); }  // below the diagonal
  std::int32_t position(std::int32_t stretch) const { return position_[at(stretch)]; }
  std::int32_t stretch(std::size_t position) const { return order_[position]; }
  // The positions below the diagonal of a column, rising, and where the first of them stands among
  // all entries.
  std::span<const std::int32_t> below(std::size_t column) const {
    return std::span(row_).subspan(first(column), first(column + 1) - first(column));
  }
  std::size_t first(std::size_t column) const { return first_below_[column]; }
  // Of the entry in column `low` and row `high`, which is there.
  std::size_t place(std::int32_t low, std::int32_t high) const;

 private:
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  void order_by_degree();
  std::int32_t find_least_degree() const;
  void eliminate(std::int32_t stretch);
  void place_columns();

  std::vector<Couple> couples_;
  std::vector<std::vector<std::int32_t>> neighbours_;  // while ordering
  std::vector<std::int32_t> merged_;
  std::vector<std::int32_t> position_, order_;  // of a stretch, and back
  std::vector<std::size_t> first_below_;        // by column, into row_
  std::vector<std::int32_t> row_;
};

}  // namespace carom::math
