// Where bodies are between two outputs. A body that nothing hits there follows the cubic through its two
// places and velocities. One that is hit flies on from the output before up to its first hit and back
// from the output after to its last, so that at the moment of an impact bodies touch; between the two
// hits it goes straight. Where velocities do not explain the way, as when a joint jerks, it goes straight.
import { forcesAt, isJump, lastUpTo, type Run } from "./run";

export interface BodyState {
  x: number[];
  q: number[]; // x, y, z, w
  v: number[];
  w: number[];
}

interface Hits {
  first: number; // s after the output before
  last: number;
}

type Quat = [number, number, number, number];

// Turns `q` by the rotation vector w·t, into `out`.
function turn(q: ArrayLike<number>, w: ArrayLike<number>, t: number, out: Quat): Quat {
  const speed = Math.hypot(w[0], w[1], w[2]);
  const half = 0.5 * speed * t;
  const s = speed > 0 ? Math.sin(half) / speed : 0;
  return multiply([w[0] * s, w[1] * s, w[2] * s, Math.cos(half)], q, out);
}

function multiply(a: ArrayLike<number>, b: ArrayLike<number>, out: Quat): Quat {
  const x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  const y = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
  const z = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
  const w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = w;
  return out;
}

// Along the chord, the short way; attitudes at consecutive outputs are near each other.
function blend(a: ArrayLike<number>, b: ArrayLike<number>, s: number, out: Quat): Quat {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -s : s;
  for (let i = 0; i < 4; ++i) out[i] = (1 - s) * a[i] + sign * b[i];
  const norm = Math.hypot(...out) || 1;
  for (let i = 0; i < 4; ++i) out[i] /= norm;
  return out;
}

export class Motion {
  readonly x: Float32Array; // of all tracks, three numbers each
  readonly q: Float32Array; // four each
  private output = -1; // the interval for which the next two hold
  private hits = new Map<number, Hits>();
  private carried = new Set<number>();
  private readonly ends = { x0: [0, 0, 0], x1: [0, 0, 0], v0: [0, 0, 0], v1: [0, 0, 0], w0: [0, 0, 0], w1: [0, 0, 0] };
  private readonly q0: Quat = [0, 0, 0, 1];
  private readonly q1: Quat = [0, 0, 0, 1];
  private readonly qs: Quat = [0, 0, 0, 1];
  private readonly qe: Quat = [0, 0, 0, 1];

  constructor(private readonly run: Run) {
    this.x = new Float32Array(3 * run.tracks.length);
    this.q = new Float32Array(4 * run.tracks.length);
  }

  // What was remembered of a run that has changed.
  forget() {
    this.output = -1;
  }

  moveTo(t: number) {
    const { times, tracks } = this.run;
    const k = Math.max(0, Math.min(lastUpTo(times, t), times.length - 2));
    if (k !== this.output) this.enter(k);
    const h = times.length > 1 ? times[k + 1] - times[k] : 0;
    const s = Math.max(0, Math.min(t - times[k], h));
    for (let track = 0; track < tracks.length; ++track) this.move(track, k, s, h);
  }

  state(body: number, t: number): BodyState {
    const track = this.run.trackOf[body];
    const { position, rotation } = this.run.bodies[body];
    if (track < 0) return { x: position, q: rotation, v: [0, 0, 0], w: [0, 0, 0] };
    const at = Math.max(0, lastUpTo(this.run.times, t)) * this.run.tracks.length + track;
    return {
      x: Array.from(this.x.subarray(3 * track, 3 * track + 3)),
      q: Array.from(this.q.subarray(4 * track, 4 * track + 4)),
      v: this.run.v.map((axis) => axis[at]),
      w: this.run.w.map((axis) => axis[at]),
    };
  }

