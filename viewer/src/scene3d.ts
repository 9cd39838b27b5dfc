// The picture: lights, camera, bodies, planes and arrows. Drawn only when something changed.
import {
  Box3,
  Color,
  DirectionalLight,
  Fog,
  Group,
  HemisphereLight,
  NeutralToneMapping,
  PCFSoftShadowMap,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { ContactArrows } from "./arrows";
import { Bodies, type Hit } from "./bodies";
import { bodyRadius, motionExtent, uprightOf } from "./extent";
import type { Motion } from "./motion";
import { Planes } from "./planes";
import type { Run } from "./run";

const kView = new Vector3(0.3, 0.55, 0.9).normalize(); // from the middle to the camera, across what is long in x
const kMargin = 1.08;

// Of a usual arrow: two diameters of the body in the middle of the order of sizes, where that can be seen.
function arrowLength(run: Run, radii: number[], size: number): number {
  const moving = Float64Array.from(run.tracks, (body) => radii[body]).sort();
  const middle = moving.length > 0 ? moving[moving.length >> 1] : size;
  return Math.max(0.03 * size, Math.min(0.08 * size, 4 * middle));
}

export class Scene3D {
  readonly arrows: ContactArrows;
  onPick: (body: number) => void = () => {};
  onPress: (hit: Hit, event: PointerEvent) => void = () => {}; // on a body, before the view turns
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly world = new Group(); // as the run has it; upright in the scene
  private readonly camera = new PerspectiveCamera(38, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly bodies: Bodies;
  private readonly planes: Planes;
  private readonly extent: Box3;
  private readonly size: number;
  private readonly radii: number[];
  private stale = true;

  // Throws where there is no WebGL.
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly run: Run,
    motion: Motion,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    const radii = (this.radii = run.bodies.map((body) => bodyRadius(body, run.corners)));
    this.extent = motionExtent(run, radii);
    this.size = this.extent.getSize(new Vector3()).length();
    const upright = uprightOf(run);
    this.world.quaternion.copy(upright);
    this.bodies = new Bodies(run, motion);
    this.arrows = new ContactArrows(run, motion, arrowLength(run, radii, this.size));
    this.world.add(this.bodies.group, this.arrows.group);
    this.planes = new Planes(run, upright, this.extent);
    this.scene.add(this.world, this.planes.group);
    this.addLights();
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => (this.stale = true));
    this.listen();
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
    this.frame();
  }

  // In the dark planes are dimmer, for they fill the picture.
  setBackground(color: string, isDark: boolean) {
    this.planes.dim(isDark ? 0.12 : 1);
    this.scene.background = new Color(color);
    this.scene.fog = new Fog(color, 2.5 * this.size, 11 * this.size);
    this.stale = true;
  }

  // The whole motion in view.
  frame() {
    const center = this.extent.getCenter(new Vector3());
    const view = this.viewDirection();
    this.camera.position.copy(center).addScaledVector(view, this.distanceToSee(center, view));
    this.camera.near = 0.005 * this.size;
    this.camera.far = 40 * this.size;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(center);
    this.controls.minDistance = 0.01 * this.size;
    this.controls.maxDistance = 10 * this.size;
    this.controls.update();
    this.stale = true;
  }

  // Of a run that went on, also what has come since.
  frameAll() {
    this.extent.union(motionExtent(this.run, this.radii));
    this.frame();
  }

  // The view of another picture of the same scene.
  lookAs(other: Scene3D) {
    this.camera.position.copy(other.camera.position);
    this.controls.target.copy(other.controls.target);
    this.controls.update();
  }

  dispose() {
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  add(group: Group) {
    this.world.add(group);
    this.stale = true;
  }

  // The motion has moved, or the arrows have.
  update() {
    this.bodies.update();
    this.stale = true;
  }

  highlight(body: number) {
    this.bodies.highlight(body);
    this.stale = true;
  }

  // True when it drew.
  draw(): boolean {
    if (!this.stale) return false;
    this.stale = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }

  // What is long lies along the longer side of the picture.
  private viewDirection(): Vector3 {
    const { x, z } = this.extent.getSize(new Vector3());
    return z > 1.2 * x === this.camera.aspect >= 1 ? new Vector3(kView.z, kView.y, kView.x) : kView;
  }

  // So that every corner of the extent is in the picture.
  private distanceToSee(center: Vector3, view: Vector3): number {
    const right = new Vector3(0, 1, 0).cross(view).normalize();
    const up = new Vector3().crossVectors(view, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect;
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const side = (bit: number, axis: "x" | "y" | "z") => (corner & bit ? this.extent.max : this.extent.min)[axis];
      const p = new Vector3(side(1, "x"), side(2, "y"), side(4, "z")).sub(center);
      const needed = Math.max(Math.abs(p.dot(right)) / wide, Math.abs(p.dot(up)) / tall) + p.dot(view);
      distance = Math.max(distance, kMargin * needed);
    }
    return distance;
  }

  private addLights() {
    this.scene.add(new HemisphereLight(0xffffff, 0xb0b0bc, 2.4));
    const sun = new DirectionalLight(0xfff4e5, 2);
    const center = this.extent.getCenter(new Vector3());
    const reach = 0.75 * this.size;
    sun.position.copy(center).add(new Vector3(-0.7, 1, 0.1).normalize().multiplyScalar(2 * this.size));
    sun.target.position.copy(center);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    Object.assign(sun.shadow.camera, {
      left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * this.size, far: 4 * this.size,
    });
    sun.shadow.normalBias = 0.0008 * this.size;
    sun.shadow.radius = 3;
    this.scene.add(sun, sun.target);
  }

  // A click, not the end of a drag.
  private listen() {
    let down = new Vector2();
    this.canvas.addEventListener("pointerdown", (event) => (down = new Vector2(event.clientX, event.clientY)));
    this.canvas.addEventListener("pointerup", (event) => {
      if (down.distanceTo(new Vector2(event.clientX, event.clientY)) > 5) return;
      this.onPick(this.bodies.pick(this.rayTo(event))?.body ?? -1);
    });
    // While it is captured, before the controls hear of it.
    this.canvas.addEventListener("pointerdown", (event) => {
      const hit = event.isPrimary && event.button === 0 ? this.bodies.pick(this.rayTo(event)) : null;
      if (hit) this.onPress(hit, event);
    }, { capture: true });
  }

  // From the eye through what the pointer is at.
  rayTo(event: PointerEvent): Raycaster {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const at = new Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    return ray;
  }

  // The plane across the view through a point.
  planeThrough(point: Vector3): Plane {
    return new Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new Vector3()), point);
  }

  // From the scene, which is upright, to the run's own axes.
  toRun(point: Vector3): Vector3 {
    return this.world.worldToLocal(point.clone());
  }

  letTurn(may: boolean) {
    this.controls.enabled = may;
  }

  private resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    const wasTall = this.camera.aspect;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    if (wasTall >= 1 !== this.camera.aspect >= 1) this.frame();
    this.stale = true;
  }
}
