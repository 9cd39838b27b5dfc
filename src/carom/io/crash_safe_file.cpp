#include "carom/io/crash_safe_file.h"

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace carom::io {

namespace {

constexpr haddr_t kPage = 4096;
constexpr haddr_t kMaxAddress = haddr_t{1} << 62U;

struct Block {
  H5FD_mem_t type{};
  std::vector<unsigned char> bytes;
};

struct SafeFile : H5FD_t {
  WriteStatus* status = nullptr;
  int descriptor = -1;
  haddr_t allocated = 0;             // end of the space HDF5 has taken
  haddr_t size = 0;                  // of the file on disk
  std::map<haddr_t, Block> pending;  // metadata not on disk yet
  std::set<haddr_t> on_disk;         // metadata that something on disk may refer to
};

SafeFile& safe(H5FD_t* file) { return static_cast<SafeFile&>(*file); }
const SafeFile& safe(const H5FD_t* file) { return static_cast<const SafeFile&>(*file); }

bool fail(SafeFile& file, int error_number) {
  if (file.status->error_number == 0) file.status->error_number = error_number;
  return false;
}

bool write_bytes(SafeFile& file, haddr_t address, const void* bytes, std::size_t count) {
  if (file.status->error_number != 0) return false;
  const auto* next = static_cast<const unsigned char*>(bytes);
  while (count > 0) {
    const ssize_t written = pwrite(file.descriptor, next, count, static_cast<off_t>(address));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail(file, written < 0 ? errno : ENOSPC);
    next += written;
    address += static_cast<haddr_t>(written);
    count -= static_cast<std::size_t>(written);
  }
  file.size = std::max(file.size, address);
  return true;
}

bool extend(SafeFile& file) {
  if (file.status->error_number != 0) return false;
  if (file.size >= file.allocated) return true;
  if (ftruncate(file.descriptor, static_cast<off_t>(file.allocated)) != 0) return fail(file, errno);
  file.size = file.allocated;
  return true;
}

// Level of a node in a chunk index: leaves are 0.
int tree_level(const Block& block) {
  constexpr std::size_t kLevelOffset = 5;
  const bool is_node =
      block.bytes.size() > kLevelOffset && std::memcmp(block.bytes.data(), "TREE", 4) == 0;
  return is_node ? block.bytes[kLevelOffset] : 0;
}

// Smaller goes to disk earlier; see the header for why.
std::tuple<int, int, haddr_t> write_order(const SafeFile& file, haddr_t address,
                                          const Block& block) {
  if (!file.on_disk.contains(address)) return {0, 0, address};
  if (block.type == H5FD_MEM_SUPER) return {1, 0, address};
  if (block.type == H5FD_MEM_OHDR) return {3, 0, kMaxAddress - address};
  return {2, -tree_level(block), address};
}

void commit(SafeFile& file) {
  using Entry = std::map<haddr_t, Block>::value_type;
  std::vector<const Entry*> entries;
  for (const Entry& entry : file.pending) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [&](const Entry* a, const Entry* b) {
    return write_order(file, a->first, a->second) < write_order(file, b->first, b->second);
  });
  if (!extend(file)) return;
  for (const Entry* entry : entries) {
    const auto& [address, block] = *entry;
    if (!write_bytes(file, address, block.bytes.data(), block.bytes.size())) return;
  }
  for (const Entry* entry : entries) file.on_disk.insert(entry->first);
  file.pending.clear();
}

struct DriverInfo {
  WriteStatus* status;
};

H5FD_t* open_file(const char* name, unsigned /*flags*/, hid_t access, haddr_t /*max_address*/) {
  auto* const status = static_cast<const DriverInfo*>(H5Pget_driver_info(access))->status;
  const int descriptor = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    status->error_number = errno;
    return nullptr;
  }
  auto* const file = new SafeFile{};
  file->status = status;
  file->descriptor = descriptor;
  return file;
}

