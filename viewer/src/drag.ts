// Draws bodies of a live simulation with the pointer: a body that is pressed on hangs, from where it is pressed on,
// on a spring to the pointer until it is let go (apps/cli/pull.h has its law). The pointer moves in the
// plane across the view through the point where it pressed, and an arrow shows the spring.
import { Quaternion, Vector3 } from "three";
import { Arrows } from "./arrows";
import type { Hit } from "./bodies";
import { color, element } from "./format";
import type { LiveSource } from "./live";
import type { Motion } from "./motion";
import type { Player } from "./player";
import type { Run } from "./run";
import type { Scene3D } from "./scene3d";

export class Drag {
  private readonly arrow: Arrows;
  private end: (() => void) | null = null; // of the drag under way

  constructor(
    private readonly canvas: HTMLElement,
    private readonly scene: Scene3D,
    private readonly run: Run,
    private readonly motion: Motion,
    private readonly live: LiveSource,
    private readonly player: Player,
  ) {
    this.arrow = new Arrows(Number(color("--pull").replace("#", "0x")), scene.arrows.length, 1, 1);
    scene.add(this.arrow.group);
    scene.onPress = (hit, event) => this.press(hit, event);
    player.onChange(() => {
      if (this.end) this.show();
    });
    this.show();
  }

  letGo() {
    this.end?.();
    this.end = null;
  }

  private press(hit: Hit, event: PointerEvent) {
    if (this.end || this.live.stopped || this.run.bodies[hit.body].motion !== "dynamic") return;
    const plane = this.scene.planeThrough(hit.point);
    const pressed = this.scene.toRun(hit.point);
    const { x, q } = this.motion.state(hit.body, this.player.time);
    const point = pressed.clone().sub(new Vector3(...x)).applyQuaternion(new Quaternion(...q).invert());
    this.live.back(this.player.time); // what lies ahead comes otherwise
    this.live.pull = { body: hit.body, point: point.toArray(), to: pressed.toArray() };
    this.follow(event.pointerId, (moved) => {
      const to = this.scene.rayTo(moved).ray.intersectPlane(plane, new Vector3());
      if (to && this.live.pull) this.live.pull = { ...this.live.pull, to: this.scene.toRun(to).toArray() };
      this.show();
    });
  }

  // The pointer is captured, so that it is heard of wherever it goes.
  private follow(pointer: number, move: (event: PointerEvent) => void) {
    const ended = new AbortController();
    const { signal } = ended;
    this.canvas.setPointerCapture(pointer);
    this.scene.letTurn(false);
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.pointerId === pointer) move(event);
    }, { signal });
    this.canvas.addEventListener("lostpointercapture", () => this.letGo(), { signal });
    this.end = () => {
      ended.abort();
      this.live.pull = null;
      this.scene.letTurn(true);
      this.show();
    };
    this.show();
  }

  private show() {
    const { pull } = this.live;
    element("legend-pull").hidden = !pull;
    this.arrow.clear();
    if (pull) {
      const { x, q } = this.motion.state(pull.body, this.player.time);
      const from = new Vector3(...pull.point).applyQuaternion(new Quaternion(...q)).add(new Vector3(...x));
      const way = new Vector3(...pull.to).sub(from);
      this.arrow.put(from, way.clone().normalize(), way.length());
    }
    this.arrow.show();
    this.scene.update();
  }
}
