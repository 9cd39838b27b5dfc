// From a force as a scene's file has it, names and anchors in the world at t = 0, to one on bodies
// by their places; what is wrong with it is reported at its fields.
#pragma once

#include <functional>

#include "carom/model/problems.h"

namespace carom::model {

class ForcePlacement {
 public:
  // `find` gives the place of the body of a name; `nearest` the name meant by one that is unknown.
  ForcePlacement(const Scene& scene, std::function<std::optional<BodyId>(const std::string&)> find,
                 std::function<std::string(const std::string&)> nearest);

  // None where something was reported.
  std::optional<Force> place(const ForceSpec& spec, Problems& problems) const;

 private:
  std::optional<Force> place_one(const SpringSpec& spec, Problems& problems) const;
  std::optional<Force> place_one(const DragSpec& spec, Problems& problems) const;
  std::optional<Force> place_one(const FieldSpec& spec, Problems& problems) const;
  std::optional<Force> place_one(const PushSpec& spec, Problems& problems) const;
  std::optional<Force> place_one(const GravitationSpec& spec, Problems& problems) const;
  std::optional<BodyId> find(const std::string& name, const std::string& field,
                             Problems& problems) const;
  std::vector<BodyId> find_dynamic(const std::vector<std::string>& names, Problems& problems) const;
  Anchor anchor_on(BodyId id, const std::optional<Vec3>& at) const;
  Vec3 world_point(const Anchor& anchor) const;

  const Scene& scene_;
  std::function<std::optional<BodyId>(const std::string&)> find_;
  std::function<std::string(const std::string&)> nearest_;
};

}  // namespace carom::model
