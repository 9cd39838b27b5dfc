// The schema that editors use and the table that the reader uses list the same keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carom/io/file_bytes.h"
#include "carom/io/json_value.h"
#include "carom/io/scene_format.h"

namespace carom::io {
namespace {

using testing::UnorderedElementsAreArray;

JsonValue read_schema() {
  return parse_json(read_bytes(std::string(CAROM_SOURCE_DIR) + "/scenes/scene.schema.json").bytes);
}

std::vector<std::string> keys_of(const JsonValue* object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : *object->as<JsonValue::Object>()) keys.push_back(key);
  return keys;
}

std::vector<std::string> texts_of(const JsonValue* list) {
  std::vector<std::string> texts;
  if (list == nullptr) return texts;
  for (const JsonValue& text : *list->as<JsonValue::Array>()) {
    texts.push_back(*text.as<std::string>());
  }
  return texts;
}

TEST(Schema, HasTheKeysThatTheReaderAccepts) {
  const JsonValue schema = read_schema();
  for (const ObjectFormat& format : scene_format()) {
    const JsonValue* definition =
        format.name == "scene" ? &schema : schema.find("definitions")->find(format.name);
    ASSERT_NE(definition, nullptr) << format.name;
    EXPECT_THAT(keys_of(definition->find("properties")), UnorderedElementsAreArray(format.keys()))
        << format.name;
    EXPECT_THAT(texts_of(definition->find("required")), UnorderedElementsAreArray(format.required))
        << format.name;
    EXPECT_FALSE(*definition->find("additionalProperties")->as<bool>()) << format.name;
  }
}

TEST(Schema, HasTheShapesThatTheReaderAccepts) {
  const JsonValue schema = read_schema();
  const JsonValue* shape = schema.find("definitions")->find("shape");
  EXPECT_EQ(texts_of(shape->find("properties")->find("type")->find("enum")), shape_names());
}

}  // namespace
}  // namespace carom::io
