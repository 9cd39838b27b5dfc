#include "carom/methods/notes.h"

#include <algorithm>
#include <sstream>

#include "carom/methods/abilities.h"
#include "carom/methods/registry.h"

namespace carom::methods {

namespace {

using model::SettingDescription;

template <typename Settings>
bool lists(const Settings& settings, const std::string& key) {
  return std::ranges::any_of(settings,
                             [&](const SettingDescription& each) { return each.key == key; });
}

std::vector<std::string> laws_with(const std::string& key) {
  std::vector<std::string> names;
  for (const impact::LawDescription& law : impact::laws()) {
    if (lists(law.settings, key)) names.push_back(law.name);
  }
  return names;
}

// Of the method itself, or of the law in use.
bool is_used(const Scene& scene, const model::MethodDescription& method, const std::string& key) {
  if (lists(own_settings(method), key)) return true;
  return lists(method.settings, key) && std::ranges::count(laws_with(key), impact_of(scene)) > 0;
}

void note_other_laws(const Scene& scene, const model::MethodDescription& method,
                     std::vector<std::string>& notes) {
  for (const auto& [key, value] : scene.method.options) {
    if (!lists(method.settings, key) || is_used(scene, method, key)) continue;
    notes.push_back("\"" + key + "\" has no effect under impact law \"" + impact_of(scene) +
                    "\": it is of " + list_of(laws_with(key)));
  }
}

void note_other_methods(const Scene& scene, const model::MethodDescription& method,
                        std::vector<std::string>& notes) {
  std::vector<std::string> unused, has;
  for (const auto& [key, value] : scene.method.options) {
    if (!lists(method.settings, key)) unused.push_back(key);
  }
  if (unused.empty()) return;
  for (const SettingDescription& setting : own_settings(method)) has.push_back(setting.key);
  notes.push_back("no effect under method \"" + method.name + "\": " + list_of(unused) +
                  "; it has " + list_of(has));
}

void note_replaced_law(const Scene& scene, std::vector<std::string>& notes) {
  const std::string used = impact_of(scene);
  const std::string wanted = scene.method.text("impact", used);
  if (used.empty() || wanted == used) return;
  notes.push_back("impact law \"" + used + "\" takes the place of \"" + wanted +
                  "\", which method \"" + scene.method.name + "\" does not have");
}

std::string text_of(const Scene& scene, const model::MethodDescription& method,
                    const std::string& key) {
  if (key == "impact") return impact_of(scene);
  const auto found = std::ranges::find(method.settings, key, &SettingDescription::key);
  return scene.method.text(key, std::get<std::string>(found->fallback));
}

void note_conditions(const Scene& scene, const model::MethodDescription& method,
                     std::vector<std::string>& notes) {
  for (const SettingDescription& each : method.settings) {
    const auto& [key, value, differs] = each.only_if;
    if (key.empty() || !scene.method.options.contains(each.key)) continue;
    if (!is_used(scene, method, each.key)) continue;
    const std::string used = text_of(scene, method, key);
    if ((used == value) != differs) continue;
    std::ostringstream note;
    note << '"' << each.key << "\" has no effect " << (differs ? "where" : "unless") << " \"" << key
         << "\" is \"" << value << '"';
    if (!differs) note << "; it is \"" << used << '"';
    notes.push_back(note.str());
  }
}

}  // namespace

std::vector<std::string> notes_on(const Scene& scene) {
  std::vector<std::string> notes;
  const model::MethodDescription* method = model::find_method(catalog(), scene.method.name);
  if (method == nullptr) return notes;
  note_replaced_law(scene, notes);
  note_other_methods(scene, *method, notes);
  note_other_laws(scene, *method, notes);
  note_conditions(scene, *method, notes);
  return notes;
}

}  // namespace carom::methods
