#include "carom/methods/shared/squeeze_check.h"

#include <algorithm>

#include "carom/dynamics/joint_rows.h"

namespace carom::methods {

namespace {

using contact::Contact;
using contact::ContactRow;

constexpr double kNear = 1e-3;  // of a body's size: what is nearer touches as good as
constexpr double kLeft = 1e-2;  // of what was asked for: less is what solvers leave
constexpr double kShare = 0.3;  // of the worst: what shares the blame

void add_once(std::vector<BodyId>& to, BodyId id) {
  if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
}

bool is_driven(const Scene& scene, const State& state, BodyId id) {
  const BodyState& body = state[id];
  return !scene.body(id).is_dynamic() && !(body.v.isZero(0) && body.w.isZero(0));
}

}  // namespace

AdvanceResult SqueezeCheck::check(const Scene& scene, const contact::ContactSet& contacts,
                                  contact::ContactProblem& problem, const State& after,
                                  double duration) {
  double asked = 0, left = 0;
  bool driven = false;
  for (ContactRow& row : problem.contacts) {
    const double may_close = std::max(row.gap, 0.0) / duration;
    row.rate.x() += may_close;
    const Contact& contact = contacts[static_cast<std::size_t>(row.source)];
    driven |= is_driven(scene, after, contact.a) || is_driven(scene, after, contact.b);
    const Vec3 relative =
        after[contact.a].twist().at(row.a.lever) - after[contact.b].twist().at(row.b.lever);
    asked = std::max(asked, -row.rate.x());
    left = std::max(left, -row.normal.dot(relative) - may_close);
  }
  const double least = std::max(kLeft * asked, scene.tolerances.leaving);
  if (!driven || !(left > least)) return {};
  const std::span<const double> approach = squeeze_.find(problem);
  const double worst = approach.empty() ? 0 : *std::max_element(approach.begin(), approach.end());
  if (!(worst > least)) return {};
  Contradiction found{.left = worst, .unit = "m/s"};
  for (std::size_t i = 0; i < approach.size(); ++i) {
    if (approach[i] < kShare * found.left) continue;
    const Contact& contact = contacts[static_cast<std::size_t>(problem.contacts[i].source)];
    for (const BodyId id : {contact.a, contact.b})
      add_once(scene.body(id).is_dynamic() ? found.squeezed : found.by, id);
  }
  AdvanceResult result{AdvanceStatus::Contradiction};
  result.contradiction = std::move(found);
  return result;
}

// With pairs of its own: a method may be in the middle of watching the others.
AdvanceResult SqueezeCheck::find(StepContext& context, const State& state) {
  const Scene& scene = context.scene;
  const double near = kNear * scene.tolerances.length;
  contact::Pairs pairs(scene, context.workers);
  contact::ContactSet contacts;
  pairs.find_near_contacts(state, near / scene.tolerances.speed, contacts);
  std::erase_if(contacts, [&](const Contact& contact) { return contact.at.gap > near; });
  std::vector<dynamics::JointRow> joint_rows;
  dynamics::compute_joint_rows(scene, state, joint_rows);
  contact::ContactProblem problem;
  context.assembler.assemble(contacts, joint_rows, state, problem);
  return check(scene, contacts, problem, state);
}

}  // namespace carom::methods
