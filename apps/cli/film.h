// A picture or a film of a run: of its page, in a browser without a window.
#pragma once

#include <filesystem>

namespace carom::cli {

// Throws io::OutputError where it could not be written, or where a program is missing, which is
// named with its package.
void check_film_writable(const std::filesystem::path& output);

// Of the page of a run that ended at `end`, s: .png shows that moment, .mp4 the whole, in real time
// where that takes 2 s to 2 min. Tells the progress unless quiet.
void write_film(const std::filesystem::path& page, double end, const std::filesystem::path& output,
                bool quiet);

}  // namespace carom::cli
