// The run that is in the page itself.
import { Columns, Damaged } from "./columns";
import { splitPage } from "./report";
import type { Events, Forces, Run, Source } from "./run";

const kFormat = 1;

function byAxis(columns: Columns, name: string): Float32Array[] {
  return [0, 1, 2].map((axis) => columns.get(name + axis) as Float32Array);
}

function readEvents(columns: Columns): Events {
  const ints = (name: string) => columns.get(name) as Int32Array;
  const t = columns.get("event t") as Float64Array;
  return {
    count: t.length,
    total: columns.header.events,
    t,
    kind: ints("event kind"),
    a: ints("event a"),
    b: ints("event b"),
    point: byAxis(columns, "event point"),
    normal: byAxis(columns, "event normal"),
    impulse: byAxis(columns, "event impulse"),
    approach: columns.get("event approach") as Float32Array,
    separation: columns.get("event separation") as Float32Array,
  };
}

function readForces(columns: Columns, outputs: number): Forces {
  const ints = (name: string) => columns.get(name) as Int32Array;
  const output = ints("force output");
  const first = new Int32Array(outputs + 1);
  for (const k of output) ++first[k + 1];
  for (let k = 0; k < outputs; ++k) first[k + 1] += first[k];
  const point = [0, 1, 2].map((axis) =>
    columns.series("force point" + axis, output.length, columns.header.quanta.x, 0),
  );
  return {
    every: columns.header.forces_every,
    first,
    a: ints("force a"),
    b: ints("force b"),
    joint: ints("force joint"),
    point,
    force: byAxis(columns, "force force"),
  };
}

function readRun(columns: Columns): Run {
  const { format, scene, summary, tracks, quanta } = columns.header;
  if (format !== kFormat) throw new Damaged(`the recording has format ${format}, this page reads ${kFormat}`);
  const times = columns.get("t") as Float64Array;
  if (times.length === 0) throw new Damaged("the recording in this page has no outputs");
  const series = (name: keyof typeof quanta & string, order: number, width = 3) =>
    Array.from({ length: width }, (_, i) => columns.series(name + i, times.length, quanta[name], order));
  const trackOf = new Int32Array(scene.bodies.length).fill(-1);
  tracks.forEach((body: number, track: number) => (trackOf[body] = track));
  return {
    name: scene.name,
    gravity: scene.gravity,
    bodies: scene.bodies,
    joints: scene.joints,
    corners: (name) => columns.get(name) as Float32Array,
    summary,
    times,
    kinetic: columns.get("kinetic") as Float64Array,
    potential: columns.get("potential") as Float64Array,
    tracks: Int32Array.from(tracks),
    trackOf,
    x: series("x", 2),
    q: series("q", 2, 4),
    v: series("v", 1),
    w: series("w", 1),
    events: readEvents(columns),
    forces: readForces(columns, times.length),
  };
}

export class EmbeddedSource implements Source {
  async open(): Promise<Run> {
    const text = document.getElementById("recording")?.textContent ?? "";
    if (!text.trim()) throw new Damaged("this page has no recording in it");
    const [report, packed] = splitPage(text);
    const [run, ...others] = (await Promise.all(packed.map((each) => Columns.unpack(each)))).map((columns) => readRun(columns));
    return report ? { ...run, others, report } : run;
  }
}
