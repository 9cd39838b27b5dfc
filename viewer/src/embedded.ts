// The run that is in the page itself.
import { Columns, Damaged } from "./columns";
import { splitPage } from "./report";
import type { Events, Forces, Run, Source, Summary } from "./run";

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

// Those of output -1, which a part of a run may have, stand before the first's.
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

// From rows of one track each to rows of one output each.
function byOutput(values: Float32Array, tracks: number): Float32Array {
  const outputs = tracks > 0 ? values.length / tracks : 0;
  const turned = new Float32Array(values.length);
  for (let track = 0, i = 0; track < tracks; ++track)
    for (let k = 0; k < outputs; ++k) turned[k * tracks + track] = values[i++];
  return turned;
}

// A run, or a part of one whose scene and summary are known.
export function readRun(columns: Columns, known?: { scene: any; summary: Summary }): Run {
  const { tracks, quanta } = columns.header;
  const { scene, summary } = known ?? columns.header;
  const times = columns.get("t") as Float64Array;
  const series = (name: keyof typeof quanta & string, order: number, width = 3) =>
    Array.from({ length: width }, (_, i) => byOutput(columns.series(name + i, times.length, quanta[name], order), tracks.length));
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
    momentum: Array.from({ length: 6 }, (_, i) => columns.get(`momentum${i}`) as Float64Array),
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

function checked(columns: Columns): Columns {
  const { format } = columns.header;
  if (format !== kFormat) throw new Damaged(`the recording has format ${format}, this page reads ${kFormat}`);
  if (columns.get("t").length === 0) throw new Damaged("the recording in this page has no outputs");
  return columns;
}

export class EmbeddedSource implements Source {
  async open(): Promise<Run> {
    const text = document.getElementById("recording")?.textContent ?? "";
    if (!text.trim()) throw new Damaged("this page has no recording in it");
    const [report, packed] = splitPage(text);
    const unpacked = await Promise.all(packed.map((each) => Columns.unpack(each)));
    const [run, ...others] = unpacked.map((columns) => readRun(checked(columns)));
    return report ? { ...run, others, report } : run;
  }
}
