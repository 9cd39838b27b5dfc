#include "carom/io/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/io/recorded_run.h"

namespace carom::io {
namespace {

TEST(Outputs, AreToldByTheEndingOfTheName) {
  EXPECT_EQ(output_of("run.html"), Output::Page);
  EXPECT_EQ(output_of("run.mp4"), Output::Film);
  EXPECT_EQ(output_of("a.b/run.png"), Output::Picture);
  EXPECT_EQ(output_of("run.h5"), Output::Recording);
  EXPECT_EQ(output_of("run.csv"), Output::States);
  EXPECT_EQ(output_of("run.v2.glb"), Output::Animation);
  EXPECT_EQ(output_of("run.h5.gz"), std::nullopt);
  EXPECT_EQ(output_of("run"), std::nullopt);
}

// A file that grows is called so (output_file.h), and a run that goes on is given that name.
TEST(Outputs, KnowAFileThatIsStillWritten) {
  EXPECT_EQ(output_of("run.h5.partial"), Output::Recording);
  EXPECT_EQ(output_of("run.png.partial"), Output::Picture);
  EXPECT_EQ(output_of("run.partial"), std::nullopt);
}

TEST(Outputs, RefuseOtherEndingsAndSayWhichThereAre) {
  EXPECT_EQ(describe_unknown_ending("run.avi", true).found, "the ending \".avi\"");
  EXPECT_EQ(describe_unknown_ending("run", true).found, "no file ending");
  EXPECT_THAT(describe_unknown_ending("run.avi", true).expected,
              testing::AllOf(testing::HasSubstr(".mp4 (a film)"), testing::HasSubstr(" or .glb")));
  EXPECT_THAT(describe_unknown_ending("run.avi", false).expected,
              testing::Not(testing::HasSubstr(".mp4")));
  const LoadedScene loaded{test::make_scene({"ball"}), "{}", {}};
  EXPECT_THROW(make_output("run.avi", loaded, "0"), base::BadInput);
  EXPECT_THROW(make_output("run.mp4", loaded, "0"), base::BadInput);
}

}  // namespace
}  // namespace carom::io
