// A recording that has ended, written once more: compressed, with a checksum for every chunk and
// over HDF5's own tables, so that any HDF5 reader notices damage. How it lies in the file follows
// from its contents alone: runs that were interrupted and resumed end with the same bytes as one
// that was not.
#pragma once

#include <filesystem>

#include "carom/io/crash_safe_file.h"

namespace carom::io {

// Throws hdf5::Error; what goes wrong in writing is in `status`.
void pack_recording(const std::filesystem::path& from, const std::filesystem::path& to,
                    WriteStatus& status);

}  // namespace carom::io
