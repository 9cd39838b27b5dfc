// What a claim measures: a small closed language, written as JSON and described in
// docs/reproduce.md. The first key says what kind of quantity it is:
//   {"state": "box", "component": "z", "time": 1.25}
//   {"event": "impact", "between": ["ball", "ground"], "nth": 1, "field": "time"}
//   {"sum": "impact", "between": ["box", "ground"], "nth": "all", "field": "jz"}
//   {"count": "impact", "between": ["ball", "ground"]}
//   {"summary": "/audit/max_penetration"}
//   {"ratio": ["/wall_seconds", "/wall_seconds"], "to": {"/method/name": "zeno-free"}}
// A new kind is a struct here, a reader in quantity_reader.cpp and a measurement in measure.cpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/io/object_reader.h"
#include "carom/io/scene_file.h"
#include "carom/model/scene_builder.h"
#include "carom/record/trace.h"

namespace carom::cli {

// Every body, of each every component, of each every time: the values in this order.
struct StateQuantity {
  std::vector<std::string> bodies, components;
  std::vector<double> times;  // s; empty: all output times
  bool at_end = false;        // the last output instead
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

using Quantity = std::variant<StateQuantity, EventQuantity, SummaryQuantity, RatioQuantity>;

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

// Not for ratios, which may need two runs.
Measured measure(const Quantity& quantity, const Scene& scene, const record::TraceSink& run);

Measured measure_ratio(const RatioQuantity& quantity, const record::Summary& above,
                       const record::Summary& below);

// The vocabulary, for messages and --help.
std::vector<std::string> component_names();
std::vector<std::string> field_names();

}  // namespace carom::cli
