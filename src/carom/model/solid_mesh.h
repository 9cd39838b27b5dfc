// A mesh on a dynamic body: it must enclose a solid, and collides as the convex pieces of it.
#pragma once

#include "carom/model/problems.h"

namespace carom::model {

// Hulls that fill the mesh, or the mesh itself if it does not collide. Nothing when the mesh cannot
// be the surface of a solid, or of one too intricate to take apart; why is reported.
std::vector<geometry::Shape> make_solid_shapes(const geometry::Mesh& mesh, bool collide,
                                               Problems& problems);

}  // namespace carom::model
