// Shapes as geometries of three.js. Shapes that differ in size alone share one, and instances scale it.
import {
  BoxGeometry,
  type BufferGeometry,
  BufferAttribute,
  BufferGeometry as Geometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  SphereGeometry,
  Vector3,
} from "three";
import type { Shape } from "./run";

type Solid = Exclude<Shape, { type: "plane" }>;

// What instances of one geometry have in common.
export function keyOf(shape: Solid): string {
  if (shape.type === "triangles") return shape.corners;
  if (shape.type === "capsule") return `capsule ${(shape.length / shape.radius).toPrecision(6)}`;
  return shape.type;
}

export function scaleOf(shape: Solid): Vector3 {
  switch (shape.type) {
    case "ellipsoid":
      return new Vector3(...shape.size);
    case "box":
      return new Vector3(...shape.size);
    case "capsule":
      return new Vector3(shape.radius, shape.radius, shape.radius);
    case "cylinder":
    case "cone":
      return new Vector3(shape.radius, shape.radius, shape.length);
    case "triangles":
      return new Vector3(1, 1, 1);
  }
}

// Of radius, half edge and length 1; fewer triangles where there are thousands of them.
export function geometryOf(shape: Solid, instances: number, corners: (name: string) => Float32Array): BufferGeometry {
  const slices = instances > 2000 ? 14 : instances > 300 ? 22 : 40;
  switch (shape.type) {
    case "ellipsoid":
      return new SphereGeometry(1, slices, Math.round(0.6 * slices));
    case "box":
      return new BoxGeometry(2, 2, 2);
    case "capsule":
      return new CapsuleGeometry(1, shape.length / shape.radius, Math.round(slices / 4), slices).rotateX(Math.PI / 2);
    case "cylinder":
      return new CylinderGeometry(1, 1, 1, slices).rotateX(Math.PI / 2);
    case "cone":
      return new ConeGeometry(1, 1, slices).rotateX(Math.PI / 2);
    case "triangles": {
      const geometry = new Geometry();
      geometry.setAttribute("position", new BufferAttribute(corners(shape.corners), 3));
      geometry.computeVertexNormals();
      return geometry;
    }
  }
}
