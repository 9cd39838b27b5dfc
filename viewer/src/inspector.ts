// The body that was clicked: its state now, and what touches it.
import { element, fillTable, make, number, vector } from "./format";
import type { Motion } from "./motion";
import type { Player } from "./player";
import { forcesAt, length3, type Run } from "./run";

const kMostContacts = 12;

export class Inspector {
  onSelect: (body: number) => void = () => {};
  private readonly card = element("inspector");
  private readonly choice = element<HTMLSelectElement>("body");
  private readonly content = make("div");
  private readonly title = make("h2");
  private body = -1;

  constructor(
    private readonly run: Run,
    private readonly player: Player,
    private readonly motion: Motion,
  ) {
    run.bodies.forEach((body, i) => this.choice.append(make("option", body.name, { value: String(i) })));
    this.choice.addEventListener("change", () => this.select(Number(this.choice.value)));
    this.card.append(this.title, this.content);
    player.onChange(() => this.update());
  }

  select(body: number) {
    if (body === this.body) return;
    this.body = body;
    this.choice.value = String(body);
    this.card.hidden = body < 0;
    if (body >= 0) {
      const close = make("button", "×", { "aria-label": "Select no body" });
      close.addEventListener("click", () => this.select(-1));
      this.title.replaceChildren(this.run.bodies[body].name, close);
    }
    this.onSelect(body);
    this.update();
  }

  private update() {
    if (this.body < 0) return;
    const { motion, mass } = this.run.bodies[this.body];
    const { x, q, v, w } = this.motion.state(this.body, this.player.time);
    const turned = (360 / Math.PI) * Math.acos(Math.min(1, Math.abs(q[3])));
    this.content.replaceChildren();
    fillTable(this.content, [
      ["motion", motion === "dynamic" ? `dynamic, ${number(mass)} kg` : motion],
      ["position, m", vector(x)],
      ["turned by", `${number(turned, 3)}°`],
      ["velocity, m/s", vector(v)],
      ["speed", `${number(Math.hypot(...v))} m/s`],
      ["turning, rad/s", vector(w)],
    ]);
    const contacts = this.contacts();
    this.content.append(make("h2", contacts.length > 0 ? "Forces on it" : "No force on it"));
    fillTable(this.content, contacts.slice(0, kMostContacts));
    if (contacts.length > kMostContacts) this.content.append(`and ${contacts.length - kMostContacts} more`);
  }

  // Of the last output whose forces are told, by partner.
  private contacts(): [string, string][] {
    const { forces, bodies, joints } = this.run;
    const rows: [string, string][] = [];
    const [first, end] = forcesAt(this.run, this.player.output);
    for (let i = first; i < end; ++i) {
      if (forces.a[i] !== this.body && forces.b[i] !== this.body) continue;
      const other = bodies[forces.a[i] === this.body ? forces.b[i] : forces.a[i]].name;
      const by = forces.joint[i] >= 0 ? `${other} (joint ${joints[forces.joint[i]]})` : other;
      rows.push([by, `${number(length3(forces.force, i))} N`]);
    }
    return rows;
  }
}
