// The Gauss–Seidel-like laws in every order, elastic, and the random problems they are asked to
// resolve.
#pragma once

#include <array>

#include "carom/impact/laws/reflections.h"
#include "carom/impact/laws/sequential.h"
#include "support/impact_cases.h"

namespace carom::support {

struct GaussSeidelLaw {
  const char* name;
  // At most so many applications of the operator; zero: as many as the law allows itself.
  impact::ImpactResult (*resolve)(const contact::ContactProblem& problem, int applications,
                                  impact::ImpactWorkspace& work, contact::Impulses& out);
};

template <typename Law>
impact::ImpactResult resolve_within(Law law, const contact::ContactProblem& problem,
                                    int applications, impact::ImpactWorkspace& work,
                                    contact::Impulses& out) {
  if (applications > 0) law.options.max_iterations = applications;
  return impact::resolve(law, problem, work, out);
}

template <impact::Order order>
impact::ImpactResult resolve_sequential(const contact::ContactProblem& problem, int applications,
                                        impact::ImpactWorkspace& work, contact::Impulses& out) {
  return resolve_within(impact::Sequential{.order = order}, problem, applications, work, out);
}

inline impact::ImpactResult resolve_reflections(const contact::ContactProblem& problem,
                                                int applications, impact::ImpactWorkspace& work,
                                                contact::Impulses& out) {
  return resolve_within(impact::Reflections{}, problem, applications, work, out);
}

inline constexpr std::array kGaussSeidelLaws{
    GaussSeidelLaw{"sequential, lexicographic", resolve_sequential<impact::Order::Lexicographic>},
    GaussSeidelLaw{"sequential, random", resolve_sequential<impact::Order::Random>},
    GaussSeidelLaw{"sequential, deepest", resolve_sequential<impact::Order::Deepest>},
    GaussSeidelLaw{"reflections", resolve_reflections},
};

// Of four problems two are free, one is squeezed, one is whole.
inline std::size_t kind_of(std::uint64_t seed) {
  constexpr std::array<std::size_t, 4> kinds{0, 0, 1, 2};
  return kinds[seed % 4];
}

inline ImpactCase make_impact_case(std::uint64_t seed) {
  ImpactCases cases(seed);
  switch (kind_of(seed)) {
    case 0:
      return cases.next_free();
    case 1:
      return cases.next_squeezed();
    default:
      return cases.next_whole();
  }
}

}  // namespace carom::support
