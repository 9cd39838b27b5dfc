// A table for the terminal: a first column of names, then columns of values, each as wide as it
// has to be.
#pragma once

#include <string>
#include <vector>

namespace carom::cli {

// Rows of the same length; the first has the titles.
void print_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace carom::cli
