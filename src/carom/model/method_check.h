// What a method's settings may be, as its catalog entry states it: for those who read settings from
// a file and for those who set them in a program.
#pragma once

#include <limits>

#include "carom/model/method_settings.h"

namespace carom::model {

// SettingDescription::above for numbers that may be 0 as well: the next number below it.
inline constexpr double kFromZero = -std::numeric_limits<double>::denorm_min();

// The method's own settings, then those of the others: one scene runs under every method, so a
// setting that only another method knows, or a choice that only another has, is checked all the
// same, and waits for it.
std::vector<SettingDescription> known_settings(const MethodDescription& method,
                                               const MethodCatalog& catalog);
bool is_allowed(const SettingDescription& setting, const SettingValue& value);
std::string describe_allowed(const SettingDescription& setting);

// Throws base::BadInput, with the nearest valid name, for a method, a setting or a value that is
// not in the catalog.
void check_method(const MethodSettings& settings, const MethodCatalog& catalog);

}  // namespace carom::model
