// The table of shape pairs: which routine answers for each.
#pragma once

#include <vector>

#include "carom/geometry/distance/feature_pair.h"

namespace carom::geometry {

enum class PairRoutine {
  Ignored,        // never asked: neither side can be a dynamic body's
  BallOnBall,     // one feature pair, in closed form
  PointsOnPlane,  // one feature pair for each corner or cap
  TwoConvex,      // signed distance and contact region
  OnMesh,         // the same with each triangle near
};
struct PairMethod {
  PairRoutine routine = PairRoutine::Ignored;
  bool swapped = false;  // the second shape owns the first feature
};
PairMethod pair_method(const Shape& a, const Shape& b);

// A shape where it sits on its body, measured from the body's centre of mass.
struct ShapeOnBody {
  const Shape& shape;
  const Pose& X_BS;
};

// Appends the feature pairs of two balls or of points on a plane, in the order a, b that
// pair_method asks for.
void append_feature_pairs(PairRoutine routine, const ShapeOnBody& a, const ShapeOnBody& b,
                          std::vector<FeaturePair>& out);

}  // namespace carom::geometry
