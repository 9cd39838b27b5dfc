#include "carom/io/outputs.h"

#include <array>

#include "carom/io/animation.h"
#include "carom/io/csv_sinks.h"
#include "carom/io/output_file.h"
#include "carom/io/page.h"
#include "carom/io/recording.h"

namespace carom::io {

namespace {

struct Ending {
  Output output;
  std::string_view ending, meaning;
};

constexpr std::array<Ending, 6> kEndings = {{
    {Output::Page, ".html", "a page to look at"},
    {Output::Film, ".mp4", "a film"},
    {Output::Picture, ".png", "a picture"},
    {Output::Recording, ".h5", "everything"},
    {Output::States, ".csv", "states"},
    {Output::Animation, ".glb", "animation"},
}};

std::string ending_of(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  return ending == kPartial ? path.stem().extension().string() : ending;
}

bool is_of_page(Output output) { return output == Output::Film || output == Output::Picture; }

// ".html (a page to look at), .csv (states) or .glb (animation)"
std::string list_endings(bool with_films) {
  std::string list;
  for (const auto& [output, ending, meaning] : kEndings) {
    if (is_of_page(output) && !with_films) continue;
    if (!list.empty()) list += output == kEndings.back().output ? " or " : ", ";
    list.append(ending).append(" (").append(meaning).append(")");
  }
  return list;
}

}  // namespace

std::optional<Output> output_of(const std::filesystem::path& path) {
  const std::string wanted = ending_of(path);
  for (const auto& [output, ending, meaning] : kEndings)
    if (ending == wanted) return output;
  return std::nullopt;
}

base::Diagnostic describe_unknown_ending(const std::filesystem::path& path, bool with_films) {
  const std::string ending = ending_of(path);
  return {.place = path.string(),
          .found = ending.empty() ? "no file ending" : "the ending \"" + ending + '"',
          .expected = list_endings(with_films)};
}

std::unique_ptr<record::Sink> make_output(const std::filesystem::path& path,
                                          const LoadedScene& loaded, const std::string& version) {
  const std::optional<Output> output = output_of(path);
  if (output == Output::Page) return std::make_unique<PageSink>(path);
  if (output == Output::States) return std::make_unique<StatesCsv>(path);
  if (output == Output::Animation) return std::make_unique<AnimationSink>(path);
  if (output == Output::Recording)
    return std::make_unique<RecordingSink>(path, loaded.json, version, loaded.files);
  throw base::BadInput({describe_unknown_ending(path, false)});
}

std::unique_ptr<record::Sink> make_events_csv(const std::filesystem::path& path) {
  return std::make_unique<EventsCsv>(path);
}
std::unique_ptr<record::Sink> make_forces_csv(const std::filesystem::path& path) {
  return std::make_unique<ForcesCsv>(path);
}
std::unique_ptr<record::Sink> make_contacts_csv(const std::filesystem::path& path) {
  return std::make_unique<ContactsCsv>(path);
}

}  // namespace carom::io
