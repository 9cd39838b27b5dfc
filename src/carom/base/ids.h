// Positions in the scene's arrays, as types that do not mix.
#pragma once

#include <cstddef>
#include <cstdint>

namespace carom::base {

enum class BodyId : std::int32_t {};
enum class MaterialId : std::int32_t {};
enum class JointId : std::int32_t {};

template <typename Id>
constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

template <typename Id>
constexpr Id id_of(std::size_t index) {
  return static_cast<Id>(index);
}

}  // namespace carom::base

namespace carom {
using base::BodyId;
using base::id_of;
using base::index;
using base::JointId;
using base::MaterialId;
}  // namespace carom
