// A run as the page shows it, wherever it comes from.

import type { Report } from "./report";

export type Triple = [number, number, number];
export type Rotation = [number, number, number, number]; // x, y, z, w

export type Shape =
  | { type: "ellipsoid" | "box"; size: Triple } // radii, half edges
  | { type: "capsule" | "cylinder" | "cone"; radius: number; length: number } // along z
  | { type: "plane"; normal: Triple; offset: number }
  | { type: "triangles"; corners: string };

export interface Part {
  shape: Shape;
  position: Triple;
  rotation: Rotation;
  color: string;
}

export interface Body {
  name: string;
  motion: "dynamic" | "fixed" | "driven";
  mass: number;
  position: Triple; // at t = 0
  rotation: Rotation;
  parts: Part[];
}

export interface Summary {
  carom: string;
  method: string;
  impact: string;
  finished: boolean;
  reason: string | null;
  notes: string[];
  simulated_seconds: number;
  steps: number;
  events: Record<string, number>;
  audit: Record<string, any>;
}

export const kEventKinds = ["impact", "microcollision", "contact-begin", "contact-end", "rest", "wake"];
export const isJump = (kind: number) => kind <= 1; // velocities jump at impacts and microcollisions

export interface Events {
  count: number;
  total: number; // of the run; more than `count` where the page holds the greatest alone
  t: Float64Array;
  kind: Int32Array;
  a: Int32Array;
  b: Int32Array;
  point: Float32Array[]; // by axis, and so on
  normal: Float32Array[]; // from b to a
  impulse: Float32Array[]; // on a, N s
  approach: Float32Array;
  separation: Float32Array;
}

export interface Forces {
  every: number; // of how many outputs one has its forces
  first: Int32Array; // per output and one more: where its forces begin
  a: Int32Array;
  b: Int32Array;
  joint: Int32Array; // -1 of a contact
  point: Float32Array[];
  force: Float32Array[]; // on a, N
}

export interface Run {
  name: string;
  gravity: Triple;
  bodies: Body[];
  joints: string[];
  corners: (name: string) => Float32Array; // of triangles
  summary: Summary;
  times: Float64Array; // of the outputs
  kinetic: Float64Array;
  potential: Float64Array;
  momentum: Float64Array[]; // linear by axis, N s, then angular about the world's origin, N m s
  tracks: Int32Array; // the bodies that move
  trackOf: Int32Array; // per body, or -1
  x: Float32Array[]; // by axis: all tracks of an output, then those of the next
  q: Float32Array[];
  v: Float32Array[];
  w: Float32Array[];
  events: Events;
  forces: Forces;
  others?: Run[]; // of the same scene, to show beside it
  report?: Report;
}

// Where runs come from: the recording in the page, or a simulation that still goes on.
export interface Source {
  open(): Promise<Run>;
}

// The last i with sorted[i] <= value, or -1.
export function lastUpTo(sorted: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export const length3 = (of: Float32Array[], i: number) => Math.hypot(of[0][i], of[1][i], of[2][i]);

// The forces at an output, or at the last before it that has any told: a range of their numbers.
export function forcesAt(run: Run, output: number): [number, number] {
  const told = output - (output % run.forces.every);
  return [run.forces.first[told], run.forces.first[told + 1]];
}
