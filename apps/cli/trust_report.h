// What a run and its twins say about how long the result means anything.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report_page.h"
#include "trust_runs.h"

namespace carom::cli {

// The first output at which a difference is greater than a size, and how many collisions there had
// been by the output before.
struct Passing {
  double until = 0, t = 0;  // s
  std::size_t collisions = 0;
};

class TrustReport {
 public:
  // Sizes ascend; the one the sentence is about is the first of `headline` or more.
  TrustReport(const Scene& scene, const TrustRuns& runs, std::vector<double> sizes,
              double headline);

  bool is_known() const { return end() > 0; }  // all kinds of twins have run for some time
  std::string sentence() const;
  void print() const;  // the sentence, a table, the bodies
  std::string to_json() const;
  Report page(const std::filesystem::path& run) const;

 private:
  void print_bodies() const;
  nlohmann::ordered_json describe(std::size_t kind) const;
  struct Limit {
    std::size_t kind = 0;
    Passing passing;
  };
  bool has(std::size_t kind) const { return runs_.divergence[kind] != nullptr; }
  std::optional<Passing> passing(std::size_t kind, double size) const;
  std::optional<Limit> first_limit() const;
  std::optional<Passing> passing_of_body(std::size_t track) const;
  std::vector<double> differences(std::size_t kind) const;
  std::optional<double> growth(std::size_t kind) const;  // a collision
  double end() const;                                    // s; of what was compared

  const Scene& scene_;
  const TrustRuns& runs_;
  std::vector<double> sizes_;
  double headline_;
};

}  // namespace carom::cli
