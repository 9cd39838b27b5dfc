// An HDF5 file driver whose file any HDF5 reader can open at every moment, however the writing
// process ends: killed, out of disk, or well.
//
// HDF5 overwrites its metadata in place and in an order of its own, so that a process killed while
// it flushes leaves a file that may not open. This driver keeps metadata in memory until HDF5 has
// flushed and then writes it in an order in which every prefix is a valid file: new blocks, which
// nothing refers to yet; the superblock, which says how long the file is; the chunk indices,
// parents before children; the object headers, which say how many rows there are, in reverse order
// of creation. No block crosses a page, and the kernel writes a page or does not. Raw data goes
// straight to disk, because a row that is not counted yet is not read yet.
//
// After the first failed write nothing more is written and HDF5 is told that all is well, because
// it cannot close a file whose driver fails; the failure is kept in WriteStatus.
#pragma once

#include <cstdint>
#include <filesystem>

namespace carom::io {

struct WriteStatus {
  int error_number = 0;  // of the first write that failed; 0 while all went well
};

// The oldest tables of HDF5 have no checksums over several fields, so that each field can be
// written by itself; those of 1.10 have them, for a file that is written once.
enum class Tables { Updated, Checked };

// Creates or overwrites the file and returns its HDF5 identifier, negative on failure; `status`
// must outlive it. The file can be opened by others from the first flush on, or, with
// Tables::Checked, when it is closed.
std::int64_t create_crash_safe_file(const std::filesystem::path& path, WriteStatus& status,
                                    Tables tables = Tables::Updated);

}  // namespace carom::io
