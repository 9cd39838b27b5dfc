#include "carom/model/problems.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace carom::model {

std::string describe(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string describe(const Vec3& value) {
  std::string text(1, '[');  // "[" + … draws a false -Wrestrict from g++ 12
  text += describe(value.x()) + ", " + describe(value.y()) + ", " + describe(value.z()) + ']';
  return text;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string shown(text.substr(0, kLongest));
  const auto cuts_character = [&] {  // bytes 10xxxxxx continue a UTF-8 character
    return shown.size() < text.size() && (text[shown.size()] & 0xC0) == 0x80;
  };
  while (!shown.empty() && cuts_character()) shown.pop_back();
  const bool whole = shown.size() == text.size();
  std::ranges::replace_if(shown, [](unsigned char c) { return c < ' '; }, '?');
  return '"' + shown + (whole ? "\"" : "…\"");
}

void Problems::add(std::string_view field, std::string found, std::string expected,
                   std::string hint) {
  std::string place = place_;
  if (!field.empty()) place += '/' + std::string(field);
  builder_.report({.place = std::move(place),
                   .found = std::move(found),
                   .expected = std::move(expected),
                   .hint = std::move(hint),
                   .file = {}});
}

void Problems::check(std::string_view field, double value, const NumberRule& rule) {
  if (!rule.holds(value)) add(field, describe(value), std::string(rule.words));
}

void Problems::check(std::string_view field, const Vec3& value, const NumberRule& rule) {
  for (int i = 0; i < 3; ++i) {
    check(std::string(field) + '/' + std::to_string(i), value[i], rule);
  }
}

void Problems::check_direction(std::string_view field, const Vec3& value) {
  check(field, value);
  // Below 1e-150 the squared length is no longer a normal number and the direction is lost.
  if (value.allFinite() && !(value.norm() > 1e-150 && std::isfinite(value.norm()))) {
    add(field, describe(value), "a vector with a direction");
  }
}

void Problems::check_rotation(std::string_view field, const Quat& value) {
  constexpr double kUnitError = 1e-6;  // what six digits in a file give
  if (std::abs(value.norm() - 1) <= kUnitError) return;
  add(field, "a quaternion [w, x, y, z] of length " + describe(value.norm()), "length 1");
}

}  // namespace carom::model
