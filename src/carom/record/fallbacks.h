// The rungs of fallback ladders that a run used: what a method does instead where its usual way
// would not end, counted by name, with the greatest error that it admits. A new rung is one more
// name here and a call of Recorder::fallback() where it is used; the summary lists what was used.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace carom::record {

enum class Rung {
  InelasticCrowd,  // zeno-free: impacts of crowded bodies without restitution
  ClosedAhead,     // zeno-free: flights of crowds, which stop what is to meet before it touches
  LateFriction,    // zeno-free: slow slides stopped by the end of a flight, not where they stop
  WideFlight,      // zeno-free: no flight tried kept its contacts within the touching distance
  SearchInParts,   // zeno-free: a search reached its cap, and the flight ended there
  SampledSearch,   // a search for times of contact looked a few times instead of proving
  UnseenContacts,  // time-stepping: impulses kept making bodies faster than contacts were sought
                   // for
  ConstantForces,  // analytic: no forces, or no step under them, were found from accelerations
  StiffDampers,  // the velocities that dampers leave to each other were not found to the last digit
  ImplicitStep,  // elastic: a step by implicit Euler, in which nothing bounces
};

struct RungName {
  std::string_view key;
  std::string_view unit;  // the error's
};
inline constexpr std::array<RungName, 10> kRungNames = {{{"inelastic_crowd", "m/s"},
                                                         {"closed_ahead", "m"},
                                                         {"late_friction", "m/s"},
                                                         {"wide_flight", "m"},
                                                         {"search_in_parts", "m"},
                                                         {"sampled_search", "m"},
                                                         {"unseen_contacts", "m/s"},
                                                         {"constant_forces", "s"},
                                                         {"stiff_dampers", "s"},
                                                         {"implicit_step", "s"}}};

struct Fallback {
  std::int64_t times = 0;
  double error = 0;  // the greatest that it admits, in the rung's unit
};

struct Fallbacks {
  std::array<Fallback, kRungNames.size()> rungs{};

  void note(Rung rung, double error) {
    Fallback& at = rungs[static_cast<std::size_t>(rung)];
    ++at.times;
    at.error = std::max(at.error, error);
  }
};

}  // namespace carom::record
