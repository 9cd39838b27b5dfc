// Opens the run, builds the parts of the page and joins them.
import { Damaged } from "./columns";
import { Drag } from "./drag";
import { EmbeddedSource } from "./embedded";
import { EventList } from "./events";
import { color, element } from "./format";
import { Inspector } from "./inspector";
import { LiveSource } from "./live";
import { LivePanel } from "./livepanel";
import { Motion } from "./motion";
import { Player } from "./player";
import { TimePlot } from "./plots";
import type { Run } from "./run";
import { showReport } from "./runs";
import { Scene3D } from "./scene3d";
import { showSummary } from "./summary";
import { Timeline } from "./timeline";

const kMostWithArrows = 200; // moving bodies; among more, arrows hide them until asked for

function say(text: string) {
  const message = element("message");
  message.textContent = text;
  message.hidden = false;
}

// Without WebGL the rest of the page works still.
function makePicture(run: Run, motion: Motion): Scene3D | null {
  try {
    return new Scene3D(element<HTMLCanvasElement>("picture"), run, motion);
  } catch (error) {
    console.error(error);
    say("There is no picture: this browser offers no WebGL 2. Energies, events and the summary are here all the same.");
    return null;
  }
}

function toggle(id: string, act: (on: boolean) => void): () => void {
  const button = element(id);
  const flip = () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    act(on);
  };
  button.addEventListener("click", flip);
  return flip;
}

function listenToKeys(actions: Record<string, () => void>, signal: AbortSignal) {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog")) return;
    if (target.closest("select, input:not([type=range])") && event.key !== "Escape") return;
    if (target.closest("button, summary") && (event.key === " " || event.key === "Enter")) return;
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }, { signal });
}

function showArrows(scene: Scene3D, player: Player, run: Run) {
  const between = player.live?.every ?? (player.end - player.start) / Math.max(1, run.times.length - 1);
  const lasting = Math.max(1.01 * between, 0.12 * player.speed); // long enough to see
  scene.arrows.update(player.time, player.event >= 0 ? Math.min(lasting, 1e-9 + between) : lasting);
}

interface View {
  player: Player;
  scene: Scene3D | null;
  selected: string; // body
  select(body: string): void;
  grow(): void; // of a run that goes on, with every part that comes
  measure(): void; // the same, now and then
  end(): void;
}

