// What a claim measures: a small closed language, written as JSON and described in
// docs/reproduce.md. The first key says what kind of quantity it is:
//   {"state": "box", "component": "z", "time": 1.25}
//   {"event": "impact", "between": ["ball", "ground"], "nth": 1, "field": "time"}
//   {"sum": "impact", "between": ["box", "ground"], "nth": "all", "field": "jz"}
//   {"count": "impact", "between": ["ball", "ground"]}
//   {"force": ["box", "ground"], "field": "fz", "time": 0}
//   {"contacts": ["box", "ground"], "field": "fz"}
//   {"acceleration": "box", "component": "az", "time": 0}
//   {"summary": "/audit/max_penetration"}
//   {"ratio": ["/wall_seconds", "/wall_seconds"], "to": {"/method/name": "zeno-free"}}
// A new kind is a struct here, a reader in quantity_reader.cpp and a measurement in measure.cpp or
// measure_forces.cpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/io/object_reader.h"
#include "carom/io/scene_file.h"
#include "carom/model/scene_builder.h"
#include "carom/record/contact_statistics.h"
#include "carom/record/frame_sampler.h"
#include "carom/record/trace.h"

namespace carom::cli {

// Output times.
struct Times {
  std::vector<double> each;  // s; empty: all
  bool at_end = false;       // the last instead
};

// Every body, of each every component, of each every time: the values in this order.
struct StateQuantity {
  std::vector<std::string> bodies, components;
  Times times;
};

// The same of accelerations.
struct AccelerationQuantity {
  std::vector<std::string> bodies, components;
  Times times;
};

// The force that two bodies exert on each other by contact, on the first, added up; or what a joint
// exerts on its first body. At each of the points, where there are some, every time.
struct ForceQuantity {
  std::variant<std::array<std::string, 2>, std::string> by;  // two bodies, or a joint
  std::vector<Vec3> at;  // m; what acts there alone; empty: all contacts
  std::string field;
  Times times;
};

// What two bodies did to each other over the run, on the first; every field in this order.
struct ContactsQuantity {
  std::array<std::string, 2> between;
  std::vector<std::string> fields;
};

// Sum adds up what happened between the same bodies at the same time: an impact of a face is one
// event for each of its contact points.
enum class EventReading { Each, Sum, Count };

struct EventQuantity {
  EventReading reading = EventReading::Each;
  record::EventKind kind = record::EventKind::Impact;
  std::optional<std::array<std::string, 2>> between;  // normal and impulse act on the first
  std::vector<std::size_t> nth;                       // from 1; empty: all
  std::string field;
};

struct SummaryQuantity {
  std::string pointer;
};

// One number of the summary over another, of the same run or of the scene with other overrides.
struct RatioQuantity {
  std::array<std::string, 2> pointers;
  std::optional<std::vector<io::Override>> to;
};

using Quantity = std::variant<StateQuantity, AccelerationQuantity, ForceQuantity, ContactsQuantity,
                              EventQuantity, SummaryQuantity, RatioQuantity>;

// The values by JSON pointer below a key, as carom run --set takes them.
std::vector<io::Override> read_overrides(const io::ObjectReader& reader, std::string_view key);

// Reports what is wrong at its place below `place`.
Quantity read_quantity(const io::JsonValue& value, const std::string& place,
                       model::SceneBuilder& problems);

// Reports names and times that the scene does not have.
void check_quantity(const Quantity& quantity, const Scene& scene, const std::string& place,
                    model::SceneBuilder& problems);

struct Measured {
  std::variant<std::vector<double>, bool> values;
  std::string problem;  // why nothing could be measured; empty: all went well
};

// Accelerations of all bodies at output times of a run, from its motion: those up to that time; at
// t = 0, those from then on. Bodies that collisions alone hold apart fly freely at any time; those
// on a segment that ends at an output time move along it.
class Accelerations : public record::Sink {
 public:
  struct OfBody {
    Vec3 linear, angular;
  };
  struct Sample {
    double t = 0;
    std::vector<OfBody> bodies;
  };

  void begin(const Scene& scene) override { scene_ = &scene; }
  void segment(const record::Segment& segment) override;
  void frame(const record::Frame& frame) override;
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  double next_time() const;
  bool is_due(double end) const;

  const Scene* scene_ = nullptr;
  record::FrameSampler sampler_;
  std::vector<Sample> samples_;
};

// All that claims may ask of a run.
struct Ran {
  record::TraceSink trace;
  Accelerations accelerations;
  record::ContactStatistics contacts;
};

// Not for ratios, which may need two runs.
Measured measure(const Quantity& quantity, const Scene& scene, const Ran& run);
Measured measure_force(const ForceQuantity& quantity, const Scene& scene,
                       const record::Trace& trace);
Measured measure_contacts(const ContactsQuantity& quantity, const Scene& scene,
                          const record::ContactStatistics& statistics);
Measured measure_acceleration(const AccelerationQuantity& quantity, const Scene& scene,
                              const std::vector<Accelerations::Sample>& samples);

// Which of the times at hand, which are in order and hold all that are wanted, are meant.
std::vector<std::size_t> select_times(const Times& wanted, const std::vector<double>& at_hand);

Measured measure_ratio(const RatioQuantity& quantity, const record::Summary& above,
                       const record::Summary& below);

// The vocabulary, for messages and --help.
std::vector<std::string> component_names();
std::vector<std::string> field_names();
std::vector<std::string> acceleration_names();
std::vector<std::string> force_field_names();
std::vector<std::string> contact_field_names();

}  // namespace carom::cli
