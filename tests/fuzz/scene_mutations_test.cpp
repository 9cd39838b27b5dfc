// Scenes with bytes changed, dropped, doubled and swapped: each is read or refused with a reason,
// and nothing else happens.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "carom/base/diagnostics.h"
#include "carom/base/random.h"
#include "carom/io/scene_file.h"
#include "carom/methods/registry.h"

namespace carom {
namespace {

constexpr int kMutantsPerScene = 2000;

std::string mutated(std::string text, base::Random& random) {
  static const std::string interesting = "{}[],:\"\\-+.eE019nut/ \n\0\xff";
  const std::uint64_t changes = 1 + random.next() % 4;
  for (std::uint64_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = random.next() % text.size();
    switch (random.next() % 5) {
      case 0:
        text[at] = interesting[random.next() % interesting.size()];
        break;
      case 1:
        text.erase(at, 1 + random.next() % 20);
        break;
      case 2:
        text.insert(at, text.substr(at, 1 + random.next() % 40));
        break;
      case 3:
        text.resize(at);
        break;
      default:
        text[at] = static_cast<char>(random.next() % 256);
    }
  }
  return text;
}

TEST(SceneMutations, AreReadOrRefusedWithAReason) {
  int read = 0, refused = 0;
  base::Random random(20261115);
  const std::filesystem::path scenes = std::string(CAROM_SOURCE_DIR) + "/scenes";
  for (const char* name : {"break.json", "bouncing-ball.json", "free-top.json"}) {
    std::ifstream file(scenes / name);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(text.empty()) << name;
    for (int i = 0; i < kMutantsPerScene; ++i) {
      try {
        io::parse_scene(mutated(text, random), name, {}, methods::catalog(), scenes);
        ++read;
      } catch (const base::BadInput& bad) {
        ++refused;
        ASSERT_FALSE(bad.diagnostics().empty());
        for (const base::Diagnostic& problem : bad.diagnostics()) {
          EXPECT_EQ(problem.file, name);
          EXPECT_FALSE(problem.found.empty());
        }
      }
    }
  }
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace carom
