// An output could not be written: a full disk, a missing folder. Everything written before stays
// readable.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace carom::io {

struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

OutputError make_output_error(const std::filesystem::path& path, std::string_view reason);
OutputError make_output_error(const std::filesystem::path& path, int error_number);

}  // namespace carom::io
