// The bodies as instanced meshes, one for each geometry, moved by writing matrices.
import {
  BackSide,
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  type Raycaster,
  Vector3,
} from "three";
import type { Motion } from "./motion";
import type { Part, Run } from "./run";
import { geometryOf, keyOf, scaleOf } from "./shapes";

interface Placed {
  body: number;
  part: Part;
  local: Matrix4; // of the part in its body, scaled
}

interface Batch {
  mesh: InstancedMesh;
  placed: Placed[];
}

const kHaloScale = 1.06;

export interface Hit {
  body: number;
  point: Vector3; // where the ray meets it, in the scene
}

export class Bodies {
  readonly group = new Group();
  private readonly batches: Batch[] = [];
  private readonly halos: { mesh: Mesh; batch: Batch; instance: number }[] = [];
  private readonly haloMaterial = new MeshBasicMaterial({ color: 0xffb000, side: BackSide });

  constructor(
    private readonly run: Run,
    private readonly motion: Motion,
    private readonly tint?: string, // of what moves, which is then all there is, and transparent
  ) {
    const byKey = new Map<string, Placed[]>();
    run.bodies.forEach((body, i) => {
      if (tint && run.trackOf[i] < 0) return;
      body.parts.forEach((part) => {
        if (part.shape.type === "plane") return;
        const local = new Matrix4().compose(
          new Vector3(...part.position),
          new Quaternion(...part.rotation),
          scaleOf(part.shape),
        );
        const key = keyOf(part.shape);
        if (!byKey.has(key)) byKey.set(key, []);
        byKey.get(key)!.push({ body: i, part, local });
      });
    });
    for (const placed of byKey.values()) this.addBatch(placed);
    this.place(() => true);
  }

  // After the motion has moved.
  update() {
    this.place((body) => this.run.trackOf[body] >= 0);
    for (const { mesh, batch, instance } of this.halos) {
      batch.mesh.getMatrixAt(instance, mesh.matrix);
      mesh.matrix.scale(new Vector3(kHaloScale, kHaloScale, kHaloScale));
    }
  }

  highlight(body: number) {
    for (const { mesh } of this.halos) this.group.remove(mesh);
    this.halos.length = 0;
    for (const batch of this.batches)
      batch.placed.forEach((placed, instance) => {
        if (placed.body !== body) return;
        const mesh = new Mesh(batch.mesh.geometry, this.haloMaterial);
        mesh.matrixAutoUpdate = false;
        this.halos.push({ mesh, batch, instance });
        this.group.add(mesh);
      });
    this.update();
  }

  // The nearest body that the ray meets.
  pick(ray: Raycaster): Hit | null {
    let nearest = Infinity;
    let found: Hit | null = null;
    for (const { mesh, placed } of this.batches) {
      mesh.computeBoundingSphere();
      for (const hit of ray.intersectObject(mesh)) {
        if (hit.distance >= nearest || hit.instanceId === undefined) continue;
        nearest = hit.distance;
        found = { body: placed[hit.instanceId].body, point: hit.point };
      }
    }
    return found;
  }

  private addBatch(placed: Placed[]) {
    const { shape } = placed[0].part;
    if (shape.type === "plane") return;
    const geometry = geometryOf(shape, placed.length, this.run.corners);
    const material = new MeshStandardMaterial({ roughness: 0.42, metalness: 0.02 });
    if (this.tint) Object.assign(material, { transparent: true, opacity: 0.5, depthWrite: false });
    const mesh = new InstancedMesh(geometry, material, placed.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.castShadow = mesh.receiveShadow = !this.tint;
    mesh.frustumCulled = false; // its bounds change with every frame
    placed.forEach(({ part }, instance) => mesh.setColorAt(instance, new Color(this.tint ?? part.color)));
    this.batches.push({ mesh, placed });
    this.group.add(mesh);
  }

  private place(wanted: (body: number) => boolean) {
    const pose = new Matrix4();
    const x = new Vector3();
    const q = new Quaternion();
    const one = new Vector3(1, 1, 1);
    for (const { mesh, placed } of this.batches) {
      placed.forEach(({ body, local }, instance) => {
        if (!wanted(body)) return;
        const track = this.run.trackOf[body];
        if (track >= 0) {
          x.fromArray(this.motion.x, 3 * track);
          q.fromArray(this.motion.q, 4 * track);
        } else {
          x.set(...this.run.bodies[body].position);
          q.set(...this.run.bodies[body].rotation);
        }
        mesh.setMatrixAt(instance, pose.compose(x, q, one).multiply(local));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
