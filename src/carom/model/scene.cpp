#include "carom/model/scene.h"

#include <algorithm>

namespace carom::model {

namespace {

template <typename Id, typename Named>
std::optional<Id> find(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Named::name);
  if (found == all.end()) return std::nullopt;
  return id_of<Id>(static_cast<std::size_t>(found - all.begin()));
}

}  // namespace

std::optional<BodyId> Scene::find_body(std::string_view named) const {
  return find<BodyId>(bodies, named);
}

std::optional<JointId> Scene::find_joint(std::string_view named) const {
  return find<JointId>(joints, named);
}

std::optional<MaterialId> Scene::find_material(std::string_view named) const {
  return find<MaterialId>(materials, named);
}

}  // namespace carom::model
