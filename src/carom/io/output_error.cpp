#include "carom/io/output_error.h"

#include <string>
#include <system_error>

namespace carom::io {

OutputError make_output_error(const std::filesystem::path& path, std::string_view reason) {
  return OutputError("cannot write " + path.string() + ": " + std::string(reason));
}

OutputError make_output_error(const std::filesystem::path& path, int error_number) {
  return make_output_error(path, std::generic_category().message(error_number));
}

}  // namespace carom::io
