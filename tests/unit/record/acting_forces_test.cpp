#include "carom/record/acting_forces.h"

#include <gtest/gtest.h>

namespace carom::record {
namespace {

// Body 1 hangs on body 0 at the anchor (1, 2, 3); where the bodies are does not matter else.
struct Linkage {
  explicit Linkage(BodyId a, BodyId b) {
    scene.bodies.resize(2);
    now.bodies.resize(2);
    now.bodies[0].x = Vec3(-1, 0, 5);
    now.bodies[1].x = Vec3(4, 4, 4);
    model::Joint joint;
    joint.a = a;
    joint.b = b;
    joint.X_AJ.p = anchor - now[a].x;
    joint.X_BJ.p = anchor - now[b].x;
    scene.joints.assign(2, joint);
  }
  // A row of a joint as methods carry it: on `on`, at its centre of mass, for a force that acts at
  // the anchor.
  CarriedForce row(BodyId on, const Vec3& force, const Vec3& couple, std::int32_t joint) const {
    const BodyId other{on == BodyId{0} ? 1 : 0};
    return {on, other, now[on].x, force, (anchor - now[on].x).cross(force) + couple, joint};
  }
  std::vector<CarriedForce> acting(const std::vector<CarriedForce>& carried) const {
    std::vector<CarriedForce> out;
    append_acting_forces(scene, {carried}, 0.3, now, out);
    return out;
  }

  Vec3 anchor{1, 2, 3};
  Scene scene;
  State now;
};

void expect_wrench(const CarriedForce& force, const Vec3& push, const Vec3& couple) {
  EXPECT_LT((force.force - push).norm(), 1e-14);
  EXPECT_LT((force.torque - couple).norm(), 1e-14);
}

TEST(ActingForces, AreOneForEachJointAtItsAnchor) {
  const Linkage link(BodyId{1}, BodyId{0});
  const auto out = link.acting({link.row(BodyId{1}, Vec3(7, 0, 0), Vec3::Zero(), 0),
                                link.row(BodyId{1}, Vec3(0, -2, 0), Vec3(0, 0, 3), 0),
                                link.row(BodyId{1}, Vec3(0, 0, 1), Vec3::Zero(), 1)});
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].joint, 0);
  EXPECT_EQ(out[0].point, link.anchor);
  expect_wrench(out[0], Vec3(7, -2, 0), Vec3(0, 0, 3));
  expect_wrench(out[1], Vec3(0, 0, 1), Vec3::Zero());
}

TEST(ActingForces, AreToldOnAJointsFirstBodyWhicheverCarriesThem) {
  const Linkage link(BodyId{0}, BodyId{1});
  const auto out = link.acting({link.row(BodyId{1}, Vec3(7, -2, 1), Vec3(1, 0, 0), 0)});
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].a, BodyId{0});
  EXPECT_EQ(out[0].b, BodyId{1});
  EXPECT_EQ(out[0].point, link.anchor);
  expect_wrench(out[0], Vec3(-7, 2, -1), Vec3(-1, 0, 0));
}

TEST(ActingForces, LeaveContactsAsTheyAre) {
  const Linkage link(BodyId{0}, BodyId{1});
  const CarriedForce contact{BodyId{1}, BodyId{0}, Vec3(1, 1, 1), Vec3(0, 0, 2)};
  const auto out = link.acting({contact, contact});
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[1].point, contact.point);
  EXPECT_EQ(out[1].force, contact.force);
}

}  // namespace
}  // namespace carom::record
