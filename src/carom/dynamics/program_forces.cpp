#include "carom/dynamics/program_forces.h"

#include <algorithm>
#include <array>

#include "carom/base/bytes.h"
#include "carom/base/diagnostics.h"

namespace carom::dynamics {

namespace {

using SavedPush = std::array<double, 11>;

void save_all(const std::vector<model::Push>& pushes, std::string& bytes) {
  std::vector<SavedPush> saved;
  for (const model::Push& each : pushes) {
    SavedPush& to = saved.emplace_back();
    to[0] = static_cast<double>(index(each.body));
    std::ranges::copy(each.force, to.begin() + 1);
    std::ranges::copy(each.torque, to.begin() + 4);
    std::ranges::copy(each.point, to.begin() + 7);
    to[10] = each.turns ? 1 : 0;
  }
  base::append_bytes(bytes, saved);
}

void restore_all(std::string_view& bytes, std::vector<model::Push>& pushes) {
  std::vector<SavedPush> saved;
  base::take_bytes(bytes, saved);
  pushes.clear();
  for (const SavedPush& s : saved)
    pushes.push_back({id_of<BodyId>(static_cast<std::size_t>(s[0])), Vec3(s[1], s[2], s[3]),
                      Vec3(s[4], s[5], s[6]), Vec3(s[7], s[8], s[9]), s[10] != 0});
}

}  // namespace

Wrench push_at(const model::Push& push, const BodyState& at) {
  const Vec3 force = push.turns ? Vec3(at.q * push.force) : push.force;
  const Vec3 torque = push.turns ? Vec3(at.q * push.torque) : push.torque;
  const Vec3 moment = (at.q * push.point).cross(force);
  return {force, torque + moment, torque.norm() + moment.norm()};
}

void add(const Wrench& more, Wrench& to) {
  to.force += more.force;
  to.torque += more.torque;
  to.leverage += more.leverage;
}

void ProgramForces::set(const model::Push& push) {
  const auto at = std::ranges::lower_bound(lasting_, push.body, {}, &model::Push::body);
  const bool known = at != lasting_.end() && at->body == push.body;
  if (push.force.isZero(0) && push.torque.isZero(0)) {
    if (known) lasting_.erase(at);
  } else if (known) {
    *at = push;
  } else {
    lasting_.insert(at, push);
  }
}

bool ProgramForces::end_call() {
  const bool any = !passing_.empty();
  passing_.clear();
  return any;
}

void ProgramForces::set_law(std::vector<BodyId> bodies, ForceLaw law) {
  law_bodies_ = std::move(bodies);
  law_ = std::move(law);
}

void ProgramForces::list_bodies(std::vector<BodyId>& out) const {
  if (law_) {
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
      if (scene_.bodies[i].is_dynamic()) out.push_back(id_of<BodyId>(i));
  } else {
    for (const auto* pushes : {&lasting_, &passing_})
      for (const model::Push& each : *pushes) out.push_back(each.body);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void ProgramForces::add_pushes(const State& at, std::span<Wrench> to) const {
  for (const auto* pushes : {&lasting_, &passing_})
    for (const model::Push& each : *pushes) add(push_at(each, at[each.body]), to[index(each.body)]);
}

void ProgramForces::add_pushes(BodyId id, const State& at, Wrench& to) const {
  for (const auto* pushes : {&lasting_, &passing_})
    for (const model::Push& each : *pushes)
      if (each.body == id) add(push_at(each, at[id]), to);
}

void ProgramForces::add_law(const State& at, std::span<Wrench> to) const {
  if (!law_) return;
  for (const BodyId id : law_bodies_) {
    const Wrench wrench = law_(id, at);
    add({wrench.force, wrench.torque, wrench.torque.norm()}, to[index(id)]);
  }
}

void ProgramForces::save(std::string& bytes) const {
  save_all(lasting_, bytes);
  save_all(passing_, bytes);
  base::append_bytes(bytes, has_law());
}

void ProgramForces::restore(std::string_view& bytes) {
  restore_all(bytes, lasting_);
  restore_all(bytes, passing_);
  bool had_law = false;
  base::take_bytes(bytes, had_law);
  if (had_law == has_law()) return;
  throw base::BadInput({{.place = "restore()",
                         .found = had_law ? "a checkpoint of a simulation with a force law"
                                          : "a checkpoint of a simulation without a force law",
                         .expected = "the same law as where it was saved: set_force_law() first"}});
}

}  // namespace carom::dynamics
