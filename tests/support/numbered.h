// Names with numbers. g++ 12 is wrong about "b" + std::to_string(i) (its bug 105651).
#pragma once

#include <string>

namespace carom::support {

inline std::string numbered(std::string name, int number) {
  return name.append(std::to_string(number));
}

}  // namespace carom::support
