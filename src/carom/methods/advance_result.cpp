#include "carom/methods/advance_result.h"

#include <sstream>
#include <tuple>

namespace carom::methods {

namespace {

const char* reason_of(AdvanceStatus status) {
  switch (status) {
    case AdvanceStatus::Advanced:
      return "nothing is wrong";
    case AdvanceStatus::ZenoPoint:
      return "time does not move on (Zeno point): the contact is treated again and again";
    case AdvanceStatus::TooManyImpacts:
      return "more impacts in one step than max_impacts_per_step allows";
    case AdvanceStatus::TooManyCollisions:
      return "more collisions in one frame than max_collisions_per_body allows";
    case AdvanceStatus::ImpactDidNotEnd:
      return "the impact law did not end within its iteration cap";
    case AdvanceStatus::SearchDidNotEnd:
      return "the search for the time of contact did not end within its iteration cap";
    case AdvanceStatus::CarryDidNotConverge:
      return "the contact forces of the step did not converge";
    case AdvanceStatus::NoStepShortEnough:
      return "no step was short enough for its error to be small or its forces to be found";
    case AdvanceStatus::NotFinite:
      return "a position or velocity is no longer a finite number";
    case AdvanceStatus::Stopped:
      return "stopped on request";
  }
  return "";
}

struct Triple {
  const Vec3& v;
};
std::ostream& operator<<(std::ostream& out, const Triple& triple) {
  const auto [x, y, z] = std::tuple(triple.v.x(), triple.v.y(), triple.v.z());
  return out << '(' << x << ", " << y << ", " << z << ')';
}

}  // namespace

std::string describe(const AdvanceResult& result, const Scene& scene, double t) {
  std::ostringstream text;
  text.precision(12);
  text << "at t = " << t << " s";
  if (result.a != result.b) {
    text << ", between \"" << scene.body(result.a).name << "\" and \"" << scene.body(result.b).name
         << '"';
  }
  if (result.at) {
    text.precision(6);
    text << ", at " << Triple{result.at->point} << " m with the normal "
         << Triple{result.at->normal};
  }
  text << ": " << reason_of(result.status);
  return text.str();
}

}  // namespace carom::methods
