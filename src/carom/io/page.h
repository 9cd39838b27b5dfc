// A run as one HTML file to look at, from disk and without a network: the viewer's page with the
// recording in it (page_data.h, which says what it holds), and the page of a run that still goes
// on.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "carom/io/page_data.h"
#include "carom/record/sink.h"

namespace carom::io {

class PageSink : public record::Sink {
 public:
  explicit PageSink(std::filesystem::path path);
  ~PageSink() override;
  void begin(const Scene& scene) override { data_.begin(scene); }
  void output(const State& state) override { data_.output(state); }
  void forces(double t, std::span<const record::CarriedForce> forces) override {
    data_.forces(t, forces);
  }
  void event(const record::ContactEvent& event) override { data_.event(event); }
  void end(const record::Summary& summary) override;

 private:
  std::filesystem::path path_;
  PageData data_;
};

// The page of what was gathered, and one that has nothing yet and asks `socket`, ws://…, for it.
std::string make_page(PageData& data, const record::Summary& summary);
std::string make_live_page(const std::string& socket);

// What the page shows of a summary, as JSON: without the one number that differs from run to run.
std::string summary_for_page(const record::Summary& summary);

}  // namespace carom::io
