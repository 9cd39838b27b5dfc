// What the run says of itself: the verdict in the header, the rest in a table.
import { element, fillTable, make, number } from "./format";
import type { Run } from "./run";

export function showSummary(run: Run) {
  const { summary } = run;
  const { audit } = summary;
  document.title = `${run.name} – carom`;
  element("name").textContent = run.name;
  element("method").textContent = summary.impact ? `${summary.method}, ${summary.impact}` : summary.method;
  const verdict = element("verdict");
  verdict.textContent = summary.finished ? `audit ${audit.verdict}` : "stopped early";
  verdict.className = summary.finished ? audit.verdict : "failed";
  verdict.title = [summary.reason, ...audit.failures].filter(Boolean).join("; ");
  const into = element("summary");
  into.replaceChildren();
  for (const failure of [summary.reason, ...audit.failures]) if (failure) into.append(make("p", failure, { class: "failure" }));
  const happened = Object.entries(summary.events).filter(([, count]) => count > 0);
  const rows: [string, string][] = [
    ["simulated", `${number(summary.simulated_seconds)} s in ${summary.steps} steps`],
    ["events", happened.map(([kind, count]) => `${count} ${kind}`).join(", ") || "none"],
    ["finished", summary.finished ? "yes" : "no"],
    ["audit", `${audit.verdict}${audit.coverage === "sampled" ? ", sampled" : ""}`],
  ];
  const units: [string, string, string][] = [
    ["energy_initial", "energy at the start", "J"],
    ["energy_final", "energy at the end", "J"],
    ["energy_dissipated", "dissipated", "J"],
    ["energy_max_gain", "greatest gain", "J"],
    ["max_penetration", "deepest overlap", "m"],
    ["max_joint_error", "joint error", ""],
    ["momentum_error", "momentum error", "N s"],
  ];
  for (const [key, name, unit] of units) if (audit[key] !== null) rows.push([name, `${number(audit[key])} ${unit}`]);
  rows.push(["carom", summary.carom]);
  fillTable(into, rows);
  for (const note of summary.notes) into.append(make("p", `Note: ${note}`));
  if (verdict.className === "failed") element<HTMLDetailsElement>("summary-section").open = true;
}