herr_t close_file(H5FD_t* base) {
  SafeFile* const file = &safe(base);
  commit(*file);
  if (close(file->descriptor) != 0) fail(*file, errno);
  delete file;
  return 0;
}

herr_t query(const H5FD_t* /*file*/, unsigned long* flags) {
  if (flags != nullptr)
    *flags = 0;  // no aggregation: every block is allocated and written by itself
  return 0;
}

haddr_t allocate(H5FD_t* base, H5FD_mem_t type, hid_t /*transfer*/, hsize_t count) {
  SafeFile& file = safe(base);
  haddr_t address = (file.allocated + 7) / 8 * 8;
  const bool crosses_page = address / kPage != (address + count - 1) / kPage;
  if (type != H5FD_MEM_DRAW && crosses_page) address = (address + kPage - 1) / kPage * kPage;
  file.allocated = address + count;
  return address;
}

haddr_t allocated_end(const H5FD_t* file, H5FD_mem_t /*type*/) { return safe(file).allocated; }

herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
  safe(file).allocated = address;
  return 0;
}

haddr_t file_end(const H5FD_t* file, H5FD_mem_t /*type*/) { return safe(file).size; }

// What is pending hides what is on disk; what was never written reads as zero.
herr_t read_block(H5FD_t* base, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address,
                  std::size_t count, void* buffer) {
  SafeFile& file = safe(base);
  auto* const out = static_cast<unsigned char*>(buffer);
  std::memset(out, 0, count);
  if (pread(file.descriptor, out, count, static_cast<off_t>(address)) < 0) return -1;
  for (const auto& [start, block] : file.pending) {
    const haddr_t first = std::max(start, address);
    const haddr_t last = std::min<haddr_t>(start + block.bytes.size(), address + count);
    if (first < last)
      std::memcpy(out + (first - address), &block.bytes[first - start], last - first);
  }
  return 0;
}

herr_t write_block(H5FD_t* base, H5FD_mem_t type, hid_t /*transfer*/, haddr_t address,
                   std::size_t count, const void* buffer) {
  SafeFile& file = safe(base);
  if (type == H5FD_MEM_DRAW) {
    write_bytes(file, address, buffer, count);
    return 0;
  }
  const auto* const bytes = static_cast<const unsigned char*>(buffer);
  file.pending[address] = {type, {bytes, bytes + count}};
  return 0;
}

herr_t flush_file(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  commit(safe(file));
  return 0;
}

H5FD_class_t make_driver() {
  H5FD_class_t driver{};
  driver.name = "carom-crash-safe";
  driver.maxaddr = kMaxAddress;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(DriverInfo);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query;
  driver.alloc = allocate;
  driver.get_eoa = allocated_end;
  driver.set_eoa = set_allocated_end;
  driver.get_eof = file_end;
  driver.read = read_block;
  driver.write = write_block;
  driver.flush = flush_file;
  return driver;
}

// Metadata stays in HDF5's cache between flushes, so that it reaches the driver complete.
void forbid_evictions(hid_t access) {
  H5AC_cache_config_t config{};
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(access, &config);
  config.evictions_enabled = false;
  config.incr_mode = H5C_incr__off;
  config.flash_incr_mode = H5C_flash_incr__off;
  config.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(access, &config);
}

// Registered for good: HDF5 calls the driver's close() after it has dropped the file's own
// reference to the driver.
hid_t driver_id() {
  static const hid_t id = [] {
    const H5FD_class_t driver = make_driver();
    return H5FDregister(&driver);
  }();
  return id;
}

}  // namespace

std::int64_t create_crash_safe_file(const std::filesystem::path& path, WriteStatus& status,
                                    Tables tables) {
  const DriverInfo info{&status};
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_driver(access, driver_id(), &info);
  if (tables == Tables::Checked)
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  else
    H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
  forbid_evictions(access);
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_obj_track_times(creation, false);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
  H5Pclose(creation);
  H5Pclose(access);
  return file;
}

}  // namespace carom::io
