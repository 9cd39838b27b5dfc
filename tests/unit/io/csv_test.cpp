#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "carom/io/csv_sinks.h"
#include "carom/io/output_error.h"
#include "unit/io/recorded_run.h"

namespace carom::io {
namespace {

using testing::HasSubstr;

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::istringstream text(test::bytes_of(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(StatesCsv, WritesOneRowPerBodyAndOutputTime) {
  const test::TemporaryFolder folder;
  const Scene scene = test::make_scene({"ball", "box"});
  StatesCsv csv(folder / "states.csv");
  csv.begin(scene);
  State state = test::make_state(scene, 0.5);
  state.bodies[1] = {Vec3(1, 2, 3), Quat(0.5, -0.5, 0.5, -0.5), Vec3(4, 5, 6), Vec3(7, 8, 9)};
  csv.output(state);
  csv.end({});
  const auto lines = lines_of(folder / "states.csv");
  ASSERT_EQ(lines.size(), 3);
  EXPECT_EQ(lines[0], "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
  EXPECT_EQ(lines[1].substr(0, 9), "0.5,ball,");
  EXPECT_EQ(lines[2], "0.5,box,1,2,3,0.5,-0.5,0.5,-0.5,4,5,6,7,8,9");
}

TEST(StatesCsv, QuotesNamesThatHoldCommasOrQuotes) {
  const test::TemporaryFolder folder;
  const Scene scene = test::make_scene({"bead[0,1,2]", "the \"big\" one"});
  StatesCsv csv(folder / "states.csv");
  csv.begin(scene);
  csv.output(test::make_state(scene, 0));
  csv.end({});
  const auto lines = lines_of(folder / "states.csv");
  EXPECT_THAT(lines[1], HasSubstr("0,\"bead[0,1,2]\","));
  EXPECT_THAT(lines[2], HasSubstr("0,\"the \"\"big\"\" one\","));
}

TEST(StatesCsv, ReadsBackTheVeryNumbersThatWereComputed) {
  const test::TemporaryFolder folder;
  const Scene scene = test::make_scene({"ball"});
  State state = test::make_state(scene, 0.1 + 0.2);
  state.bodies[0].x = Vec3(1.0 / 3, -1e-300 / 7, std::nextafter(1e22, 2e22));
  StatesCsv csv(folder / "states.csv");
  csv.begin(scene);
  csv.output(state);
  csv.end({});
  std::istringstream row(lines_of(folder / "states.csv")[1]);
  std::string field;
  const auto next = [&] { return std::stod((std::getline(row, field, ','), field)); };
  EXPECT_EQ(next(), 0.1 + 0.2);
  std::getline(row, field, ',');
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(next(), state.bodies[0].x[axis]);
}

TEST(EventsCsv, NamesTheEventAndBothBodies) {
  const test::TemporaryFolder folder;
  EventsCsv csv(folder / "events.csv");
  csv.begin(test::make_scene({"ground", "ball"}));
  csv.event({.t = 0.25,
             .kind = record::EventKind::ContactBegin,
             .a = BodyId{1},
             .b = BodyId{0},
             .point = Vec3(1, 2, 3),
             .normal = Vec3(0, 0, 1),
             .approach_speed = 4,
             .separation_speed = 5,
             .impulse = Vec3(6, 7, 8)});
  csv.end({});
  const auto lines = lines_of(folder / "events.csv");
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[0],
            "time,event,body_a,body_b,x,y,z,nx,ny,nz,approach_speed,separation_speed,jx,jy,jz");
  EXPECT_EQ(lines[1], "0.25,contact-begin,ball,ground,1,2,3,0,0,1,4,5,6,7,8");
}

TEST(ForcesCsv, WritesOneRowPerContactAndJoint) {
  const test::TemporaryFolder folder;
  Scene scene = test::make_scene({"ground", "ball"});
  scene.joints.resize(4);
  scene.joints[3].name = "hinge, left";
  ForcesCsv csv(folder / "forces.csv");
  csv.begin(scene);
  csv.forces(0.25, test::make_forces(3));
  csv.end({});
  const auto lines = lines_of(folder / "forces.csv");
  ASSERT_EQ(lines.size(), 3);
  EXPECT_EQ(lines[0], "time,kind,joint,body_a,body_b,x,y,z,fx,fy,fz,tx,ty,tz");
  EXPECT_EQ(lines[1], "0.25,contact,,ball,ground,3,1,2,3,3,4,0,0,0");
  EXPECT_EQ(lines[2], "0.25,joint,\"hinge, left\",ground,ball,5,3,6,7,8,3,3,9,0.25");
}

TEST(ContactsCsv, WritesOneRowForEveryTwoBodies) {
  const test::TemporaryFolder folder;
  ContactsCsv csv(folder / "contacts.csv");
  csv.begin(test::make_scene({"ground", "a, b"}));
  csv.event({.t = 0.25,
             .kind = record::EventKind::Microcollision,
             .a = BodyId{1},
             .b = BodyId{0},
             .normal = Vec3(0, 0, 1),
             .impulse = Vec3(0, 3, 4)});
  record::Summary summary;
  summary.simulated_seconds = 2;
  summary.carried = {{BodyId{0}, BodyId{1}, Vec3(6, 0, 0), 0.5, 1.5}};
  csv.end(summary);
  const auto lines = lines_of(folder / "contacts.csv");
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[0],
            "body_a,body_b,impacts,microcollisions,first_time,last_time,jx,jy,jz,normal_impulse,"
            "greatest_impulse,fx,fy,fz");
  EXPECT_EQ(lines[1], "ground,\"a, b\",0,1,0.25,1.5,6,-3,-4,4,5,3,-1.5,-2");
}

TEST(TextFile, ReportsAFullDiskWithPathAndReason) {
  TextFile file("/dev/full", Writing::Growing);
  file.write("a few bytes");
  try {
    file.flush();
    FAIL() << "a full disk went unnoticed";
  } catch (const OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/dev/full"));
    EXPECT_THAT(error.what(), HasSubstr("No space left on device"));
  }
}

TEST(TextFile, ReportsAFullDiskAtTheLatestWhenClosed) {
  TextFile file("/dev/full", Writing::Growing);
  file.write("a few bytes");
  EXPECT_THROW(file.close(), OutputError);
}

TEST(TextFile, ReportsAMissingFolder) {
  EXPECT_THROW(TextFile("/nonexistent-folder/states.csv", Writing::Growing), OutputError);
}

TEST(StatesCsv, IsReadableUpToTheLastCheckpoint) {
  const test::TemporaryFolder folder;
  const Scene scene = test::make_scene({"ball"});
  StatesCsv csv(folder / "states.csv");
  csv.begin(scene);
  csv.output(test::make_state(scene, 0));
  csv.checkpoint({});
  EXPECT_EQ(lines_of(folder / "states.csv").size(), 2);
}

}  // namespace
}  // namespace carom::io
