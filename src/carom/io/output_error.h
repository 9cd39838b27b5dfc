// An output could not be written: a full disk, a missing folder. Everything written before stays
// readable.
#pragma once

#include <stdexcept>

namespace carom::io {

struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace carom::io
