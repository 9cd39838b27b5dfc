#include "carom/base/check.h"

namespace carom::base {

void fail_check(std::string_view what, const std::string& values,
                const std::source_location& where) {
  std::ostringstream text;
  text << where.file_name() << ':' << where.line() << ": check failed: " << what;
  if (!values.empty()) text << ", values:" << values;
  throw CheckFailure(text.str());
}

}  // namespace carom::base
