// The files that a run writes, as sinks, and recordings read back. What goes into a file is said by
// the ending of its name, which is understood here alone.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "carom/base/diagnostics.h"
#include "carom/io/scene_file.h"
#include "carom/record/trace.h"

namespace carom::io {

// A page to look at, a film or a picture of it, everything (docs/recordings.md), states as text, an
// animation for viewers of glTF.
enum class Output { Page, Film, Picture, Recording, States, Animation };

// Nothing, where the ending is unknown. A file that is still called FILE.partial counts as FILE.
std::optional<Output> output_of(const std::filesystem::path& path);

// The problem with a name of unknown ending; films and pictures are made by the command line.
base::Diagnostic describe_unknown_ending(const std::filesystem::path& path, bool with_films);

// The sink that writes it, of all but films and pictures; base::BadInput for other names. `version`
// is carom's, stored in recordings.
std::unique_ptr<record::Sink> make_output(const std::filesystem::path& path,
                                          const LoadedScene& loaded, const std::string& version);

// Tables of a run, as CSV.
std::unique_ptr<record::Sink> make_events_csv(const std::filesystem::path& path);
std::unique_ptr<record::Sink> make_forces_csv(const std::filesystem::path& path);
std::unique_ptr<record::Sink> make_contacts_csv(const std::filesystem::path& path);

// Throws base::BadInput when the file is not a carom recording, or when bytes that its last
// checkpoint vouches for have changed since they were written.
record::Trace read_recording(const std::filesystem::path& path);

}  // namespace carom::io
