// Planes as large grids. A plane is the surface of a half space, so what of it lies within another one is
// hidden and cut off: a floor ends at the walls. Walls are shown as high as the motion reaches.
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  DoubleSide,
  FrontSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Box3,
  Plane,
  Quaternion,
  RepeatWrapping,
  SRGBColorSpace,
  type Texture,
  Vector3,
} from "three";
import type { Run } from "./run";

interface Shown {
  plane: Plane; // upright; three's constant is minus our offset
  color: string;
}

export function findPlanes(run: Run, upright: Quaternion): Shown[] {
  const found: Shown[] = [];
  for (const body of run.bodies) {
    for (const { shape, position, rotation, color } of body.parts) {
      if (shape.type !== "plane") continue;
      const normal = new Vector3(...shape.normal);
      const point = normal.clone().multiplyScalar(shape.offset);
      for (const [p, q] of [[position, rotation], [body.position, body.rotation]] as const) {
        const turned = new Quaternion(...q);
        normal.applyQuaternion(turned);
        point.applyQuaternion(turned).add(new Vector3(...p));
      }
      normal.applyQuaternion(upright);
      point.applyQuaternion(upright);
      found.push({ plane: new Plane().setFromNormalAndCoplanarPoint(normal, point), color });
    }
  }
  return found;
}

// Sutherland and Hodgman: the part of a convex polygon on the plane's outer side.
function clip(polygon: Vector3[], plane: Plane): Vector3[] {
  const kept: Vector3[] = [];
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length];
    const [da, db] = [plane.distanceToPoint(a), plane.distanceToPoint(b)];
    if (da >= 0) kept.push(a);
    if (da >= 0 !== db >= 0) kept.push(a.clone().lerp(b, da / (da - db)));
  });
  return kept;
}

// Lines about every tenth of the motion, at 1, 2 or 5 times a power of ten.
export function gridSpacing(size: number): number {
  const wanted = size / 12;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * ([1, 2, 5].find((digit) => digit * power >= wanted) ?? 10);
}

function makeTexture(): Texture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 256;
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, 256, 256);
  context.fillStyle = "#d9dadd";
  context.fillRect(0, 0, 256, 3);
  context.fillRect(0, 0, 3, 256);
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.anisotropy = 8;
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

function makePolygon(polygon: Vector3[], normal: Vector3, u: Vector3, spacing: number): BufferGeometry {
  const v = new Vector3().crossVectors(normal, u);
  const geometry = new BufferGeometry();
  const fill = (name: string, numbers: number[], width: number) =>
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(numbers), width));
  fill("position", polygon.flatMap((p) => p.toArray()), 3);
  fill("normal", polygon.flatMap(() => normal.toArray()), 3);
  fill("uv", polygon.flatMap((p) => [p.dot(u) / spacing, p.dot(v) / spacing]), 2);
  geometry.setIndex(polygon.slice(2).flatMap((_, i) => [0, i + 1, i + 2]));
  return geometry;
}

// Two directions in the plane, the first of them level where it can be.
function tangents(normal: Vector3): [Vector3, Vector3] {
  const u = new Vector3(1, 0, 0).addScaledVector(normal, -normal.x);
  if (u.lengthSq() < 0.01) u.set(0, 0, 1).addScaledVector(normal, -normal.z);
  u.normalize();
  return [u, new Vector3().crossVectors(normal, u)];
}

export class Planes {
  readonly group = new Group();
  private readonly materials: { material: MeshStandardMaterial; color: string }[] = [];
  private readonly size: number;
  private readonly map = makeTexture();

  // Upright, like `extent`.
  constructor(run: Run, upright: Quaternion, private readonly extent: Box3) {
    this.size = extent.getSize(new Vector3()).length();
    const planes = findPlanes(run, upright);
    for (const shown of planes) this.add(shown, planes);
  }

  dim(factor: number) {
    for (const { material, color } of this.materials) material.color.set(color).multiplyScalar(factor);
  }

  private add({ plane, color }: Shown, all: Shown[]) {
    const polygon = this.visiblePart(plane, all);
    if (polygon.length < 3) return;
    const isFloor = plane.normal.y > 0.5;
    const material = new MeshStandardMaterial({
      map: this.map,
      roughness: 0.9,
      side: isFloor ? DoubleSide : FrontSide, // walls let one look in from behind
      polygonOffset: true, // bodies that rest on it are in front
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    this.materials.push({ material, color });
    const [u] = tangents(plane.normal);
    const mesh = new Mesh(makePolygon(polygon, plane.normal, u, gridSpacing(this.size)), material);
    mesh.receiveShadow = true;
    this.group.add(mesh);
  }

  private visiblePart(plane: Plane, all: Shown[]): Vector3[] {
    const reach = 12 * this.size;
    const [u, v] = tangents(plane.normal);
    const middle = plane.projectPoint(this.extent.getCenter(new Vector3()), new Vector3());
    let polygon = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) =>
      middle.clone().addScaledVector(u, i * reach).addScaledVector(v, j * reach),
    );
    for (const other of all) if (other.plane !== plane) polygon = clip(polygon, other.plane);
    const top = new Plane(new Vector3(0, -1, 0), this.extent.max.y + 0.01 * this.size);
    return Math.abs(plane.normal.y) < 0.5 ? clip(polygon, top) : polygon;
  }
}
