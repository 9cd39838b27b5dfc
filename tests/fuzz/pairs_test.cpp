// The inputs in which scripts/fuzz once found a fault, and random ones.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "carom/base/random.h"
#include "fuzz/pair_checks.h"

namespace carom::fuzz {
namespace {

TEST(Pairs, ThatOnceBrokeSomethingDoNot) {
  const std::filesystem::path found = std::string(CAROM_SOURCE_DIR) + "/tests/fuzz/pairs";
  for (const auto& entry : std::filesystem::directory_iterator(found)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<std::uint8_t> data{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(find_fault(read_pair(data)), "") << entry.path();
  }
}

TEST(Pairs, OfRandomBytesBreakNothing) {
  base::Random random(19);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::uint8_t> data(160);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(random.next());
    EXPECT_EQ(find_fault(read_pair(data)), "") << "case " << i;
  }
}

}  // namespace
}  // namespace carom::fuzz
