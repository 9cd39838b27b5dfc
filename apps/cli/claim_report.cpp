#include "claim_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace carom::cli {

namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;

// paper, where, claim, expected, measured, tolerance, verdict
constexpr std::size_t kColumns = 7;
constexpr std::size_t kClaimColumn = 2;
constexpr std::size_t kClaimWidth = 50;
using Row = std::array<std::string, kColumns>;

std::string number_text(double number) { return fmt::format("{:.10g}", number); }

std::string relation_text(const Claim& claim) {
  if (claim.compare == Comparison::AtMost) return "at most ";
  return claim.compare == Comparison::AtLeast ? "at least " : "";
}

std::string expected_text(const Claim& claim) {
  if (const bool* flag = std::get_if<bool>(&claim.expected)) return *flag ? "true" : "false";
  if (const double* number = std::get_if<double>(&claim.expected))
    return relation_text(claim) + number_text(*number);
  constexpr std::size_t kFew = 3;
  const auto& list = std::get<Numbers>(claim.expected);
  if (list.size() > kFew) return fmt::format("{} values", list.size());
  std::string text;
  for (const double number : list)
    text += (text.empty() ? "" : ", ") + fmt::format("{:.4g}", number);
  return relation_text(claim) + text;
}

std::string measured_text(const Claim& claim, const Outcome& outcome) {
  if (!outcome.measured.problem.empty()) return outcome.measured.problem;
  if (const bool* flag = std::get_if<bool>(&outcome.measured.values))
    return *flag ? "true" : "false";
  const auto& values = std::get<Numbers>(outcome.measured.values);
  if (std::holds_alternative<double>(claim.expected)) return number_text(values[outcome.worst]);
  return fmt::format("worst off by {:.2g}", outcome.deviation);
}

std::string tolerance_text(const Claim& claim) {
  if (claim.compare == Comparison::Shown) return "not judged";
  if (std::holds_alternative<bool>(claim.expected)) return "";
  if (claim.compare != Comparison::Equal && claim.tolerance + claim.relative_tolerance == 0)
    return "";
  if (claim.relative_tolerance == 0) return fmt::format("{:g}", claim.tolerance);
  if (claim.tolerance == 0) return fmt::format("{:g} relative", claim.relative_tolerance);
  return fmt::format("{:g} + {:g} relative", claim.tolerance, claim.relative_tolerance);
}

const char* verdict_text(Verdict verdict) {
  if (verdict == Verdict::Shown) return "shown";
  return verdict == Verdict::Pass ? "pass" : "FAIL";
}

std::vector<Row> make_rows(const std::vector<Claim>& claims, const std::vector<Outcome>& outcomes) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    rows.push_back({claims[i].paper, claims[i].where, claims[i].statement, expected_text(claims[i]),
                    measured_text(claims[i], outcomes[i]), tolerance_text(claims[i]),
                    verdict_text(outcomes[i].verdict)});
  }
  return rows;
}

std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

std::string padded(const Row& row, const std::array<std::size_t, kColumns>& widths) {
  std::string line;
  for (std::size_t c = 0; c < kColumns; ++c) {
    if (widths[c] > 0) line += fmt::format("{:<{}}  ", row[c], widths[c]);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

// Columns with nothing in them are left out; long claims go on below.
void print_table(const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < kColumns; ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  widths[kClaimColumn] = std::min(widths[kClaimColumn], kClaimWidth);
  for (const Row& row : rows) {
    const std::vector<std::string> lines = wrap(row[kClaimColumn], kClaimWidth);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      Row part = i == 0 ? row : Row{};
      part[kClaimColumn] = lines[i];
      fmt::print("{}\n", padded(part, widths));
    }
  }
}

Json json_number(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json json_numbers(const Numbers& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(json_number(number));
  return list;
}

Json json_expected(const Claim& claim) {
  if (const bool* flag = std::get_if<bool>(&claim.expected)) return *flag;
  if (const double* number = std::get_if<double>(&claim.expected)) return *number;
  return json_numbers(std::get<Numbers>(claim.expected));
}

// Where one number is expected of many values, the worst of them.
Json json_measured(const Claim& claim, const Outcome& outcome) {
  if (!outcome.measured.problem.empty()) return nullptr;
  if (const bool* flag = std::get_if<bool>(&outcome.measured.values)) return *flag;
  const auto& values = std::get<Numbers>(outcome.measured.values);
  if (std::holds_alternative<double>(claim.expected)) return json_number(values[outcome.worst]);
  return json_numbers(values);
}

// As an absolute one: a list where it depends on the value.
Json json_tolerance(const Claim& claim) {
  const auto absolute = [&](double x) {
    return claim.tolerance + claim.relative_tolerance * std::abs(x);
  };
  const auto* list = std::get_if<Numbers>(&claim.expected);
  if (const double* number = std::get_if<double>(&claim.expected)) return absolute(*number);
  if (list == nullptr || claim.relative_tolerance == 0) return claim.tolerance;
  Numbers tolerances;
  for (const double number : *list) tolerances.push_back(absolute(number));
  return tolerances;
}

Json json_verdict(Verdict verdict) {
  return verdict == Verdict::Shown ? Json(nullptr) : Json(verdict == Verdict::Pass);
}

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '"') {
      html += "&quot;";
    } else {
      html += c;
    }
  }
  return html;
}

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --line: #8884; --good: #2e7d4f; --bad: #c0392b; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 80rem; margin: 2.5rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; position: sticky; top: 0; background: Canvas; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
small { opacity: .65; }
.pass { color: var(--good); } .FAIL { color: var(--bad); font-weight: 700; }
)";

