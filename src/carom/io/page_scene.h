// A scene as the viewer's page wants it: what there is to see, as JSON. Triangles of hulls and
// meshes go into columns, those of one surface once.
#pragma once

#include <string>

#include "carom/io/page_columns.h"
#include "carom/model/scene.h"

namespace carom::io {

std::string describe_for_page(const Scene& scene, PageColumns& columns);

}  // namespace carom::io
