// A run to which more is added while it is shown. Its arrays are views of longer ones, so that adding
// costs what is added.
import type { Numbers } from "./columns";
import { lastUpTo, type Run } from "./run";

const kMostBytes = 400e6; // of poses; then every second output is forgotten

type Host = Record<string | number, Numbers>;
type Place = [host: Host, key: string | number, width: number];

function places(of: object, names: string[], width = 1): Place[] {
  return names.flatMap((name): Place[] => {
    const value = (of as Record<string, Numbers | Numbers[]>)[name];
    if (!Array.isArray(value)) return [[of as Host, name, width]];
    return value.map((_, i): Place => [value as unknown as Host, i, width]);
  });
}

const perOutput = (run: Run) => [
  ...places(run, ["times", "kinetic", "potential", "momentum"]),
  ...places(run, ["x", "q", "v", "w"], run.tracks.length),
];
const perEvent = ({ events }: Run) =>
  places(events, ["t", "kind", "a", "b", "point", "normal", "impulse", "approach", "separation"]);
const perForce = ({ forces }: Run) => places(forces, ["a", "b", "joint", "point", "force"]);

function extend([host, key]: Place, [more, name]: Place) {
  const old = host[key];
  const added = more[name];
  const make = old.constructor as { new (of: ArrayBufferLike | number): Numbers };
  let whole = new make(old.buffer);
  if (old.length + added.length > whole.length) {
    whole = new make(Math.max(2 * whole.length, old.length + added.length));
    whole.set(old);
  }
  whole.set(added, old.length);
  host[key] = whole.subarray(0, old.length + added.length);
}

function extendAll(to: Place[], from: Place[]) {
  to.forEach((place, i) => extend(place, from[i]));
}

function cut(all: Place[], rows: number) {
  for (const [host, key, width] of all) host[key] = host[key].subarray(0, rows * width);
}

// Adds what came after it.
export function append(run: Run, more: Run) {
  const before = run.forces.a.length;
  extendAll(perOutput(run), perOutput(more));
  extendAll(perEvent(run), perEvent(more));
  extendAll(perForce(run), perForce(more));
  run.events.count = run.events.t.length;
  run.events.total += more.events.total;
  const { forces } = run;
  forces.first[forces.first.length - 1] = before + more.forces.first[0];
  extend([forces as unknown as Host, "first", 1], [{ first: more.forces.first.slice(1).map((i) => before + i) }, "first", 1]);
  if (52 * run.times.length * run.tracks.length > kMostBytes) thin(run);
}

// Forgets what came after a time.
export function forgetAfter(run: Run, t: number) {
  const outputs = lastUpTo(run.times, t) + 1;
  const events = lastUpTo(run.events.t, t) + 1;
  run.events.total -= run.events.count - events;
  run.events.count = events;
  cut(perOutput(run), outputs);
  cut(perEvent(run), events);
  cut(perForce(run), run.forces.first[outputs]);
  run.forces.first = run.forces.first.subarray(0, outputs + 1);
}

// Every second output goes, with its forces.
function thin(run: Run) {
  const { forces } = run;
  const kept = Math.ceil(run.times.length / 2);
  for (const [host, key, width] of perOutput(run))
    for (let k = 1; k < kept; ++k) host[key].copyWithin(k * width, 2 * k * width, (2 * k + 1) * width);
  const first = new Int32Array(kept + 1);
  for (let k = 0; k < kept; ++k) {
    const [start, end] = [forces.first[2 * k], forces.first[2 * k + 1]];
    for (const [host, key] of perForce(run)) host[key].copyWithin(first[k], start, end);
    first[k + 1] = first[k] + end - start;
  }
  cut(perOutput(run), kept);
  cut(perForce(run), first[kept]);
  forces.first = first;
}
