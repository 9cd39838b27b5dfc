#include "trust_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "run_differences.h"
#include "table.h"

namespace carom::cli {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::array<const char*, kTwinNames.size()> kDecides = {
    "round-off decides: it is chance", "the uncertain inputs decide",
    "the step or the tolerance decides: refine it"};
constexpr std::size_t kMostBodies = 10;

std::string ordinal(std::size_t n) {
  const bool is_teen = n % 100 >= 11 && n % 100 <= 13;
  const char* ending = is_teen       ? "th"
                       : n % 10 == 1 ? "st"
                       : n % 10 == 2 ? "nd"
                       : n % 10 == 3 ? "rd"
                                     : "th";
  return fmt::format("{}{}", n, ending);
}

// The first output at which of(output) exceeds the size.
template <typename Of>
std::optional<Passing> find_passing(const BaseRun& base, std::size_t outputs, double size,
                                    const Of& of) {
  for (std::size_t k = 0; k < outputs; ++k) {
    if (!(of(k) > size)) continue;
    const double until = base.time(k > 0 ? k - 1 : 0);
    return Passing{until, base.time(k), base.collisions(until)};
  }
  return {};
}

}  // namespace

TrustReport::TrustReport(const Scene& scene, const TrustRuns& runs, std::vector<double> sizes,
                         double headline)
    : scene_(scene), runs_(runs), sizes_(std::move(sizes)), headline_(headline) {}

std::optional<Passing> TrustReport::passing(std::size_t kind, double size) const {
  const Divergence& divergence = *runs_.divergence[kind];
  return find_passing(runs_.base, divergence.outputs(), size,
                      [&](std::size_t k) { return divergence.greatest(k); });
}

std::optional<Passing> TrustReport::passing_of_body(std::size_t track) const {
  std::optional<Passing> first;
  for (std::size_t kind = 0; kind < kTwinNames.size(); ++kind) {
    if (!has(kind)) continue;
    const Divergence& divergence = *runs_.divergence[kind];
    const auto found = find_passing(runs_.base, divergence.outputs(), headline_,
                                    [&](std::size_t k) { return divergence.of_body(k, track); });
    if (found && (!first || found->t < first->t)) first = found;
  }
  return first;
}

std::optional<TrustReport::Limit> TrustReport::first_limit() const {
  std::optional<Limit> first;
  for (std::size_t kind = 0; kind < kTwinNames.size(); ++kind) {
    if (!has(kind)) continue;
    const auto found = passing(kind, headline_);
    if (found && (!first || found->t < first->passing.t)) first = Limit{kind, *found};
  }
  return first;
}

std::vector<double> TrustReport::differences(std::size_t kind) const {
  const Divergence& divergence = *runs_.divergence[kind];
  std::vector<double> all;
  for (std::size_t k = 0; k < divergence.outputs(); ++k) all.push_back(divergence.greatest(k));
  return all;
}

// From the first difference there is up to the one at which the size is passed, or the greatest.
std::optional<double> TrustReport::growth(std::size_t kind) const {
  const std::vector<double> all = differences(kind);
  const auto first = std::ranges::find_if(all, [](double d) { return d > 0; });
  auto last = std::find_if(first, all.end(), [&](double d) { return d > headline_; });
  if (last == all.end()) last = std::max_element(first, all.end());
  const auto time = [&](auto at) {
    return runs_.base.time(static_cast<std::size_t>(at - all.begin()));
  };
  if (first == all.end() || !(*last > *first)) return {};
  const std::size_t collisions =
      runs_.base.collisions(time(last)) - runs_.base.collisions(time(first));
  if (collisions == 0) return {};
  return std::pow(*last / *first, 1.0 / static_cast<double>(collisions));
}

double TrustReport::end() const {
  std::size_t outputs = runs_.base.outputs();
  for (std::size_t kind = 0; kind < kTwinNames.size(); ++kind)
    if (has(kind)) outputs = std::min(outputs, runs_.divergence[kind]->outputs());
  return outputs == 0 ? 0 : runs_.base.time(outputs - 1);
}

std::string TrustReport::sentence() const {
  const auto limit = first_limit();
  if (!limit && !is_known()) return "nothing is known: twins have not run";
  if (!limit) {
    double greatest = 0;
    for (std::size_t kind = 0; kind < kTwinNames.size(); ++kind)
      for (const double d : has(kind) ? differences(kind) : std::vector<double>{})
        greatest = std::max(greatest, d);
    return fmt::format("predictable to {} for all of {:g} s: twins are {} apart at most",
                       length_text(headline_), end(), length_text(greatest));
  }
  const auto& [until, t, collisions] = limit->passing;
  const std::string when =
      collisions > 0 ? fmt::format("after the {} collision", ordinal(collisions)) : "after that";
  return fmt::format("predictable to {} until {:.6g} s; {} {}", length_text(headline_), until, when,
                     kDecides[limit->kind]);
}

