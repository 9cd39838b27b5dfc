// Where the Jacobian of ClusterEquations has entries.
#include <algorithm>

#include "carom/methods/elastic/cluster_equations.h"

namespace carom::methods {

void ClusterEquations::lay_out() {
  make_pattern();
  find_body_places();
  find_pair_places();
  find_row_places();
}

void ClusterEquations::couple(BodyId row, BodyId column, Columns& columns) const {
  if (!moves(row) || !moves(column)) return;
  for (math::Index c = 0; c < kBody; ++c) {
    for (math::Index r = kV; r < kBody; ++r)
      columns[static_cast<std::size_t>(offset(column) + c)].push_back(offset(row) + r);
  }
}

void ClusterEquations::make_pattern() {
  Columns columns(static_cast<std::size_t>(size()));
  const auto column = [&](math::Index c) -> std::vector<std::int64_t>& {
    return columns[static_cast<std::size_t>(c)];
  };
  const auto add = [&](math::Index row, math::Index rows, math::Index first, math::Index count) {
    for (math::Index c = first; c < first + count; ++c)
      for (math::Index r = row; r < row + rows; ++r) column(c).push_back(r);
  };
  for (const BodyId id : bodies_) {
    const math::Index at = offset(id);
    couple(id, id, columns);
    for (math::Index i = 0; i < 3; ++i) {
      column(at + i).push_back(at + i);
      column(at + kV + i).push_back(at + i);
    }
    add(at + kQ, 4, at + kQ, 4);
    add(at + kQ, 4, at + kL, 3);
  }
  for (math::Index z = 0; z < bristle_size(); z += 3)
    add(bristle_offset() + z, 3, bristle_offset() + z, 3);
  for (const ElasticContact& pair : touches_.all) {
    couple(pair.a, pair.b, columns);
    couple(pair.b, pair.a, columns);
    if (!stick_) continue;
    const math::Index z = bristle_place(pair.slot);
    for (const BodyId id : {pair.a, pair.b}) {
      if (!moves(id)) continue;
      add(z, 3, offset(id), kBody);
      add(offset(id) + kV, 6, z, 3);
    }
  }
  for (math::Index i = 0; i < row_count_; ++i) {
    const math::Index force = joint_offset() + i, shift = force + row_count_;
    add(force, 1, force, 1);
    add(shift, 1, shift, 1);
    const dynamics::JointRow& row = rows_[static_cast<std::size_t>(i)];
    for (const BodyId id : {row.a, row.b}) {
      if (!moves(id)) continue;
      add(shift, 1, offset(id), kV);
      add(force, 1, offset(id) + kV, 6);
      add(offset(id) + kV, 6, force, 1);
      add(offset(id), kV, shift, 1);
    }
  }
  compress(columns);
}

void ClusterEquations::compress(Columns& columns) {
  pattern_.starts.assign(1, 0);
  pattern_.rows.clear();
  for (std::vector<std::int64_t>& rows : columns) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    pattern_.rows.insert(pattern_.rows.end(), rows.begin(), rows.end());
    pattern_.starts.push_back(static_cast<std::int64_t>(pattern_.rows.size()));
  }
}

std::int64_t ClusterEquations::find_place(math::Index row, math::Index column) const {
  const auto begin = pattern_.rows.begin() + pattern_.starts[static_cast<std::size_t>(column)];
  const auto end = pattern_.rows.begin() + pattern_.starts[static_cast<std::size_t>(column) + 1];
  return std::lower_bound(begin, end, row) - pattern_.rows.begin();
}

void ClusterEquations::find_in_row(math::Index row, math::Index column,
                                   std::span<std::int64_t> places) const {
  for (std::int64_t& place : places) place = find_place(row, column++);
}

void ClusterEquations::find_body_places() {
  body_places_.assign(bodies_.size(), {});
  for (const BodyId id : bodies_) {
    const math::Index at = offset(id);
    BodyPlaces& places = body_places_[static_cast<std::size_t>(scratch_.slot[index(id)])];
    find_in_row(at + kV, at, places.own);
    find_in_row(at + kQ, at + kQ, std::span(places.q).first(4));
    find_in_row(at + kQ, at + kL, std::span(places.q).last(3));
    for (std::size_t i = 0; i < 3; ++i) {
      const auto k = static_cast<math::Index>(i);
      places.x[i] = find_place(at + k, at + k);
      places.x[3 + i] = find_place(at + k, at + kV + k);
    }
  }
}

void ClusterEquations::find_pair_places() {
  pair_places_.assign(touches_.all.size(), {});
  for (std::size_t i = 0; i < pair_places_.size(); ++i) {
    const ElasticContact& pair = touches_.all[i];
    PairPlaces& places = pair_places_[i];
    if (moves(pair.a) && moves(pair.b)) {
      find_in_row(offset(pair.a) + kV, offset(pair.b), places.a_b);
      find_in_row(offset(pair.b) + kV, offset(pair.a), places.b_a);
    }
    if (!stick_) continue;
    const math::Index z = bristle_place(pair.slot);
    find_in_row(z, z, places.z_z);
    if (moves(pair.a)) find_in_row(z, offset(pair.a), places.z_a);
    if (moves(pair.b)) find_in_row(z, offset(pair.b), places.z_b);
    if (moves(pair.a)) find_in_row(offset(pair.a) + kV, z, places.a_z);
    if (moves(pair.b)) find_in_row(offset(pair.b) + kV, z, places.b_z);
  }
}

void ClusterEquations::find_row_places() {
  row_places_.assign(rows_.size(), {});
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const math::Index force = joint_offset() + static_cast<math::Index>(i),
                      shift = force + row_count_;
    const dynamics::JointRow& row = rows_[i];
    RowPlaces& places = row_places_[i];
    if (moves(row.a)) {
      find_in_row(shift, offset(row.a), places.error_a);
      find_in_row(force, offset(row.a) + kV, places.rate_a);
      places.force_a = find_place(offset(row.a) + kV, force);
      places.shift_a = find_place(offset(row.a), shift);
    }
    if (moves(row.b)) {
      find_in_row(shift, offset(row.b), places.error_b);
      find_in_row(force, offset(row.b) + kV, places.rate_b);
      places.force_b = find_place(offset(row.b) + kV, force);
      places.shift_b = find_place(offset(row.b), shift);
    }
  }
}

}  // namespace carom::methods
