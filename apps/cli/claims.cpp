#include "claims.h"

#include <algorithm>

#include "carom/io/file_bytes.h"
#include "carom/io/object_reader.h"
#include "carom/methods/registry.h"
#include "carom/model/problems.h"
#include "carom/simulation/simulation.h"

namespace carom::cli {

namespace {

namespace fs = std::filesystem;
using base::BadInput;
using base::Diagnostic;
using io::JsonValue;
using io::ObjectReader;

const io::ObjectFormat& claim_format() {
  static const io::ObjectFormat format{
      "claim",
      {"paper", "where", "claim", "scene", "quantity", "expected", "source"},
      {"overrides", "compare", "tolerance", "relative_tolerance"}};
  return format;
}

std::vector<std::string> json_files(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

// Scenes that one paper alone needs stand beside its claims.
fs::path find_scene(const Claim& claim, const fs::path& scenes) {
  fs::path beside = fs::path(claim.place.file).replace_filename(claim.scene);
  return fs::is_regular_file(beside) ? beside : scenes / claim.scene;
}

void read_scene_name(const ObjectReader& reader, const fs::path& scenes, Claim& claim) {
  if (!reader.read("scene", claim.scene) || fs::is_regular_file(find_scene(claim, scenes))) return;
  reader.fail("scene", model::quoted(claim.scene), "a file in " + scenes.string(),
              base::find_nearest_name(claim.scene, json_files(scenes)));
}

void read_expected(const ObjectReader& reader, Claim& claim) {
  const JsonValue* value = reader.find("expected");
  if (value == nullptr) return;
  const auto* list = value->as<JsonValue::Array>();
  if (const bool* flag = value->as<bool>()) {
    claim.expected = *flag;
  } else if (const double* number = value->as<double>()) {
    claim.expected = *number;
  } else if (list != nullptr && !list->empty()) {
    std::vector<double> numbers;
    reader.read_numbers("expected", numbers, list->size());
    claim.expected = numbers;
  } else {
    reader.fail("expected", describe(*value), "a number, a list of numbers, true or false");
  }
}

void read_comparison(const ObjectReader& reader, Claim& claim) {
  static const std::vector<std::string> kNames = {"equal", "at most", "at least", "shown"};
  if (reader.find("compare") == nullptr) return;
  if (const auto choice = reader.read_choice("compare", kNames))
    claim.compare = static_cast<Comparison>(*choice);
}

void read_tolerances(const ObjectReader& reader, Claim& claim) {
  const bool exact = std::holds_alternative<bool>(claim.expected);
  if (!exact && claim.compare == Comparison::Equal) reader.require("tolerance");
  reader.read("tolerance", claim.tolerance);
  reader.read("relative_tolerance", claim.relative_tolerance);
  model::Problems checks(reader.builder(), reader.place());
  checks.check("tolerance", claim.tolerance, model::kNotNegative);
  checks.check("relative_tolerance", claim.relative_tolerance, model::kNotNegative);
}

Claim read_claim(const JsonValue& value, const ClaimPlace& place, const fs::path& scenes,
                 model::SceneBuilder& problems) {
  Claim claim;
  claim.place = place;
  const ObjectReader reader(value, place.pointer, claim_format(), problems);
  reader.read("paper", claim.paper);
  reader.read("where", claim.where);
  reader.read("claim", claim.statement);
  reader.read("source", claim.source);
  read_scene_name(reader, scenes, claim);
  claim.overrides = read_overrides(reader, "overrides");
  if (const JsonValue* quantity = reader.find("quantity")) {
    claim.quantity = read_quantity(*quantity, reader.at("quantity"), problems);
  }
  read_expected(reader, claim);
  read_comparison(reader, claim);
  read_tolerances(reader, claim);
  return claim;
}

std::vector<Diagnostic> collect(model::SceneBuilder& problems) {
  if (problems.ok()) return {};
  try {
    static_cast<void>(problems.build());
  } catch (const BadInput& bad) {
    return bad.diagnostics();
  }
  return {};
}

[[noreturn]] void rethrow_for(const std::string& file, std::vector<Diagnostic> problems) {
  for (Diagnostic& problem : problems) {
    if (problem.file.empty()) problem.file = file;
  }
  throw BadInput(std::move(problems));
}

JsonValue parse_file(const fs::path& file) {
  const io::FileBytes bytes = io::read_bytes(file);
  if (!bytes.problem.empty())
    rethrow_for(file.string(), {{.found = bytes.problem, .expected = "a list of claims"}});
  try {
    return io::parse_json(bytes.bytes);
  } catch (const BadInput& bad) {
    rethrow_for(file.string(), bad.diagnostics());
  }
}

// A wrong override is a mistake of the claim, not of the scene: its pointer stands there as a key.
void blame_claim(const Claim& claim, const std::string& key, std::vector<Diagnostic>& problems) {
  for (Diagnostic& problem : problems) {
    if (!problem.file.ends_with(" (--set)")) continue;
    problem.place = io::pointer_to(claim.place.pointer + key, problem.place);
    problem.file = claim.place.file;
    problem.line = claim.place.line;
  }
}

io::LoadedScene load(const fs::path& scenes, const Claim& claim,
                     const std::vector<io::Override>& overrides, const std::string& key) {
  try {
    return io::load_scene(find_scene(claim, scenes), overrides, simulation::catalog());
  } catch (const BadInput& bad) {
    std::vector<Diagnostic> problems = bad.diagnostics();
    blame_claim(claim, key, problems);
    throw BadInput(std::move(problems));
  }
}

void check_against(const Claim& claim, const Scene& scene) {
  model::SceneBuilder builder;
  check_quantity(claim.quantity, scene, io::pointer_to(claim.place.pointer, "quantity"), builder);
  std::vector<Diagnostic> problems = collect(builder);
  for (Diagnostic& problem : problems) problem.line = claim.place.line;
  if (!problems.empty()) rethrow_for(claim.place.file, std::move(problems));
}

// The number of the experiment that simulates the claim's scene with these overrides.
std::size_t demand(std::vector<Experiment>& plan, const fs::path& scenes, const Claim& claim,
                   const std::vector<io::Override>& overrides, const std::string& key) {
  auto loaded = std::make_unique<const io::LoadedScene>(load(scenes, claim, overrides, key));
  check_against(claim, loaded->scene);
  const auto same = std::ranges::find_if(plan, [&](const Experiment& experiment) {
    return experiment.scene == claim.scene && experiment.loaded->json == loaded->json;
  });
  const auto number = static_cast<std::size_t>(same - plan.begin());
  if (same == plan.end()) plan.push_back({claim.scene, std::move(loaded), {}});
  return number;
}

void assign(Plan& plan, const fs::path& scenes, const Claim& claim, std::size_t number) {
  const std::size_t run = demand(plan.experiments, scenes, claim, claim.overrides, "/overrides");
  if (const auto* ratio = std::get_if<RatioQuantity>(&claim.quantity)) {
    const std::size_t below =
        ratio->to ? demand(plan.experiments, scenes, claim, *ratio->to, "/quantity/to") : run;
    plan.ratios.push_back({number, run, below});
  } else {
    plan.experiments[run].claims.push_back(number);
  }
}

}  // namespace

std::vector<std::string> paper_names(const fs::path& root) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / "papers", none)) {
    if (fs::exists(entry.path() / "claims.json")) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<Claim> read_claims(const fs::path& root, const std::string& name) {
  const fs::path file = root / "papers" / name / "claims.json";
  const JsonValue document = parse_file(file);
  const auto* list = document.as<JsonValue::Array>();
  if (list == nullptr)
    rethrow_for(file.string(), {{.found = describe(document), .expected = "a list of claims"}});
  model::SceneBuilder builder;
  std::vector<Claim> claims;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const ClaimPlace place{file.string(), io::pointer_to("", i), (*list)[i].line};
    claims.push_back(read_claim((*list)[i], place, root / "scenes", builder));
  }
  std::vector<Diagnostic> problems = collect(builder);
  for (Diagnostic& problem : problems) problem.line = find_line(document, problem.place);
  if (!problems.empty()) rethrow_for(file.string(), std::move(problems));
  return claims;
}

Plan plan_experiments(const fs::path& root, const std::vector<Claim>& claims) {
  Plan plan;
  std::vector<Diagnostic> problems;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    try {
      assign(plan, root / "scenes", claims[i], i);
    } catch (const BadInput& bad) {
      problems.insert(problems.end(), bad.diagnostics().begin(), bad.diagnostics().end());
    }
  }
  if (!problems.empty()) throw BadInput(std::move(problems));
  return plan;
}

}  // namespace carom::cli
