// Names under which outputs grow, and what stood there before.
#include "carom/io/output_file.h"

#include <gmock/gmock.h>

#include "carom/io/output_error.h"
#include "unit/io/recorded_run.h"

namespace carom::io {
namespace {

namespace fs = std::filesystem;
using test::bytes_of;

void put(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

TEST(TextFile, GrowsUnderItsOwnNameWhereNothingStood) {
  const test::TemporaryFolder folder;
  TextFile file(folder / "a.csv", Writing::Growing);
  file.write("row\n");
  file.flush();
  EXPECT_EQ(bytes_of(folder / "a.csv"), "row\n");
  file.close();
  EXPECT_FALSE(fs::exists(folder / "a.csv.partial"));
}

TEST(TextFile, LeavesWhatStoodThereUntilItIsWhole) {
  const test::TemporaryFolder folder;
  put(folder / "a.csv", "old");
  TextFile file(folder / "a.csv", Writing::Growing);
  file.write("new");
  file.flush();
  EXPECT_EQ(bytes_of(folder / "a.csv"), "old");
  EXPECT_EQ(bytes_of(folder / "a.csv.partial"), "new");
  file.close();
  EXPECT_EQ(bytes_of(folder / "a.csv"), "new");
  EXPECT_FALSE(fs::exists(folder / "a.csv.partial"));
}

TEST(TextFile, KeepsWhatGrewAndNothingElseWhenItIsNotClosed) {
  const test::TemporaryFolder folder;
  put(folder / "grows.csv", "old");
  TextFile(folder / "grows.csv", Writing::Growing).write("new");
  TextFile(folder / "whole.glb", Writing::AtOnce).write("half");
  EXPECT_EQ(bytes_of(folder / "grows.csv"), "old");
  EXPECT_EQ(bytes_of(folder / "grows.csv.partial"), "new");
  EXPECT_FALSE(fs::exists(folder / "whole.glb"));
  EXPECT_FALSE(fs::exists(folder / "whole.glb.partial"));
}

TEST(TextFile, FollowsLinks) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "elsewhere");
  put(folder / "elsewhere" / "real.csv", "old");
  fs::create_symlink("elsewhere/real.csv", folder / "link.csv");
  write_file(folder / "link.csv", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link.csv"));
  EXPECT_EQ(bytes_of(folder / "elsewhere" / "real.csv"), "new");
}

TEST(TextFile, WritesToDevicesAsTheyAre) {
  write_file("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_FALSE(fs::exists("/dev/null.partial"));
}

TEST(TextFile, RefusesAFolder) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "a.csv");
  EXPECT_THROW(write_file(folder / "a.csv", "text"), OutputError);
}

TEST(CheckWritable, LeavesNothingBehind) {
  const test::TemporaryFolder folder;
  check_writable(folder / "a.json");
  EXPECT_TRUE(fs::is_empty(folder / ""));
  EXPECT_THROW(check_writable(folder / "missing" / "a.json"), OutputError);
}

TEST(SameFile, IsFoundUnderEveryName) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "sub");
  fs::create_directory_symlink("sub", folder / "linked");
  put(folder / "sub" / "a", "");
  fs::create_hard_link(folder / "sub" / "a", folder / "hard");
  fs::create_symlink("sub/a", folder / "soft");
  fs::create_symlink("sub/none", folder / "dangling");
  EXPECT_TRUE(is_same_file(folder / "sub" / "a", folder / "sub" / ".." / "sub" / "." / "a"));
  EXPECT_TRUE(is_same_file(folder / "sub" / "a", folder / "hard"));
  EXPECT_TRUE(is_same_file(folder / "soft", folder / "hard"));
  EXPECT_TRUE(is_same_file(folder / "linked" / "new", folder / "sub" / "new"));  // not there yet
  EXPECT_TRUE(is_same_file(folder / "dangling", folder / "sub" / "none"));
  EXPECT_FALSE(is_same_file(folder / "sub" / "a", folder / "sub" / "b"));
  EXPECT_FALSE(is_same_file(folder / "sub" / "b", folder / "b"));
  EXPECT_FALSE(is_same_file("/dev/null", "/dev/null"));
}

}  // namespace
}  // namespace carom::io
