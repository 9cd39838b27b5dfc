// Contact points and what acts there: forces of the last output, impulses of what happened just before. An
// arrow stands at the contact point and shows what acts on the body that can move, on body a where both
// can; its length grows as the square root. Forces go along with that body until the next output.
import {
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import type { Motion } from "./motion";
import { forcesAt, isJump, lastUpTo, length3, type Run } from "./run";

const kMost = 4000; // of one kind in one picture
const kUp = new Vector3(0, 1, 0);
const kNone = new Vector3();

// What nine of ten are at most.
function usual(sizes: Float32Array): number {
  const sorted = sizes.filter((size) => size > 0).sort();
  return sorted.length > 0 ? sorted[Math.floor(0.9 * (sorted.length - 1))] : 1;
}

export class Arrows {
  readonly group = new Group();
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly points: InstancedMesh;
  private count = 0;

  // One of the usual size has the usual length.
  constructor(
    color: number,
    private readonly usualLength: number,
    public usualSize = 1,
    private readonly most = kMost,
  ) {
    const material = new MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.92 });
    const make = (geometry: ConstructorParameters<typeof InstancedMesh>[0]) => {
      const mesh = new InstancedMesh(geometry, material, this.most);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.renderOrder = 10;
      this.group.add(mesh);
      return mesh;
    };
    this.shafts = make(new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0));
    this.heads = make(new ConeGeometry(1, 1, 12).translate(0, 0.5, 0));
    this.points = make(new SphereGeometry(1, 10, 8));
  }

  clear() {
    this.count = 0;
  }

  add(point: Float32Array[], of: Float32Array[], i: number, sign: number, shift: Vector3) {
    const size = length3(of, i);
    const length = Math.min(3, Math.sqrt(size / this.usualSize)) * this.usualLength;
    const at = new Vector3(point[0][i], point[1][i], point[2][i]).add(shift);
    this.put(at, new Vector3(of[0][i], of[1][i], of[2][i]).divideScalar(sign * size || 1), length);
  }

  // One of a length, along a unit vector.
  put(at: Vector3, along: Vector3, length: number) {
    if (this.count === this.most) return;
    const width = 0.035 * this.usualLength;
    const turn = new Quaternion().setFromUnitVectors(kUp, along);
    const head = Math.min(0.4 * length, 5 * width);
    const place = (mesh: InstancedMesh, start: Vector3, scale: Vector3) =>
      mesh.setMatrixAt(this.count, new Matrix4().compose(start, turn, scale));
    place(this.shafts, at, new Vector3(width, length - head, width));
    place(this.heads, at.clone().addScaledVector(along, length - head), new Vector3(2.4 * width, head, 2.4 * width));
    place(this.points, at, new Vector3(2 * width, 2 * width, 2 * width));
    ++this.count;
  }

  show() {
    for (const mesh of [this.shafts, this.heads, this.points]) {
      mesh.count = this.count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

function sizes(of: Float32Array[]): Float32Array {
  return of[0].map((_, i) => length3(of, i));
}

export class ContactArrows {
  readonly group = new Group();
  private readonly forces: Arrows;
  private readonly impulses: Arrows;
  private readonly normals: Arrows; // where something happened

  constructor(
    private readonly run: Run,
    private readonly motion: Motion,
    readonly length: number, // of a usual one
  ) {
    this.forces = new Arrows(0x12a594, length, usual(sizes(run.forces.force)));
    this.impulses = new Arrows(0xff5a1f, length, usual(sizes(run.events.impulse)));
    this.normals = new Arrows(0x8a94a6, 0.4 * length);
    this.group.add(this.forces.group, this.impulses.group, this.normals.group);
  }

  // Of a run that goes on, what is usual changes.
  measure() {
    this.forces.usualSize = usual(sizes(this.run.forces.force));
    this.impulses.usualSize = usual(sizes(this.run.events.impulse));
  }

  // Impulses are seen for `lasting` seconds of the run.
  update(t: number, lasting: number) {
    const { run } = this;
    this.forces.clear();
    this.impulses.clear();
    this.normals.clear();
    const { forces, events } = run;
    const output = Math.max(0, lastUpTo(run.times, t));
    const told = output - (output % forces.every);
    const [first, end] = forcesAt(run, output);
    for (let i = first; i < end; ++i) {
      const sign = this.signOf(forces.a[i]);
      this.forces.add(forces.point, forces.force, i, sign, this.movedSince(told, sign > 0 ? forces.a[i] : forces.b[i]));
    }
    for (let i = lastUpTo(events.t, t); i >= 0 && events.t[i] > t - lasting; --i) {
      const sign = this.signOf(events.a[i]);
      this.normals.add(events.point, events.normal, i, sign, kNone);
      if (isJump(events.kind[i])) this.impulses.add(events.point, events.impulse, i, sign, kNone);
    }
    this.normals.show();
    this.forces.show();
    this.impulses.show();
  }

  // Of what acts on a, and is opposed on b.
  private signOf(a: number): number {
    return this.run.bodies[a].motion === "dynamic" ? 1 : -1;
  }

  private movedSince(output: number, body: number): Vector3 {
    const track = this.run.trackOf[body];
    if (track < 0) return kNone;
    const then = output * this.run.tracks.length + track;
    const moved = new Vector3().fromArray(this.motion.x, 3 * track);
    return moved.sub(new Vector3(this.run.x[0][then], this.run.x[1][then], this.run.x[2][then]));
  }
}
