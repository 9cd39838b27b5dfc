#include "report_page.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/io/file_bytes.h"
#include "carom/io/output_error.h"
#include "carom/io/output_file.h"
#include "carom/io/viewer_page.h"
#include "session.h"

namespace carom::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string_view before_recording() {
  const std::string_view page = io::viewer_page();
  return page.substr(0, page.find(io::kRecordingPlace));
}

std::string_view after_recording() {
  const std::string_view page = io::viewer_page();
  return page.substr(page.find(io::kRecordingPlace) + io::kRecordingPlace.size());
}

std::string recording_of(const std::filesystem::path& page) {
  const io::FileBytes file = io::read_bytes(page);
  const std::size_t around = before_recording().size() + after_recording().size();
  if (!file.problem.empty() || file.bytes.size() < around)
    throw io::make_output_error(page, "a run left no page");
  return file.bytes.substr(before_recording().size(), file.bytes.size() - around);
}

Json json_of(const ReportCurve& curve) {
  return {{"name", curve.name}, {"times", curve.times}, {"values", curve.values}};
}

// One line, in which nothing ends a script.
std::string describe(const Report& report) {
  Json runs = Json::array(), curves = Json::array(), marks = Json::array();
  for (const ReportRun& run : report.runs)
    runs.push_back({{"label", run.label}, {"rows", run.rows}});
  for (const ReportCurve& curve : report.differences) curves.push_back(json_of(curve));
  for (const ReportMark& mark : report.marks) marks.push_back({{"t", mark.t}, {"text", mark.text}});
  const Json json = {{"runs", runs}, {"differences", curves}, {"marks", marks}};
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at))
    text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

void check_report_files(const ReportFiles& files, const std::filesystem::path& scene,
                        const io::LoadedScene& loaded) {
  SessionOptions written;
  written.summary = files.json;
  written.events = files.page;
  check_outputs(written, {.files = files_of(scene, loaded), .recording = {}});
  if (files.json) io::check_writable(*files.json);
  if (!files.page) return;
  if (io::viewer_page().empty())
    throw io::make_output_error(*files.page,
                                "this carom was built without its viewer (CAROM_VIEWER)");
  io::check_writable(*files.page);
}

void write_report(const std::filesystem::path& path, const Report& report) {
  io::TextFile file(path, io::Writing::AtOnce);
  file.write(before_recording());
  file.write(describe(report));
  for (const ReportRun& run : report.runs) file.write('\n' + recording_of(run.page));
  file.write(after_recording());
  file.close();
}

}  // namespace carom::cli
