#include "carom/io/scene_files.h"

#include <algorithm>

namespace carom::io {

namespace {

FileBytes find_recorded(const std::vector<record::SceneFile>& files, const std::string& name) {
  const auto found = std::ranges::find(files, name, &record::SceneFile::name);
  if (found == files.end()) return {{}, "a file that is not in the recording"};
  return {found->bytes, {}};
}

}  // namespace

FileBytes SceneFiles::read(const std::string& name) {
  FileBytes file =
      recorded_ != nullptr ? find_recorded(*recorded_, name) : read_bytes(folder_ / name);
  const bool known = std::ranges::find(read_, name, &record::SceneFile::name) != read_.end();
  if (file.problem.empty() && !known) read_.push_back({name, file.bytes});
  return file;
}

}  // namespace carom::io
