#include "carom/io/page.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "carom/base/check.h"
#include "carom/io/output_error.h"
#include "carom/io/output_file.h"
#include "carom/io/page_columns.h"
#include "carom/io/summary_json.h"
#include "carom/io/viewer_page.h"

namespace carom::io {

namespace {

constexpr std::string_view kLive = "live";  // in the place of a recording
constexpr std::string_view kNoConnections = "connect-src 'none'";

std::string with(std::string_view page, std::string_view place, std::string_view text) {
  const std::size_t at = page.find(place);
  base::check(at != std::string_view::npos, "the viewer's page has every place that is filled in");
  std::string filled(page.substr(0, at));
  filled += text;
  filled += page.substr(at + place.size());
  return filled;
}

}  // namespace

PageSink::PageSink(std::filesystem::path path) : path_(std::move(path)) {
  if (viewer_page().empty())
    throw make_output_error(path_, "this carom was built without its viewer (CAROM_VIEWER)");
  check_writable(path_);
}

PageSink::~PageSink() = default;

void PageSink::end(const record::Summary& summary) {
  TextFile file(path_, Writing::AtOnce);
  file.write(make_page(data_, summary));
  file.close();
}

std::string make_page(PageData& data, const record::Summary& summary) {
  const std::string header = "{\"summary\":" + summary_for_page(summary) + "}";
  return with(viewer_page(), kRecordingPlace, to_text(data.to_bytes(header)));
}

std::string make_live_page(const std::string& socket) {
  return with(with(viewer_page(), kRecordingPlace, kLive), kNoConnections, "connect-src " + socket);
}

std::string summary_for_page(const record::Summary& summary) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(to_json(summary));
  json.erase("wall_seconds");
  return json.dump();
}

}  // namespace carom::io