function start(run: Run, live: LiveSource | null): View {
  if (location.hash === "#picture") document.body.classList.add("picture"); // for a film: without what is used
  const ended = new AbortController();
  const { signal } = ended;
  const player = new Player(run, live);
  const motion = new Motion(run);
  motion.moveTo(player.time);
  showSummary(run);
  const scene = makePicture(run, motion);
  player.onChange(() => {
    motion.moveTo(player.time);
    if (!scene) return;
    if (scene.arrows.group.visible) showArrows(scene, player, run);
    scene.update();
  });
  const timeline = new Timeline(run, player);
  const plot = new TimePlot(run, player);
  showReport(run, player, scene);
  const events = new EventList(run, player);
  const inspector = new Inspector(run, player, motion);
  const view: View = {
    player,
    scene,
    selected: "",
    select: (name) => inspector.select(run.bodies.findIndex((body) => body.name === name)),
    grow() {
      motion.forget();
      if (!player.playing) player.seek(player.time, player.event);
    },
    measure() {
      showSummary(run);
      timeline.measure();
      plot.measure();
      events.measure();
      scene?.arrows.measure();
    },
    end() {
      ended.abort();
      drag?.letGo();
      scene?.dispose();
    },
  };
  inspector.onSelect = (body) => {
    scene?.highlight(body);
    events.select(body);
    plot.select(body);
    view.selected = body < 0 ? "" : run.bodies[body].name;
  };
  if (scene) scene.onPick = (body) => inspector.select(body);
  const drag = scene && live ? new Drag(element("picture"), scene, run, motion, live, player) : null;

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const dress = () => {
    scene?.setBackground(color("--back"), dark.matches);
    plot.redraw();
    timeline.drawTicks();
  };
  dark.addEventListener("change", dress, { signal });
  dress();

  const help = element<HTMLDialogElement>("help");
  element("help-open").addEventListener("click", () => help.showModal());
  element("frame").addEventListener("click", () => scene?.frameAll());
  const flipPanel = toggle("panel-toggle", (on) => document.body.classList.toggle("no-panel", !on));
  if (document.body.classList.contains("no-panel")) element("panel-toggle").setAttribute("aria-pressed", "false");
  else if (matchMedia("(max-width: 760px)").matches) flipPanel();
  const flipArrows = toggle("arrows", (on) => {
    if (scene) scene.arrows.group.visible = on;
    element("legend").hidden = !on;
    player.seek(player.time, player.event);
  });
  if (run.tracks.length > kMostWithArrows) flipArrows();
  listenToKeys({
    " ": () => player.toggle(),
    ".": () => player.stepOutput(1),
    ",": () => player.stepOutput(-1),
    ArrowRight: () => player.stepOutput(1),
    ArrowLeft: () => player.stepOutput(-1),
    n: () => player.stepEvent(1),
    p: () => player.stepEvent(-1),
    Home: () => player.seek(player.start),
    End: () => player.seek(player.end),
    "=": () => player.changeSpeed(1),
    "+": () => player.changeSpeed(1),
    "-": () => player.changeSpeed(-1),
    c: flipArrows,
    f: () => scene?.frameAll(),
    i: flipPanel,
    "?": () => help.showModal(),
    r: () => live?.restart(),
    Escape: () => inspector.select(-1),
  }, signal);

  player.seek(player.start);
  let last = performance.now();
  const tick = (now: number) => {
    if (signal.aborted) return;
    player.advance(Math.min(0.25, (now - last) / 1000)); // after a pause of the browser, no leap
    last = now;
    scene?.draw();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  document.body.dataset.ready = "yes";
  return view;
}

const kBetweenMeasures = 200; // ms

// A simulation that goes on: the page follows it, and is built anew where its scene has changed.
class Following {
  private view: View;
  private panel: LivePanel;
  private measured = 0; // ms; when
  private later: number | undefined;

  constructor(
    private readonly live: LiveSource,
    private readonly pristine: Element[],
  ) {
    [this.view, this.panel] = this.show();
    live.onGrown = () => this.grow();
    live.onScene = () => this.rebuild();
    live.onError = (text) => this.tell(text);
  }

  private show(): [View, LivePanel] {
    const view = start(this.live.run, this.live);
    view.player.onChange(() => {
      if (!view.player.playing && this.later !== undefined) this.measure();
    });
    element("trouble-close").addEventListener("click", () => this.tell(""));
    return [view, new LivePanel(this.live, () => this.view.player.time)];
  }

  private tell(text: string) {
    element("trouble-text").textContent = text;
    element("trouble").hidden = text === "";
  }

  private grow() {
    const { live, view } = this;
    view.grow();
    const wait = this.measured + kBetweenMeasures - performance.now();
    if (wait <= 0 || live.stopped || !view.player.playing) this.measure();
    else this.later ??= window.setTimeout(() => this.measure(), wait); // this part may be the last
  }

  private measure() {
    window.clearTimeout(this.later);
    this.later = undefined;
    this.measured = performance.now();
    this.view.measure();
    this.panel.showSpeed();
    if (this.live.stopped) this.tell(this.live.stopped);
  }

  private rebuild() {
    const { player, scene, selected } = this.view;
    const focused = document.activeElement?.id ?? "";
    const isNew = this.live.scene.from === 0;
    this.view.end();
    for (const part of this.pristine) document.querySelector(`body > ${part.tagName}`)!.replaceWith(part.cloneNode(true));
    [this.view, this.panel] = this.show();
    if (scene) this.view.scene?.lookAs(scene);
    this.view.select(selected);
    this.view.player.setSpeed(player.speed);
    this.view.player.playing = player.playing;
    this.view.player.seek(isNew ? this.view.player.start : this.live.scene.from);
    if (focused) document.getElementById(focused)?.focus();
  }
}

async function open() {
  const isLive = element("recording").textContent?.trim() === "live";
  const pristine = [...document.querySelectorAll("body > header, body > main, body > footer, body > dialog")];
  const copies = pristine.map((part) => part.cloneNode(true) as Element);
  try {
    if (isLive) {
      const live = new LiveSource();
      await live.open();
      new Following(live, copies);
    } else start(await new EmbeddedSource().open(), null);
  } catch (error) {
    console.error(error);
    const why = error instanceof Damaged ? error.message : String(error);
    say(isLive ? why : `This run cannot be shown: ${why}. Make the page again with carom run SCENE --out FILE.html.`);
    document.body.dataset.ready = "failed";
  }
}

void open();
