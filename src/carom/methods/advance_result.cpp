#include "carom/methods/advance_result.h"

#include <algorithm>
#include <sstream>
#include <tuple>

#include "carom/methods/remedies.h"

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
    case AdvanceStatus::Indented:
      return "bodies are deep in each other";
    case AdvanceStatus::Contradiction:
      return "";  // told by its names
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

// "a", "b" and "c"; of many, the first few.
template <typename Ids, typename Name>
std::string list_names(const Ids& ids, const Name& name) {
  constexpr std::size_t kMost = 5;
  const std::size_t told = std::min(ids.size(), kMost);
  std::string text;
  for (std::size_t i = 0; i < told; ++i) {
    const bool last = i + 1 == ids.size();
    text += (i == 0 ? "\"" : last ? " and \"" : ", \"") + name(ids[i]) + '"';
  }
  if (told < ids.size()) text += " and " + std::to_string(ids.size() - told) + " more";
  return text;
}

std::string tell(const Contradiction& of, const Scene& scene) {
  std::ostringstream text;
  text.precision(3);
  const auto body = [&](BodyId id) { return scene.body(id).name; };
  if (of.joints.empty()) {
    text << list_names(of.by, body) << " close" << (of.by.size() == 1 ? "s" : "") << " on "
         << list_names(of.squeezed, body) << " and nothing can give way: an approach of " << of.left
         << ' ' << of.unit << " is left that no impulse takes away";
    return text.str();
  }
  const auto joint = [&](std::int32_t i) { return scene.joints[static_cast<std::size_t>(i)].name; };
  const bool one = of.joints.size() == 1;
  text << "the joint" << (one ? " " : "s ") << list_names(of.joints, joint)
       << (one ? " cannot hold" : " cannot hold together") << ": whatever the bodies do that they "
       << "connect, they are off by " << of.left << ' ' << of.unit
       << "; take one away, or let driven bodies move otherwise";
  return text.str();
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
  text << ": "
       << (result.contradiction ? tell(*result.contradiction, scene) : reason_of(result.status));
  if (const std::string remedy = remedy_for(result.status, scene); !remedy.empty())
    text << "; " << remedy;
  return text.str();
}

}  // namespace carom::methods
