#include "recording_page.h"

#include "carom/io/page.h"
#include "carom/record/replay.h"
#include "carom/simulation/recorded.h"

namespace carom::cli {

std::string make_recording_page(const io::LoadedScene& loaded, const record::Trace& trace) {
  io::PageData data;
  data.begin(loaded.scene);
  record::replay(trace, data);
  record::Summary summary = simulation::summarise_recording(loaded.scene, trace);
  summary.notes = {"The verdict is on what the recording tells: states at outputs, and events."};
  return io::make_page(data, summary);
}

}  // namespace carom::cli
