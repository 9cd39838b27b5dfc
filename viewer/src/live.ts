// A simulation that still goes on, in the program that served this page: asks it over a WebSocket for
// what comes next (apps/cli/live_session.h lists what can be asked for), one thing at a time.
import { Columns, Damaged } from "./columns";
import { readRun } from "./embedded";
import { append, forgetAfter } from "./growing";
import type { Run, Source, Summary } from "./run";

export interface Method {
  name: string;
  summary: string;
  laws: string[];
}

export interface LiveScene {
  every: number; // s; between outputs
  from: number; // s; since when the scene is as it is
  methods: Method[];
  changes: [pointer: string, value: string][];
  document?: string; // the scene, as JSON
}

// A spring to a place that draws a body by a point of it, which is in the body's axes, from its centre of mass.
export interface Pull {
  body: number;
  point: [number, number, number]; // m
  to: [number, number, number]; // m
}

type Request = { do: string; [more: string]: unknown };

const kAhead = 0.15; // s on the wall
const kHeldAhead = 0.04;

const isAlike = (a: Run, b: Run) =>
  a.tracks.join() === b.tracks.join() && a.bodies.map(({ name }) => name).join() === b.bodies.map(({ name }) => name).join();

export class LiveSource implements Source {
  run!: Run;
  scene!: LiveScene;
  stopped = ""; // why
  speed = 0; // simulated seconds a second, of late
  pull: Pull | null = null; // which acts where time goes on
  onGrown: () => void = () => {};
  onScene: () => void = () => {};
  onError: (text: string) => void = () => {};
  private socket!: WebSocket;
  private waiting = 0; // for answers
  private asked = 0; // ms; when
  private then: (() => void) | null = null;
  private described: any; // the scene, for the parts that follow

  open(): Promise<Run> {
    const { host, search } = window.location;
    this.socket = new WebSocket(`ws://${host}/live${search}`);
    this.socket.binaryType = "arraybuffer";
    return new Promise((done, fail) => {
      this.onScene = () => done(this.run);
      this.onError = (text) => fail(new Damaged(text));
      this.socket.onopen = () => this.ask({ do: "open" });
      this.socket.onmessage = ({ data }) => this.hear(data);
      this.socket.onclose = () => this.lose();
    });
  }

  private lose() {
    this.stopped = this.run
      ? "carom, which simulates this, is gone: start carom view again and open the address that it prints"
      : "carom cannot be reached: it has ended, or as many pages of it are open as it serves";
    this.onError(this.stopped);
  }

  get end() {
    return this.run.times[this.run.times.length - 1];
  }

  get every() {
    return this.scene.every;
  }

  // Far enough beyond a time to play on at a speed, if nothing else is under way; less far where what
  // one does with the pointer should be felt soon.
  goOn(from: number, speed: number) {
    const to = from + Math.max(2 * this.every, (this.pull ? kHeldAhead : kAhead) * speed);
    if (this.waiting === 0 && !this.stopped && to > this.end) this.move({ do: "advance", to });
  }

  // What was simulated of later times is dropped.
  back(at: number) {
    if (at < this.end) this.ask({ do: "back", at });
  }

  step(then: () => void) {
    if (this.then) return;
    this.then = then;
    this.move({ do: "step" });
  }

  event(then: () => void) {
    if (this.then) return;
    this.then = then;
    this.move({ do: "event" });
  }

  restart() {
    this.ask({ do: "restart" });
  }

  change(at: number, set: [pointer: string, value: string][]) {
    this.ask({ do: "change", at, set });
  }

  private move(request: Request) {
    this.ask(this.pull ? { ...request, pull: this.pull } : request);
  }

  private ask(request: Request) {
    if (this.socket.readyState !== WebSocket.OPEN) return this.lose();
    ++this.waiting;
    this.asked = performance.now();
    this.socket.send(JSON.stringify(request));
  }

  private hear(data: string | ArrayBuffer) {
    --this.waiting;
    if (typeof data === "string") {
      this.then = null;
      return this.onError(JSON.parse(data).error);
    }
    const columns = Columns.of(new Uint8Array(data));
    this.stopped = columns.header.stopped ?? "";
    if (columns.header.kind === "scene") this.hearScene(columns);
    else this.hearMore(columns);
  }

  private hearScene(columns: Columns) {
    const { scene, every, from, methods, changes, document } = columns.header;
    this.described = scene;
    this.scene = { every, from, methods, changes, document };
    const next = readRun(columns);
    if (this.run && from > 0 && isAlike(this.run, next)) {
      forgetAfter(this.run, from - 1e-12 * Math.abs(from));
      const history = { ...this.run, summary: next.summary, bodies: next.bodies, gravity: next.gravity, corners: next.corners };
      append(history, next);
      this.run = history;
    } else this.run = next;
    this.run.summary = this.judged(next.summary);
    this.onScene();
  }

  private hearMore(columns: Columns) {
    const { back_to, summary } = columns.header;
    const before = this.end;
    if (back_to !== undefined) forgetAfter(this.run, back_to - 1e-12 * Math.abs(back_to));
    append(this.run, readRun(columns, { scene: this.described, summary: this.run.summary }));
    if (summary) this.run.summary = this.judged(summary);
    this.speed = (1000 * (this.end - before)) / Math.max(1, performance.now() - this.asked);
    const { then } = this;
    this.then = null;
    this.onGrown();
    then?.();
  }

  // A run that goes on has not ended early.
  private judged(summary: Summary): Summary {
    return { ...summary, finished: !this.stopped, reason: this.stopped || null };
  }
}
