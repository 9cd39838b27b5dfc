// Events at contacts, as data.
#pragma once

#include <array>
#include <string_view>

#include "carom/base/ids.h"
#include "carom/math/linear_algebra.h"

namespace carom::record {

enum class EventKind { Impact, Microcollision, ContactBegin, ContactEnd, Rest, Wake };
constexpr std::size_t kEventKinds = 6;

// Names in the events CSV and the summary.
constexpr std::array<std::string_view, kEventKinds> kEventNames = {
    "impact", "microcollision", "contact-begin", "contact-end", "rest", "wake"};

struct ContactEvent {
  double t = 0;
  EventKind kind = EventKind::Impact;
  BodyId a{}, b{};
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();   // from b to a
  double approach_speed = 0;    // positive when closing, before
  double separation_speed = 0;  // positive when opening, after
  Vec3 impulse = Vec3::Zero();  // acts on a
  int iterations = 0;           // iterations of the impact law, for the whole impact
  int lineality = 0;            // dimension of what squeezed contacts took away in it
};

}  // namespace carom::record
