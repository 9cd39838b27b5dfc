// Contacts followed while the bodies move. A contact found at one state belongs to a pair of
// features; as long as these face each other, its point, normal, gap and their rates at other
// states come from the features alone, smoothly, without looking for contacts again.
#pragma once

#include "carom/contact/contact_set.h"
#include "carom/dynamics/state.h"
#include "carom/geometry/distance/feature_pair.h"

namespace carom::contact {

// What a contact was found from. Swapped: the contact's body b owns the first feature.
struct ContactFeatures {
  geometry::FeaturePair pair;
  bool swapped = false;
};

// The contact where the features of bodies at these poses face each other.
geometry::ContactPoint point_at(const ContactFeatures& features, const Pose& X_WA,
                                const Pose& X_WB);

// Brings a contact to another state. `bias` is d²gap/dt² from velocities alone, moving normals and
// both bodies' turning included (Baraff, (34)).
void follow_features(const ContactFeatures& features, const State& state, Contact& contact);

// Of a against b at the contact, across the normal.
Vec3 slip_velocity(const Contact& contact, const State& state);

// d/dt of the slip v_a + ω_a × (p - x_a) - v_b - ω_b × (p - x_b) from velocities alone, where p
// goes with the contact: ω_a × (ṗ - v_a) - ω_b × (ṗ - v_b). Zero between bodies that do not turn. ṗ
// is a central difference, with an error of some 1e-10 of it.
Vec3 compute_slip_bias(const ContactFeatures& features, const State& state, const Contact& contact);

}  // namespace carom::contact