std::string html_row(const Claim& claim, const Row& row) {
  std::string html = "<tr>";
  for (std::size_t c = 0; c + 1 < kColumns; ++c) {
    const std::string note =
        c == kClaimColumn
            ? "<br><small>" + escaped(claim.scene + "; expected: " + claim.source) + "</small>"
            : "";
    html += fmt::format("<td{}>{}{}</td>", c > kClaimColumn ? " class=\"number\"" : "",
                        escaped(row[c]), note);
  }
  return html + fmt::format("<td class=\"{0}\">{0}</td></tr>\n", row.back());
}

}  // namespace

void print_claims(const std::vector<Claim>& claims) {
  std::vector<Row> rows{{"PAPER", "WHERE", "CLAIM", "EXPECTED", "", "TOLERANCE", "SCENE"}};
  for (const Claim& claim : claims) {
    rows.push_back({claim.paper, claim.where, claim.statement, expected_text(claim), "",
                    tolerance_text(claim), claim.scene});
  }
  print_table(rows);
  fmt::print("{} claims\n", claims.size());
}

void print_outcomes(const std::vector<Claim>& claims, const std::vector<Outcome>& outcomes) {
  std::vector<Row> rows{{"PAPER", "WHERE", "CLAIM", "EXPECTED", "MEASURED", "TOLERANCE", ""}};
  std::ranges::copy(make_rows(claims, outcomes), std::back_inserter(rows));
  print_table(rows);
  fmt::print("{}\n", count_line(outcomes));
}

std::string outcomes_to_json(const std::vector<Claim>& claims,
                             const std::vector<Outcome>& outcomes) {
  Json list = Json::array();
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    list.push_back({{"paper", claims[i].paper},
                    {"claim", claims[i].statement},
                    {"expected", json_expected(claims[i])},
                    {"measured", json_measured(claims[i], outcomes[i])},
                    {"tolerance", json_tolerance(claims[i])},
                    {"pass", json_verdict(outcomes[i].verdict)},
                    {"scene", claims[i].scene}});
  }
  return list.dump(2) + '\n';
}

std::string outcomes_to_html(const std::vector<Claim>& claims,
                             const std::vector<Outcome>& outcomes) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>carom: the papers' "
      "claims</title>\n"
      "<style>{}</style></head>\n<body>\n<h1>What the papers say, and what carom {} "
      "measured</h1>\n<p>{}</p>\n<table>\n"
      "<tr><th>Paper</th><th>Where</th><th>Claim</th><th>Expected</th><th>Measured</th>"
      "<th>Tolerance</th><th></th></tr>\n",
      kStyle, CAROM_VERSION, count_line(outcomes));
  const std::vector<Row> rows = make_rows(claims, outcomes);
  for (std::size_t i = 0; i < rows.size(); ++i) html += html_row(claims[i], rows[i]);
  return html + "</table>\n</body></html>\n";
}

std::string count_line(const std::vector<Outcome>& outcomes) {
  const auto count = [&](Verdict verdict) {
    return std::ranges::count(outcomes, verdict, &Outcome::verdict);
  };
  const auto shown = count(Verdict::Shown);
  return fmt::format("{} passed, {} failed", count(Verdict::Pass), count(Verdict::Fail)) +
         (shown > 0 ? fmt::format(", {} shown", shown) : "");
}

}  // namespace carom::cli
