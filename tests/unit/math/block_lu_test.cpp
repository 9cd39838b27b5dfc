// The same matrix, summed in full and factored densely, over graphs of every sort.
#include "carom/math/block_lu.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"

namespace carom::math {
namespace {

using Graph = std::vector<std::pair<std::int32_t, std::int32_t>>;  // kNone: one stretch alone

Graph make_chain(std::int32_t count) {
  Graph graph;
  for (std::int32_t i = 0; i + 1 < count; ++i) graph.emplace_back(i, i + 1);
  return graph;
}
Graph make_star(std::int32_t count, std::int32_t hub) {
  Graph graph;
  for (std::int32_t i = 0; i < count; ++i) {
    if (i != hub) graph.emplace_back(hub, i);
  }
  return graph;
}
Graph make_tree(std::int32_t count, base::Random& random) {
  Graph graph;
  for (std::int32_t i = 1; i < count; ++i) {
    graph.emplace_back(i, static_cast<std::int32_t>(random.next() % static_cast<unsigned>(i)));
  }
  return graph;
}
Graph make_any(std::int32_t count, std::int32_t edges, base::Random& random) {
  Graph graph;
  const auto pick = [&] {
    return static_cast<std::int32_t>(random.next() % static_cast<unsigned>(count));
  };
  for (std::int32_t i = 0; i < edges; ++i) {
    const std::int32_t a = pick(), b = pick();
    graph.emplace_back(a, a == b ? BlockRows::kNone : b);
  }
  return graph;
}

// Three rows on every edge of a graph, with a block D of each.
struct Sum {
  BlockRows rows;
  std::vector<Mat3> blocks;
  MatX dense;
};

Sum make_sum(std::int32_t stretches, const Graph& graph, base::Random& random, bool one_size,
             double asymmetry = 0) {
  std::vector<BlockRows::Stretch> places;
  Index dimension = 0;
  for (std::int32_t s = 0; s < stretches; ++s) {
    const Index size = one_size ? 6 : 1 + static_cast<Index>(random.next() % 8);
    places.push_back({dimension, size});
    dimension += size;
  }
  Sum sum{.rows = {}, .blocks = {}, .dense = MatX::Identity(dimension, dimension)};
  sum.rows.reset(places);
  for (const auto& [a, b] : graph) {
    MatX R = MatX::Zero(3, dimension);
    Mat3 root;
    for (double& each : root.reshaped()) each = random.uniform(-1, 1);
    for (int i = 0; i < 3; ++i) {
      const Index row = sum.rows.add(a, b);
      for (int p = 0; p < 2; ++p) {
        if (sum.rows.stretch_of(row, p) == BlockRows::kNone) continue;
        const auto s = static_cast<std::size_t>(sum.rows.stretch_of(row, p));
        for (double& each : sum.rows.part(row, p)) each = random.uniform(-1, 1);
        R.block(i, places[s].first, 1, places[s].size) = sum.rows.part(row, p).transpose();
      }
    }
    sum.blocks.emplace_back(root * root.transpose() + asymmetry * (root - root.transpose()));
    sum.dense += R.transpose() * sum.blocks.back() * R;
  }
  sum.rows.index();
  return sum;
}

bool factor(BlockLu& lu, const Sum& sum, double scale = 1) {
  lu.clear();
  for (std::size_t i = 0; i < sum.blocks.size(); ++i) {
    lu.add(sum.rows, static_cast<Index>(3 * i), scale * sum.blocks[i]);
  }
  return lu.factor();
}

void expect_same_solution(BlockLu& lu, const Sum& sum, base::Random& random,
                          const std::string& where) {
  lu.set_pattern(sum.rows);
  ASSERT_TRUE(factor(lu, sum)) << where;
  VecX b(sum.dense.rows());
  for (double& each : b) each = random.uniform(-1, 1);
  const VecX expected = sum.dense.partialPivLu().solve(b);
  VecX found = b;
  lu.solve_in_place({found.data(), found.size()});
  EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm()) << where;
}

TEST(BlockLu, SolvesAsADenseFactorDoes) {
  base::Random random(21);
  BlockLu lu;  // the same one for all, as a solver keeps it
  for (int trial = 0; trial < 40; ++trial) {
    const auto count = static_cast<std::int32_t>(1 + random.next() % 12);
    const bool one_size = trial % 2 == 0;
    const auto hub = static_cast<std::int32_t>(random.next() % static_cast<unsigned>(count));
    for (const auto& [name, graph] : std::vector<std::pair<std::string, Graph>>{
             {"chain", make_chain(count)},
             {"star", make_star(count, hub)},
             {"tree", make_tree(count, random)},
             {"sparse, in parts", make_any(count, count / 2, random)},
             {"dense", make_any(count, 3 * count, random)},
             {"nothing", {}}}) {
      for (const double asymmetry : {0.0, 1.0}) {
        expect_same_solution(lu, make_sum(count, graph, random, one_size, asymmetry), random,
                             name + " of " + std::to_string(count));
      }
    }
  }
}

// The response of the rows of one edge to those of another, summed densely.
TEST(BlockLu, AddsProductsOfRowsThatShareAStretch) {
  base::Random random(8);
  for (int trial = 0; trial < 20; ++trial) {
    Sum sum = make_sum(4, {{0, 1}, {1, 2}, {2, 3}, {1, BlockRows::kNone}}, random, trial % 2 == 0);
    BlockLu lu;
    lu.set_pattern(sum.rows);
    lu.clear();
    for (std::size_t i = 0; i < sum.blocks.size(); ++i)
      lu.add(sum.rows, static_cast<Index>(3 * i), sum.blocks[i]);
    for (const auto& [first, other] : {std::pair{0, 9}, std::pair{9, 3}}) {
      Vec3 D;
      for (double& each : D) each = random.uniform(-1, 1);
      lu.add(sum.rows, first, other, D);
      VecX right = VecX::Zero(sum.dense.rows());
      sum.rows.add_to({right.data(), right.size()}, other, 1);
      for (int k = 0; k < 3; ++k) {
        VecX left = VecX::Zero(right.size());
        sum.rows.add_to({left.data(), left.size()}, first + k, D[k]);
        sum.dense += left * right.transpose();
      }
    }
    VecX b = VecX::LinSpaced(sum.dense.rows(), -1, 1), found = b;
    ASSERT_TRUE(lu.factor());
    lu.solve_in_place({found.data(), found.size()});
    EXPECT_LT((sum.dense * found - b).norm(), 1e-10 * b.norm() * (1 + found.norm()));
  }
}

// What a graph's parts do to each other: nothing, to the last bit.
TEST(BlockLu, KeepsPartsThatShareNoRowApart) {
  base::Random random(4);
  Graph graph = make_chain(4);
  for (const auto& [a, b] : make_star(4, 1)) graph.emplace_back(a + 5, b + 5);  // 4 is alone
  const Sum sum = make_sum(9, graph, random, true);
  BlockLu lu;
  lu.set_pattern(sum.rows);
  ASSERT_TRUE(factor(lu, sum));
  VecX b = VecX::Zero(54);
  b.segment(0, 24).setOnes();
  lu.solve_in_place({b.data(), b.size()});
  EXPECT_EQ(b.segment(24, 30), VecX::Zero(30));
  EXPECT_LT((sum.dense.topLeftCorner(24, 24) * b.segment(0, 24) - VecX::Ones(24)).norm(), 1e-12);
}

TEST(BlockLu, AddsUpRowsOnTheSameStretches) {
  base::Random random(5);
  const Sum sum = make_sum(2, {{0, 1}, {1, 0}, {0, 1}, {1, BlockRows::kNone}}, random, true);
  BlockLu lu;
  expect_same_solution(lu, sum, random, "three edges between two");
}

// I + Σ RᵀDR with D turned round: neither positive definite nor far from it, nor a number.
TEST(BlockLu, SaysWhenThereIsNone) {
  base::Random random(6);
  BlockLu lu;
  for (const std::int32_t count : {1, 2, 7}) {
    Graph graph = make_chain(count);
    graph.emplace_back(0, BlockRows::kNone);
    Sum sum = make_sum(count, graph, random, true);
    expect_same_solution(lu, sum, random, "as made");
    EXPECT_FALSE(factor(lu, sum, std::nan(""))) << count;
    for (const Index row : {0, 1, 2}) {  // r rᵀ of one number, -1, beside the identity
      for (const int p : {0, 1}) sum.rows.part(row, p).setZero();
      sum.rows.part(row, 0)[0] = row == 0 ? 1 : 0;
    }
    sum.blocks.assign(1, -Mat3::Identity());
    EXPECT_FALSE(factor(lu, sum)) << count;
  }
}

}  // namespace
}  // namespace carom::math
