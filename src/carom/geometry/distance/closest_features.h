// Closest features of two convex polytopes, walking from a given pair through the neighbours in
// whose Voronoi regions the nearest points lie (Lin & Canny 1991; Mirtich & Canny, §3; the moves of
// Mirtich's V-Clip, 1998). Points and segments count as polytopes without faces.
//
// Every move to a neighbour brings the closed features nearer, so the walk ends at the nearest
// pair; the answer is checked against the support planes along its normal. From the last pair of a
// slow motion it takes a step or two, whatever the number of faces. Round-off, deep overlap or a
// bad start can end it early: then nothing is found and the caller asks another routine.
#pragma once

#include "carom/geometry/distance/candidate.h"

namespace carom::geometry {

// `found` is false, and nothing else set, where the walk did not end at a proven pair that is apart
// or overlaps by less than 1e-10 of the size. Features are corrected to valid ones; those of kind
// Surface, and garbage, mean the vertices that face each other along `normal` (a's frame).
struct ClosestFeatures {
  bool found = false;
  Candidate best;  // in a's frame
  int steps = 0;
};
ClosestFeatures find_closest_features(const PolytopePair& pair, const Feature& start_a,
                                      const Feature& start_b, const Vec3& normal);

}  // namespace carom::geometry
