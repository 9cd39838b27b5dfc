// Other runs of the scene in the same picture: what moves, in a run's own colour, transparent.
import { Group } from "three";
import { Bodies } from "./bodies";
import { color } from "./format";
import { Motion } from "./motion";
import { runColor } from "./report";
import type { Run } from "./run";

export class Overlay {
  readonly group = new Group();
  private readonly motion: Motion;
  private readonly bodies: Bodies;

  constructor(run: Run, number: number) {
    this.motion = new Motion(run);
    this.motion.moveTo(run.times[0]);
    this.bodies = new Bodies(run, this.motion, color(runColor(number)));
    this.group.add(this.bodies.group);
  }

  moveTo(t: number) {
    if (!this.group.visible) return;
    this.motion.moveTo(t);
    this.bodies.update();
  }
}
