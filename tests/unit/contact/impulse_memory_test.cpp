#include "carom/contact/impulse_memory.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/problems.h"

namespace carom::contact {
namespace {

// Contacts of two bodies with the world and with each other, each with a feature of its own.
struct Touching {
  ContactSet contacts;
  ContactProblem problem;
};

Touching make_touching(const std::vector<std::size_t>& order) {
  const support::Bodies bodies = support::make_point_masses({1, 2}, {0, 0});
  const std::vector<support::ContactSpec> all = {
      {.a = 0, .b = -1, .point = Vec3(0, 0, -1), .normal = Vec3::UnitZ()},
      {.a = 0, .b = -1, .point = Vec3(1, 0, -1), .normal = Vec3(0.6, 0, 0.8)},
      {.a = 1, .b = 0, .point = Vec3(0.5, 0, 0), .normal = Vec3::UnitX()},
      {.a = 1, .b = -1, .point = Vec3(1, 0, -1), .normal = Vec3::UnitZ()}};
  const std::vector<std::int64_t> features = {40, 7, 7, -3};
  std::vector<support::ContactSpec> specs;
  Touching touching;
  for (const std::size_t i : order) {
    specs.push_back(all[i]);
    specs.back().friction = 0.5;
    Contact contact;
    contact.a = id_of<BodyId>(static_cast<std::size_t>(all[i].a + 1));
    contact.b = id_of<BodyId>(static_cast<std::size_t>(all[i].b + 1));
    contact.at = {all[i].point, all[i].normal, 0};
    contact.feature = features[i];
    touching.contacts.push_back(contact);
  }
  touching.problem = support::make_problem(bodies, specs);
  return touching;
}

const std::vector<Vec3> kImpulses = {{1, 0.2, -0.1}, {2, 0, 0.5}, {0.3, -0.1, 0}, {4, 1, 1}};

Impulses impulses_in(const std::vector<std::size_t>& order) {
  Impulses impulses;
  for (const std::size_t i : order) impulses.contacts.push_back(kImpulses[i]);
  return impulses;
}

TEST(ImpulseMemory, RecallsWhatItWasToldInAnyOrder) {
  std::vector<std::size_t> told{0, 1, 2, 3};
  do {
    ImpulseMemory memory;
    const Touching before = make_touching(told);
    memory.remember(before.contacts, before.problem, 0.5, impulses_in(told));
    const std::vector<std::size_t> asked{2, 0, 3, 1};
    const Touching now = make_touching(asked);
    Impulses found;
    memory.recall(now.contacts, now.problem, 0.5, found);
    ASSERT_EQ(found.contacts.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_LT((found.contacts[i] - kImpulses[asked[i]]).norm(), 1e-15);
    }
    EXPECT_TRUE(std::is_sorted(memory.forces().begin(), memory.forces().end()));
  } while (std::next_permutation(told.begin(), told.end()));
}

// It keeps forces: a step half as long gets half the impulses.
TEST(ImpulseMemory, ScalesWithTheStep) {
  ImpulseMemory memory;
  const Touching touching = make_touching({0, 1});
  memory.remember(touching.contacts, touching.problem, 0.25, impulses_in({0, 1}));
  Impulses found;
  memory.recall(touching.contacts, touching.problem, 0.125, found);
  EXPECT_LT((found.contacts[0] - 0.5 * kImpulses[0]).norm(), 1e-15);
  EXPECT_LT((found.contacts[1] - 0.5 * kImpulses[1]).norm(), 1e-15);
}

TEST(ImpulseMemory, KnowsNothingOfContactsThatWereNotThere) {
  ImpulseMemory memory;
  const Touching before = make_touching({0, 2});
  memory.remember(before.contacts, before.problem, 1, impulses_in({0, 2}));
  const Touching now = make_touching({1, 2, 3});
  Impulses found;
  memory.recall(now.contacts, now.problem, 1, found);
  EXPECT_EQ(found.contacts[0], Vec3::Zero());  // the feature of another pair of bodies
  EXPECT_LT((found.contacts[1] - kImpulses[2]).norm(), 1e-15);
  EXPECT_EQ(found.contacts[2], Vec3::Zero());
  memory.remember(now.contacts, now.problem, 1, {std::vector<Vec3>(3, Vec3::Zero()), {}});
  EXPECT_TRUE(memory.forces().empty());  // what carries nothing is not kept, nor what was before
}

// A contact whose normal has turned gets the force along its new directions, and none that pulls.
TEST(ImpulseMemory, TurnsWithTheContact) {
  ImpulseMemory memory;
  Touching touching = make_touching({0});
  memory.remember(touching.contacts, touching.problem, 1, {{Vec3(2, 0, 0)}, {}});
  ContactRow& row = touching.problem.contacts[0];
  const double angle = 0.3;
  row.normal = Vec3(std::sin(angle), 0, std::cos(angle));
  row.tangent1 = Vec3(std::cos(angle), 0, -std::sin(angle));
  row.tangent2 = Vec3::UnitY();
  Impulses found;
  memory.recall(touching.contacts, touching.problem, 1, found);
  EXPECT_LT((found.contacts[0] - Vec3(2 * std::cos(angle), -2 * std::sin(angle), 0)).norm(), 1e-15);
  row.normal = -Vec3::UnitZ();
  memory.recall(touching.contacts, touching.problem, 1, found);
  EXPECT_EQ(found.contacts[0], Vec3::Zero());
}

}  // namespace
}  // namespace carom::contact
