// What the plot can show of a run over time.
import type { Curve } from "./time_canvas";
import { forcesAt, length3, type Run } from "./run";

export interface Quantity {
  name: string;
  unit: string;
  curves(run: Run, body: number): Curve[];
}

const kAxes = [
  ["x", "--kinetic"],
  ["y", "--good"],
  ["z", "--potential"],
] as const;

function byAxis(run: Run, values: Float64Array[]): Curve[] {
  return kAxes.map(([name, colorName], axis) => ({ name, colorName, width: 1.5, times: run.times, values: values[axis] }));
}

// Of all contacts, or of those of a body, at every output.
function sumOfForces(run: Run, body: number): Float64Array {
  const { forces } = run;
  return run.times.map((_, k) => {
    const [first, end] = forcesAt(run, k);
    let sum = 0;
    for (let i = first; i < end; ++i)
      if (forces.joint[i] < 0 && (body < 0 || forces.a[i] === body || forces.b[i] === body)) sum += length3(forces.force, i);
    return sum;
  });
}

function speeds(run: Run, of: Float32Array[], body: number): Float64Array {
  const [track, width] = [run.trackOf[body], run.tracks.length];
  return run.times.map((_, k) => (track < 0 ? 0 : length3(of, k * width + track)));
}

function heights(run: Run, body: number): Float64Array {
  const [track, width] = [run.trackOf[body], run.tracks.length];
  const g = Math.hypot(...run.gravity);
  const up = g > 0 ? run.gravity.map((each) => -each / g) : [0, 0, 1];
  const at = (k: number, axis: number) => (track < 0 ? run.bodies[body].position[axis] : run.x[axis][k * width + track]);
  return run.times.map((_, k) => up[0] * at(k, 0) + up[1] * at(k, 1) + up[2] * at(k, 2));
}

// One curve of a selected body; without one there is nothing to see.
const ofBody = (name: string, unit: string, of: (run: Run, body: number) => Float64Array): Quantity => ({
  name: `${name} of the body`,
  unit,
  curves: (run, body) =>
    body < 0 ? [] : [{ name: name.toLowerCase(), colorName: "--accent", width: 2, times: run.times, values: of(run, body) }],
});

export const kQuantities: Quantity[] = [
  {
    name: "Energy",
    unit: "J",
    curves: (run) => [
      { name: "kinetic", colorName: "--kinetic", width: 1.5, times: run.times, values: run.kinetic },
      { name: "potential", colorName: "--potential", width: 1.5, times: run.times, values: run.potential },
      { name: "total", colorName: "--total", width: 2, times: run.times, values: run.kinetic.map((e, i) => e + run.potential[i]) },
    ],
  },
  { name: "Momentum", unit: "N s", curves: (run) => byAxis(run, run.momentum) },
  { name: "Angular momentum", unit: "N m s", curves: (run) => byAxis(run, run.momentum.slice(3)) },
  {
    name: "Contact force",
    unit: "N",
    curves: (run, body) => [
      { name: body < 0 ? "all contacts" : run.bodies[body].name, colorName: "--accent", width: 2, times: run.times, values: sumOfForces(run, body) },
    ],
  },
  ofBody("Speed", "m/s", (run, body) => speeds(run, run.v, body)),
  ofBody("Rate of turning", "rad/s", (run, body) => speeds(run, run.w, body)),
  ofBody("Height", "m", heights),
];
