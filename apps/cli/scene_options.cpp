#include "scene_options.h"

#include <fmt/format.h>

#include <charconv>

#include "carom/base/diagnostics.h"

namespace carom::cli {

namespace {

io::Override parse_set(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (text.empty() || text[0] != '/' || equals == std::string::npos) {
    throw base::BadInput({{.place = "--set " + text,
                           .found = '"' + text + '"',
                           .expected = "/json/pointer=value, such as /bodies/1/mass=2"}});
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// ".001" is a number, though not of JSON.
std::string number_or_text(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? fmt::format("{}", number) : text;
}

}  // namespace

void add_method_options(Command& command, SceneOptions& options) {
  command.add_option("--method", options.method, "Override the scene's method");
  command.add_option("--impact", options.impact, "Override the impact law");
}

void add_scene_options(Command& command, SceneOptions& options) {
  command.add_option("--duration", options.duration, "Override the simulated time, s");
  command.add_option("--step", options.step, "Override the step, s; or auto");
  command.add_option("--set", options.set, "Override any value: /json/pointer=value; repeatable")
      .one_at_a_time();
}

std::vector<io::Override> overrides_of(const SceneOptions& options) {
  std::vector<io::Override> overrides;
  if (!options.method.empty()) overrides.push_back({"/method/name", '"' + options.method + '"'});
  if (!options.impact.empty()) overrides.push_back({"/method/impact", '"' + options.impact + '"'});
  if (options.duration) overrides.push_back({"/duration", fmt::format("{}", *options.duration)});
  if (options.step) overrides.push_back({"/method/step", number_or_text(*options.step)});
  for (const std::string& text : options.set) overrides.push_back(parse_set(text));
  return overrides;
}

std::vector<std::string> words_of(const SceneOptions& options) {
  std::vector<std::string> words;
  if (options.duration)
    words.insert(words.end(), {"--duration", fmt::format("{}", *options.duration)});
  if (options.step) words.insert(words.end(), {"--step", *options.step});
  for (const std::string& text : options.set) words.insert(words.end(), {"--set", text});
  return words;
}

}  // namespace carom::cli
