// Finds what is wrong with one specification, field by field, and reports it at the field's place.
#pragma once

#include <string>
#include <string_view>

#include "carom/model/scene_builder.h"

namespace carom::model {

// What a number must satisfy, and the words for it.
struct NumberRule {
  bool (*holds)(double value);
  std::string_view words;
};
inline constexpr NumberRule kFinite{[](double x) { return x - x == 0; }, "a finite number"};
inline constexpr NumberRule kPositive{[](double x) { return x - x == 0 && x > 0; }, "a number > 0"};
inline constexpr NumberRule kNotNegative{[](double x) { return x - x == 0 && x >= 0; },
                                         "a number >= 0"};
inline constexpr NumberRule kFraction{[](double x) { return x >= 0 && x <= 1; },
                                      "a number from 0 to 1"};

std::string describe(double value);  // the shortest text that reads back as the same number
std::string describe(const Vec3& value);
std::string quoted(std::string_view text);  // cut when long, so that a message stays readable

class Problems {
 public:
  Problems(SceneBuilder& builder, std::string place)
      : builder_(builder), place_(std::move(place)), before_(builder.problem_count()) {}

  Problems of_shape(const BodySpec& body, std::size_t shape) const {
    const std::string& own = body.shapes[shape].place;
    return {builder_, own.empty() ? place_ + "/shapes/" + std::to_string(shape) : own};
  }

  // Something was reported, by anyone, since this was made.
  bool any() const { return builder_.problem_count() > before_; }

  void add(std::string_view field, std::string found, std::string expected, std::string hint = {});
  void check(std::string_view field, double value, const NumberRule& rule);
  void check(std::string_view field, const Vec3& value, const NumberRule& rule = kFinite);
  void check_direction(std::string_view field, const Vec3& value);
  void check_rotation(std::string_view field, const Quat& value);

 private:
  SceneBuilder& builder_;
  std::string place_;
  std::size_t before_;
};

}  // namespace carom::model
