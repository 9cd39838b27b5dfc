// How large things are: bodies, and the part of space in which the motion takes place.
import { Box3, Quaternion, Vector3 } from "three";
import { findPlanes } from "./planes";
import type { Body, Run, Shape } from "./run";

function radiusOf(shape: Shape, corners: (name: string) => Float32Array): number {
  switch (shape.type) {
    case "ellipsoid":
      return Math.max(...shape.size);
    case "box":
      return Math.hypot(...shape.size);
    case "capsule":
      return shape.radius + shape.length / 2;
    case "cylinder":
    case "cone":
      return Math.hypot(shape.radius, shape.length / 2);
    case "plane":
      return Infinity;
    case "triangles": {
      const numbers = corners(shape.corners);
      let radius = 0;
      for (let i = 0; i < numbers.length; i += 3)
        radius = Math.max(radius, Math.hypot(numbers[i], numbers[i + 1], numbers[i + 2]));
      return radius;
    }
  }
}

// Of a ball about the centre of mass around all parts.
export function bodyRadius(body: Body, corners: (name: string) => Float32Array): number {
  return Math.max(0, ...body.parts.map((part) => Math.hypot(...part.position) + radiusOf(part.shape, corners)));
}

export const uprightOf = (run: Run): Quaternion => {
  const down = new Vector3(...run.gravity);
  const up = down.lengthSq() > 0 ? down.normalize().negate() : new Vector3(0, 0, 1);
  return new Quaternion().setFromUnitVectors(up, new Vector3(0, 1, 0));
};

// From the least to the greatest; without the outermost 2 % on either side where these reach much further.
function usualRange(values: number[]): [number, number] {
  const sorted = Float64Array.from(values).sort();
  const last = sorted.length - 1;
  const [low, high] = [sorted[Math.round(0.02 * last)], sorted[Math.round(0.98 * last)]];
  const reachesFar = sorted[last] - sorted[0] > 2 * (high - low);
  return reachesFar ? [low, high] : [sorted[0], sorted[last]];
}

// All that moves, at up to 100 outputs, but for what goes astray, unless it starts there. Upright: y is up.
export function motionExtent(run: Run, radii: number[]): Box3 {
  const upright = uprightOf(run);
  const box = new Box3();
  const coordinates: number[][] = [[], [], []];
  const stride = Math.max(1, Math.floor(run.times.length / 100));
  let largest = 0;
  run.tracks.forEach((body, track) => {
    const radius = Number.isFinite(radii[body]) ? radii[body] : 0;
    largest = Math.max(largest, radius);
    for (let k = 0; k < run.times.length; k += stride) {
      const at = k * run.tracks.length + track;
      const place = new Vector3(run.x[0][at], run.x[1][at], run.x[2][at]).applyQuaternion(upright);
      place.toArray().forEach((value, axis) => coordinates[axis].push(value));
      if (k === 0) box.expandByPoint(place.clone().addScalar(radius)).expandByPoint(place.subScalar(radius));
    }
  });
  if (coordinates[0].length > 0) {
    const ranges = coordinates.map(usualRange);
    for (const end of [0, 1])
      box.expandByPoint(new Vector3(...ranges.map((range) => range[end] + (2 * end - 1) * largest)));
  }
  addFixed(run, radii, upright, box);
  if (run.times.length === 1) addPlanes(run, upright, box);
  return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
}

// Fixed bodies belong to the picture where they are not much larger than the motion.
function addFixed(run: Run, radii: number[], upright: Quaternion, box: Box3) {
  const size = box.isEmpty() ? Infinity : box.getSize(new Vector3()).length();
  run.bodies.forEach((body, i) => {
    if (run.trackOf[i] >= 0 || !Number.isFinite(radii[i]) || radii[i] > 2 * size) return;
    const place = new Vector3(...body.position).applyQuaternion(upright);
    box.expandByPoint(place.clone().addScalar(radii[i])).expandByPoint(place.subScalar(radii[i]));
  });
}

// Where nothing has moved yet, what lies below belongs to the picture, unless it is far away.
function addPlanes(run: Run, upright: Quaternion, box: Box3) {
  const reach = 30 * box.getSize(new Vector3()).length();
  const center = box.getCenter(new Vector3());
  for (const { plane } of findPlanes(run, upright)) {
    const point = plane.projectPoint(center, new Vector3());
    if (point.distanceTo(center) < reach) box.expandByPoint(point);
  }
}
