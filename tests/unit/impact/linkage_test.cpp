// Joints enter an impact as equality rows; exact fractions from Baraff, §8.
#include "support/linkage.h"

#include <gtest/gtest.h>

#include "carom/impact/laws/sequential.h"

namespace carom::impact {
namespace {

struct LinkageCase {
  double e;
  double vz1, w1, vz2, w2;
  double hinge, contact;  // impulses: of the hinge on rod 1, of the peg on rod 2
};

class HingedRods : public testing::TestWithParam<LinkageCase> {};

TEST_P(HingedRods, StrikeAFixedPointWithTheirEnd) {
  const LinkageCase& expected = GetParam();
  const Scene scene = support::build(support::make_linkage(false));
  State state = dynamics::make_initial_state(scene);
  for (std::size_t i : {1U, 2U}) state.bodies[i].v = Vec3(0, 0, -1);
  std::vector<dynamics::JointRow> joints;
  dynamics::compute_joint_rows(scene, state, joints);
  contact::ContactProblem problem;
  contact::Assembler(scene).assemble(support::make_end_contact(expected.e), joints, state, problem);
  ImpactWorkspace work;
  contact::Impulses impulses;
  ASSERT_EQ(resolve(Sequential{}, problem, work, impulses).status, ImpactStatus::Resolved);
  contact::apply_impulses(problem, impulses, state);
  EXPECT_NEAR(impulses.contacts[0].x(), expected.contact, 1e-12);
  EXPECT_NEAR(impulses.equalities[2], expected.hinge, 1e-12);  // along z, on rod 1
  EXPECT_NEAR(state.bodies[1].v.z(), expected.vz1, 1e-12);
  EXPECT_NEAR(support::planar_spin(state.bodies[1]), expected.w1, 1e-12);
  EXPECT_NEAR(state.bodies[2].v.z(), expected.vz2, 1e-12);
  EXPECT_NEAR(support::planar_spin(state.bodies[2]), expected.w2, 1e-12);
  for (const dynamics::JointRow& row : joints)
    EXPECT_NEAR(dynamics::row_rate(row, state), 0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    Baraff, HingedRods,
    testing::Values(LinkageCase{0, -15.0 / 14, -3.0 / 7, -9.0 / 14, 9.0 / 7, -1.0 / 14, 2.0 / 7},
                    LinkageCase{0.5, -31.0 / 28, -9.0 / 14, -13.0 / 28, 27.0 / 14, -3.0 / 28,
                                3.0 / 7},
                    LinkageCase{1, -8.0 / 7, -6.0 / 7, -2.0 / 7, 18.0 / 7, -1.0 / 7, 4.0 / 7}));

}  // namespace
}  // namespace carom::impact
