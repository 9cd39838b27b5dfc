// A checked specification becomes a body: its mass properties from what is given and from the
// shapes and their materials' densities, its shapes placed from the centre of mass.
//
// A given mass scales the shapes' inertia. A given centre of mass without an inertia keeps the
// shapes' inertia about their own centre: how the mass is spread is then not known any better.
// A mesh on a dynamic body weighs what it encloses and collides as the convex pieces of that.
#pragma once

#include "carom/model/problems.h"

namespace carom::model {

struct MaterialTable {
  const std::vector<Material>& materials;
  const MaterialIds& ids;
};

// Reports a name that no material has; "" is the default material.
void check_material_name(const std::string& name, const MaterialTable& table,
                         std::string_view field, Problems& problems);

// Its materials' names exist. Reports a body whose mass or inertia is nothing or out of range.
Body make_body(const BodySpec& spec, const MaterialTable& table, Problems& problems);

}  // namespace carom::model
