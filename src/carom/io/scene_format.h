// Every key of a scene file, by the kind of object it stands in. Reading, the error messages and
// the test of scenes/scene.schema.json all use this one table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::io {

struct ObjectFormat {
  std::string name;  // of the definition in the schema
  std::vector<std::string> required;
  std::vector<std::string> optional;

  std::vector<std::string> keys() const;
};

const std::vector<ObjectFormat>& scene_format();
const ObjectFormat& format_of(std::string_view object);

// The shapes' names: each is an object of the format.
const std::vector<std::string>& shape_names();
// The same of forces.
const std::vector<std::string>& force_names();

}  // namespace carom::io