  private enter(k: number) {
    const { events, times, forces } = this.run;
    this.output = k;
    this.hits.clear();
    const end = times[Math.min(k + 1, times.length - 1)];
    for (let i = lastUpTo(events.t, times[k]) + 1; i < events.count && events.t[i] <= end; ++i) {
      if (!isJump(events.kind[i])) continue;
      for (const body of [events.a[i], events.b[i]]) {
        const known = this.hits.get(body);
        if (known) known.last = events.t[i] - times[k];
        else this.hits.set(body, { first: events.t[i] - times[k], last: events.t[i] - times[k] });
      }
    }
    this.carried.clear();
    const [first, last] = forcesAt(this.run, k);
    for (let i = first; i < last; ++i) this.carried.add(forces.a[i]).add(forces.b[i]);
  }

  private read(track: number, k: number) {
    const { run, ends, q0, q1 } = this;
    const i = k * run.tracks.length + track;
    const j = Math.min(k + 1, run.times.length - 1) * run.tracks.length + track;
    for (let axis = 0; axis < 3; ++axis) {
      ends.x0[axis] = run.x[axis][i];
      ends.x1[axis] = run.x[axis][j];
      ends.v0[axis] = run.v[axis][i];
      ends.v1[axis] = run.v[axis][j];
      ends.w0[axis] = run.w[axis][i];
      ends.w1[axis] = run.w[axis][j];
    }
    for (let c = 0; c < 4; ++c) {
      q0[c] = run.q[c][i];
      q1[c] = run.q[c][j];
    }
  }

  private move(track: number, k: number, s: number, h: number) {
    this.read(track, k);
    const hits = this.hits.get(this.run.tracks[track]);
    if (hits) this.moveHit(track, s, h, hits);
    else this.moveSmoothly(track, s, h);
    for (let c = 0; c < 4; ++c) this.q[4 * track + c] = this.qs[c];
  }

  private moveSmoothly(track: number, s: number, h: number) {
    const { x0, x1, v0, v1, w0, w1 } = this.ends;
    const u = h > 0 ? s / h : 0;
    let missed = 0;
    let way = 0;
    for (let axis = 0; axis < 3; ++axis) {
      missed += (x1[axis] - x0[axis] - 0.5 * h * (v0[axis] + v1[axis])) ** 2;
      way += (h * (Math.abs(v0[axis]) + Math.abs(v1[axis]))) ** 2;
    }
    const bend = missed <= 0.0025 * way ? u * (1 - u) : 0;
    for (let axis = 0; axis < 3; ++axis) {
      const chord = x1[axis] - x0[axis];
      const cubic = bend * ((1 - u) * (h * v0[axis] - chord) - u * (h * v1[axis] - chord));
      this.x[3 * track + axis] = x0[axis] + u * chord + cubic;
    }
    for (let axis = 0; axis < 3; ++axis) w0[axis] = 0.5 * (w0[axis] + w1[axis]);
    this.turnSmoothly(w0, u, s, h);
  }

  // At the mean speed, and what that misses at the end spread over the time: right also for bodies that
  // turn more than half a turn from output to output.
  private turnSmoothly(w: number[], u: number, s: number, h: number) {
    const { q0, q1, qs, qe } = this;
    turn(q0, w, h, qe);
    multiply(q1, [-qe[0], -qe[1], -qe[2], qe[3]], qe);
    blend([0, 0, 0, 1], qe, u, qe);
    multiply(qe, turn(q0, w, s, qs), qs);
  }

  private moveHit(track: number, s: number, h: number, { first, last }: Hits) {
    const { x0, x1, v0, v1, w0, w1 } = this.ends;
    const body = this.run.tracks[track];
    const falls = this.run.bodies[body].motion === "dynamic" && !this.carried.has(body);
    const before = Math.min(s, first);
    const after = h - Math.max(s, last);
    const u = s <= first ? 0 : s >= last ? 1 : (s - first) / (last - first);
    for (let axis = 0; axis < 3; ++axis) {
      const g = falls ? 0.5 * this.run.gravity[axis] : 0;
      const from = x0[axis] + (v0[axis] + g * before) * before;
      const to = x1[axis] + (-v1[axis] + g * after) * after;
      this.x[3 * track + axis] = (1 - u) * from + u * to;
    }
    turn(this.q0, w0, before, this.qs);
    turn(this.q1, w1, -after, this.qe);
    blend(this.qs, this.qe, u, this.qs);
  }
}
