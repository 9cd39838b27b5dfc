#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "carom/base/diagnostics.h"
#include "carom/io/json_value.h"

namespace carom::io {
namespace {

using testing::HasSubstr;

std::string problems_of(const std::string& text) {
  try {
    parse_json(text);
  } catch (const base::BadInput& bad) {
    return bad.what();
  }
  return "no problem";
}

TEST(Json, KnowsTheLineOfEveryKindOfValue) {
  const JsonValue value = parse_json(
      "{ // a comment\n\"number\": 1\n,\"text\":\n\"x\",\n\"flag\": true,\"none\": null\n,"
      "\"list\":\n\n[\n1,\n2\n], \"object\": {\n\"inner\":\n-1.5e3\n}\r\n}\n");
  EXPECT_EQ(find_line(value, "/number"), 2);
  EXPECT_EQ(find_line(value, "/text"), 4);
  EXPECT_EQ(find_line(value, "/flag"), 5);
  EXPECT_EQ(find_line(value, "/none"), 5);
  EXPECT_EQ(find_line(value, "/list"), 8);
  EXPECT_EQ(find_line(value, "/list/0"), 9);
  EXPECT_EQ(find_line(value, "/list/1"), 10);
  EXPECT_EQ(find_line(value, "/object"), 11);
  EXPECT_EQ(find_line(value, "/object/inner"), 13);
}

TEST(Json, GivesTheLineOfTheEnclosingValueWhereAPointerLeadsNowhere) {
  const JsonValue value = parse_json("{\n\"a\":\n{\"b\": 1}}");
  EXPECT_EQ(find_line(value, "/a/missing/deeper"), 3);
  EXPECT_EQ(find_line(value, ""), 1);
}

TEST(Json, KeepsTheOrderOfKeysAndWholeNumbers) {
  const std::string text = "{\n  \"z\": 1,\n  \"a\": [\n    -0.0,\n    0.1,\n    null\n  ]\n}";
  EXPECT_EQ(dump_json(parse_json(text)), text);
}

TEST(Json, EscapesSlashesAndTildesInPointers) {
  EXPECT_EQ(pointer_to("/materials", "a/b~c"), "/materials/a~1b~0c");
  JsonValue value = parse_json(R"({"a/b~c": 1})");
  set_value(value, "/a~1b~0c", {2.0, 0});
  EXPECT_EQ(*value.find("a/b~c")->as<double>(), 2);
}

TEST(Json, RefusesToSetWhatNoPointerNames) {
  JsonValue value = parse_json(R"({"a": [1]})");
  EXPECT_THROW(set_value(value, "a", {2.0, 0}), base::BadInput);
  EXPECT_THROW(set_value(value, "", {2.0, 0}), base::BadInput);
  EXPECT_THROW(set_value(value, "/a/2", {2.0, 0}), base::BadInput);
  EXPECT_THROW(set_value(value, "/a/0/b", {2.0, 0}), base::BadInput);
}

TEST(Json, RefusesDuplicateKeysWithTheirPlace) {
  EXPECT_THAT(problems_of("{\"a\": [{\"b\": 1,\n\"b\": 2}]}"), HasSubstr("line 2: /a/0/b"));
}

TEST(Json, AcceptsNestingUpTo64AndRefusesMore) {
  EXPECT_EQ(problems_of(std::string(64, '[') + std::string(64, ']')), "no problem");
  EXPECT_THAT(problems_of(std::string(65, '[') + std::string(65, ']')), HasSubstr("64"));
}

TEST(Json, RefusesNumbersOutOfRangeWithTheirPlace) {
  EXPECT_THAT(problems_of("{\"a\": [0, 1e999]}"), HasSubstr("/a/1: found a number out of range"));
}

TEST(Json, AcceptsTheSmallestAndTheLargestNumbers) {
  const JsonValue value = parse_json("[1.7976931348623157e308, 5e-324, 18446744073709551615]");
  const auto& list = *value.as<JsonValue::Array>();
  EXPECT_EQ(*list[0].as<double>(), 1.7976931348623157e308);
  EXPECT_EQ(*list[1].as<double>(), 5e-324);
  EXPECT_EQ(*list[2].as<double>(), 0x1p64);
}

RC_GTEST_PROP(Json, RefusesOrAcceptsAnyBytesWithoutHarm, (const std::string& bytes)) {
  try {
    const JsonValue value = parse_json(bytes);
    RC_ASSERT(dump_json(parse_json(dump_json(value))) == dump_json(value));
  } catch (const base::BadInput& bad) {
    RC_ASSERT(!bad.diagnostics().empty());
  }
}

RC_GTEST_PROP(Json, ReadsBackTheNumbersItWrites, ()) {
  const auto mantissa = *rc::gen::arbitrary<std::int64_t>();
  const auto exponent = *rc::gen::inRange(-1000, 900);
  const double number = std::ldexp(static_cast<double>(mantissa), exponent);
  const JsonValue value = parse_json(dump_json({number, 0}));
  RC_ASSERT(*value.as<double>() == number);
}

}  // namespace
}  // namespace carom::io
