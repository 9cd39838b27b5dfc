#include "carom/model/force_placement.h"

#include <algorithm>

#include "carom/model/reach.h"

namespace carom::model {

namespace {

void check_strength(std::string_view field, double value, Problems& problems) {
  check_reach(field, value, kNotNegative, kMass, problems);
}

void check_region(const FieldSpec& spec, Problems& problems) {
  for (int i = 0; i < 3; ++i) {
    if (spec.low[i] < spec.high[i]) continue;
    problems.add("region", describe(spec.low) + " to " + describe(spec.high),
                 "two corners, each coordinate of the first below that of the second");
    return;
  }
}

}  // namespace

ForcePlacement::ForcePlacement(const Scene& scene,
                               std::function<std::optional<BodyId>(const std::string&)> find,
                               std::function<std::string(const std::string&)> nearest)
    : scene_(scene), find_(std::move(find)), nearest_(std::move(nearest)) {}

std::optional<Force> ForcePlacement::place(const ForceSpec& spec, Problems& problems) const {
  std::optional<Force> made =
      std::visit([&](const auto& each) { return place_one(each, problems); }, spec);
  return problems.any() ? std::nullopt : std::move(made);
}

std::optional<BodyId> ForcePlacement::find(const std::string& name, const std::string& field,
                                           Problems& problems) const {
  const std::optional<BodyId> found = find_(name);
  if (!found) problems.add(field, quoted(name), "the name of a body", nearest_(name));
  return found;
}

// A grid's name is that of all its copies: bead[0,0,0] and so on.
std::vector<BodyId> ForcePlacement::find_dynamic(const std::vector<std::string>& names,
                                                 Problems& problems) const {
  std::vector<BodyId> found;
  for (std::size_t i = 0; names.empty() && i < scene_.bodies.size(); ++i)
    if (scene_.bodies[i].is_dynamic()) found.push_back(id_of<BodyId>(i));
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string field = "bodies/" + std::to_string(k), copies = names[k] + '[';
    const std::size_t before = found.size();
    for (std::size_t i = 0; !find_(names[k]) && i < scene_.bodies.size(); ++i)
      if (scene_.bodies[i].name.starts_with(copies)) found.push_back(id_of<BodyId>(i));
    if (found.size() > before) continue;
    const std::optional<BodyId> one = find(names[k], field, problems);
    if (!one) continue;
    if (!scene_.body(*one).is_dynamic())
      problems.add(field, quoted(names[k]) + ", which nothing pushes", "a dynamic body");
    found.push_back(*one);
  }
  std::ranges::sort(found);
  if (std::ranges::adjacent_find(found) != found.end())
    problems.add("bodies", "a body twice", "every body once");
  return found;
}

Anchor ForcePlacement::anchor_on(BodyId id, const std::optional<Vec3>& at) const {
  const InitialMotion& start = scene_.initial[index(id)];
  if (!at) return {id, Vec3::Zero()};
  return {id, start.q.conjugate() * (*at - start.x)};
}

Vec3 ForcePlacement::world_point(const Anchor& anchor) const {
  if (!anchor.body) return anchor.p;
  const InitialMotion& start = scene_.initial[index(*anchor.body)];
  return start.x + start.q * anchor.p;
}

std::optional<Force> ForcePlacement::place_one(const SpringSpec& spec, Problems& problems) const {
  check_strength("stiffness", spec.stiffness, problems);
  check_strength("damping", spec.damping, problems);
  if (spec.rest) check_reach("rest", *spec.rest, kNotNegative, kScale, problems);
  if (spec.anchor) check_reach("anchor", *spec.anchor, kFinite, kScale, problems);
  if (spec.anchor_b) check_reach("anchor_b", *spec.anchor_b, kFinite, kScale, problems);
  if (spec.stiffness == 0 && spec.damping == 0)
    problems.add("stiffness", "neither stiffness nor damping", "one of them > 0");
  if (spec.between.empty() || spec.between.size() > 2) {
    problems.add("between", std::to_string(spec.between.size()) + " names",
                 "one or two bodies; of one, anchor_b is a point of the world");
    return std::nullopt;
  }
  const bool to_world = spec.between.size() == 1;
  if (to_world && !spec.anchor_b)
    problems.add("anchor_b", "nothing", "the point of the world that the other end is held at");
  const auto a = find(spec.between[0], "between/0", problems);
  const auto b = to_world ? std::nullopt : find(spec.between[1], "between/1", problems);
  if (problems.any()) return std::nullopt;
  Spring made{.a = anchor_on(*a, spec.anchor),
              .b = to_world ? Anchor{{}, *spec.anchor_b} : anchor_on(*b, spec.anchor_b),
              .stiffness = spec.stiffness,
              .damping = spec.damping};
  if (!to_world && *a == *b)
    problems.add("between", quoted(spec.between[0]) + " twice", "two different bodies");
  if (!scene_.body(*a).is_dynamic() && (to_world || !scene_.body(*b).is_dynamic()))
    problems.add("between", "ends that no force moves", "at least one dynamic body");
  made.rest = spec.rest.value_or((world_point(made.b) - world_point(made.a)).norm());
  return made;
}

std::optional<Force> ForcePlacement::place_one(const DragSpec& spec, Problems& problems) const {
  check_strength("linear", spec.linear, problems);
  check_strength("quadratic", spec.quadratic, problems);
  check_strength("angular", spec.angular, problems);
  if (spec.linear == 0 && spec.quadratic == 0 && spec.angular == 0)
    problems.add("linear", "no coefficient", "linear, quadratic or angular > 0");
  return Drag{find_dynamic(spec.bodies, problems), spec.linear, spec.quadratic, spec.angular};
}

std::optional<Force> ForcePlacement::place_one(const FieldSpec& spec, Problems& problems) const {
  check_reach("acceleration", spec.acceleration, kFinite, kScale, problems);
  check_region(spec, problems);
  return Field{find_dynamic(spec.bodies, problems), spec.acceleration, spec.low, spec.high};
}

std::optional<Force> ForcePlacement::place_one(const PushSpec& spec, Problems& problems) const {
  check_reach("force", spec.force, kFinite, kMass, problems);
  check_reach("torque", spec.torque, kFinite, kMass, problems);
  if (spec.anchor) check_reach("anchor", *spec.anchor, kFinite, kScale, problems);
  const auto on = find(spec.body, "body", problems);
  if (!on) return std::nullopt;
  if (!scene_.body(*on).is_dynamic())
    problems.add("body", quoted(spec.body) + ", which nothing pushes", "a dynamic body");
  const Quat back = spec.turns ? scene_.initial[index(*on)].q.conjugate() : Quat::Identity();
  return Push{*on, back * spec.force, back * spec.torque, anchor_on(*on, spec.anchor).p,
              spec.turns};
}

std::optional<Force> ForcePlacement::place_one(const GravitationSpec& spec,
                                               Problems& problems) const {
  check_reach("constant", spec.constant, kFinite, kMass, problems);
  check_reach("softening", spec.softening, kNotNegative, kScale, problems);
  return Gravitation{find_dynamic(spec.bodies, problems), spec.constant, spec.softening};
}

}  // namespace carom::model