void TrustReport::print() const {
  fmt::print("{}, {}, {:g} s\n\n  {}.\n\n", scene_.name, scene_.method.name,
             runs_.summary.simulated_seconds, sentence());
  std::vector<std::vector<std::string>> rows = {
      {"off by", "twins", "at first", "at the end", "a collision"}};
  for (const double size : sizes_) rows[0].push_back("> " + length_text(size));
  for (std::size_t kind = 0; kind < kTwinNames.size(); ++kind) {
    if (!has(kind)) continue;
    const std::vector<double> all = differences(kind);
    const auto factor = growth(kind);
    const Twins& twins = runs_.twins[kind];
    rows.push_back({kTwinNames[kind], fmt::format("{} of {}", twins.finished, twins.asked),
                    all.empty() ? "-" : fmt::format("{:.2g} m", all.front()),
                    all.empty() ? "-" : fmt::format("{:.2g} m", all.back()),
                    factor ? fmt::format("x {:.3g}", *factor) : "-"});
    for (const double size : sizes_) {
      const auto found = passing(kind, size);
      rows.back().push_back(found ? fmt::format("{:.5g} s", found->t) : "never");
    }
  }
  print_table(rows);
  print_bodies();
  for (std::size_t kind = 0; kind < kTwinNames.size(); ++kind)
    if (!runs_.twins[kind].problem.empty())
      fmt::print("  {}: a twin stopped: {}\n", kTwinNames[kind], runs_.twins[kind].problem);
  if (!runs_.summary.finished)
    fmt::print("  The run itself stopped {}\n", runs_.summary.reason.value_or("early"));
  fmt::print("  audit {}\n", runs_.summary.audit.verdict());
}

// Those that can be trusted the shortest, first.
void TrustReport::print_bodies() const {
  struct Until {
    double t;
    BodyId body;
  };
  std::vector<Until> lost;
  for (std::size_t track = 0; track < runs_.base.bodies().size(); ++track)
    if (const auto found = passing_of_body(track))
      lost.push_back({found->until, runs_.base.bodies()[track]});
  std::ranges::stable_sort(lost, {}, &Until::t);
  if (lost.empty()) return;
  fmt::print("\n  To {}, of the {} that move:\n", length_text(headline_),
             runs_.base.bodies().size());
  for (std::size_t i = 0; i < std::min(lost.size(), kMostBodies); ++i)
    fmt::print("    {} until {:.6g} s\n", scene_.body(lost[i].body).name, lost[i].t);
  if (lost.size() > kMostBodies)
    fmt::print("    and {} more, to the end or until {:.6g} s at the latest\n",
               runs_.base.bodies().size() - kMostBodies, lost.back().t);
  fmt::print("\n");
}

Json TrustReport::describe(std::size_t kind) const {
  Json passes = Json::array(), times = Json::array();
  for (const double size : sizes_) {
    const auto found = passing(kind, size);
    passes.push_back({{"size", size},
                      {"until", found ? Json(found->until) : Json(nullptr)},
                      {"t", found ? Json(found->t) : Json(nullptr)},
                      {"collisions", found ? Json(found->collisions) : Json(nullptr)}});
  }
  const std::vector<double> all = differences(kind);
  for (std::size_t k = 0; k < all.size(); ++k) times.push_back(runs_.base.time(k));
  const Twins& twins = runs_.twins[kind];
  const auto factor = growth(kind);
  return {{"kind", kTwinNames[kind]},
          {"twins", twins.asked},
          {"finished", twins.finished},
          {"problem", twins.problem.empty() ? Json(nullptr) : Json(twins.problem)},
          {"growth_per_collision", factor ? Json(*factor) : Json(nullptr)},
          {"passes", passes},
          {"t", times},
          {"difference", all}};
}

std::string TrustReport::to_json() const {
  Json kinds = Json::array(), bodies = Json::array();
  for (std::size_t kind = 0; kind < kTwinNames.size(); ++kind)
    if (has(kind)) kinds.push_back(describe(kind));
  for (std::size_t track = 0; track < runs_.base.bodies().size(); ++track) {
    const auto found = passing_of_body(track);
    bodies.push_back({{"body", scene_.body(runs_.base.bodies()[track]).name},
                      {"until", found ? Json(found->until) : Json(nullptr)}});
  }
  const auto limit = first_limit();
  const Json json = {{"scene", scene_.name},
                     {"method", scene_.method.name},
                     {"simulated_seconds", runs_.summary.simulated_seconds},
                     {"finished", runs_.summary.finished},
                     {"audit", runs_.summary.audit.verdict()},
                     {"sentence", sentence()},
                     {"size", headline_},
                     {"until", limit ? Json(limit->passing.until) : Json(nullptr)},
                     {"collisions", limit ? Json(limit->passing.collisions) : Json(nullptr)},
                     {"limited_by", limit ? Json(kTwinNames[limit->kind]) : Json(nullptr)},
                     {"kinds", kinds},
                     {"bodies", bodies}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Report TrustReport::page(const std::filesystem::path& run) const {
  Report report;
  report.runs.push_back(
      {.page = run, .label = scene_.method.name, .rows = {{"trust", sentence()}}});
  for (std::size_t kind = 0; kind < kTwinNames.size(); ++kind) {
    if (!has(kind)) continue;
    ReportCurve curve{.name = kTwinNames[kind], .times = {}, .values = differences(kind)};
    for (std::size_t k = 0; k < curve.values.size(); ++k) curve.times.push_back(runs_.base.time(k));
    report.differences.push_back(std::move(curve));
    for (const double size : sizes_)
      if (const auto found = passing(kind, size))
        report.marks.push_back({found->t, fmt::format("{}: off by more than {}", kTwinNames[kind],
                                                      length_text(size))});
  }
  return report;
}

}  // namespace carom::cli
