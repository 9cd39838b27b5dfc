// The viewer's page with several runs in it, or with more to say of one: which runs part when, how
// small differences grow.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "carom/io/scene_file.h"

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

// The files that a command leaves of several runs of a scene.
struct ReportFiles {
  std::optional<std::string> page, json;
};
// Throws base::BadInput where they are files that the runs read, io::OutputError where they could
// not be written, or where carom has no page.
void check_report_files(const ReportFiles& files, const std::filesystem::path& scene,
                        const io::LoadedScene& loaded);
void write_report(const std::filesystem::path& path, const Report& report);

}  // namespace carom::cli
