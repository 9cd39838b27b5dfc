// A page that compares: its runs, which of them are shown, what there is to say of each, their energies and
// differences, and the moments at which they part.
import { CurvePlot } from "./curves";
import { element, fillTable, make, number } from "./format";
import { Overlay } from "./overlay";
import type { Player } from "./player";
import { runColor, type Report } from "./report";
import type { Run } from "./run";
import type { Scene3D } from "./scene3d";
import type { Curve } from "./time_canvas";

function listRuns(report: Report, onShow: (number: number, shown: boolean) => void) {
  const list = element("runs");
  report.runs.forEach(({ label, rows }, i) => {
    const name = make("label", "", { class: "run", style: `--of: var(${runColor(i)})` });
    if (i > 0) {
      const box = make("input", "", { type: "checkbox", checked: "", id: `run-${i}` });
      box.addEventListener("change", () => onShow(i, box.checked));
      name.append(box);
    }
    name.append(make("span", label));
    list.append(name);
    fillTable(list, rows);
  });
}

function listMarks(report: Report, player: Player) {
  report.marks.forEach(({ t, text }, i) => {
    const jump = make("button", `${number(t)} s: ${text}`, { class: "mark", id: `mark-${i}` });
    jump.addEventListener("click", () => player.seek(t));
    element("runs").append(jump);
  });
}

// In the picture; of each run a function that shows or hides it.
function overlay(others: Run[], player: Player, scene: Scene3D): ((shown: boolean) => void)[] {
  const overlays = others.map((other, i) => new Overlay(other, i + 1));
  for (const each of overlays) scene.add(each.group);
  player.onChange(() => overlays.forEach((each) => each.moveTo(player.time)));
  return overlays.map((each) => (shown) => {
    each.group.visible = shown;
    player.seek(player.time, player.event);
  });
}

function plotEnergies(runs: Run[], report: Report, player: Player) {
  element("energies-section").hidden = false;
  const curves: Curve[] = runs.map(({ times, kinetic, potential }, i) => ({
    name: report.runs[i].label,
    colorName: runColor(i),
    times,
    values: kinetic.map((value, k) => value + potential[k]),
  }));
  const look = { id: "energies", title: "Total energy", unit: "J", isLogarithmic: false };
  return new CurvePlot(curves, player, look, report.marks);
}

function plotDifferences(report: Report, player: Player) {
  element("difference-section").hidden = false;
  const numberOf = (name: string, i: number) => {
    const known = report.runs.findIndex(({ label }) => label === name);
    return known >= 0 ? known : i + 1;
  };
  const curves = report.differences.map((curve, i) => ({ ...curve, colorName: runColor(numberOf(curve.name, i)) }));
  const look = { id: "difference", title: "Difference", unit: "m", isLogarithmic: true };
  return new CurvePlot(curves, player, look, report.marks);
}

export function showReport(run: Run, player: Player, scene: Scene3D | null) {
  const { report, others = [] } = run;
  if (!report) return;
  element("runs-section").hidden = false;
  const show = scene ? overlay(others, player, scene) : [];
  listRuns(report, (number, shown) => show[number - 1]?.(shown));
  listMarks(report, player);
  if (others.length > 0) plotEnergies([run, ...others], report, player);
  if (report.differences.length > 0) plotDifferences(report, player);
}
