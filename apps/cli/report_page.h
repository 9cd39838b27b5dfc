// The viewer's page with several runs in it, or with more to say of one: which runs part when, how
// small differences grow.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace carom::cli {

struct ReportCurve {
  std::string name;
  std::vector<double> times, values;  // s, m
};

struct ReportMark {
  double t = 0;  // s
  std::string text;
};

// One of the page's runs.
struct ReportRun {
  std::filesystem::path page;  // as `carom run --out` writes it
  std::string label;
  std::vector<std::pair<std::string, std::string>> rows{};  // what else there is to say
};

// The first run is the one that differences are from, and that is shown whole.
struct Report {
  std::vector<ReportRun> runs;
  std::vector<ReportCurve> differences;  // shown over time, on a logarithmic scale
  std::vector<ReportMark> marks;         // moments to jump to
};

// Throws io::OutputError where the page could not be written, or where carom has none.
void check_report_writable(const std::filesystem::path& path);
void write_report(const std::filesystem::path& path, const Report& report);

}  // namespace carom::cli
