// Opens the run, builds the parts of the page and joins them.
import { Damaged } from "./columns";
import { EmbeddedSource } from "./embedded";
import { EventList } from "./events";
import { color, element } from "./format";
import { Inspector } from "./inspector";
import { Motion } from "./motion";
import { Player } from "./player";
import { EnergyPlot } from "./plots";
import type { Run, Source } from "./run";
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

function listenToKeys(actions: Record<string, () => void>) {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog")) return;
    if (target.closest("select") && event.key !== "Escape") return;
    if (target.closest("button, summary") && (event.key === " " || event.key === "Enter")) return;
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function showArrows(scene: Scene3D, player: Player, run: Run) {
  const between = (player.end - player.start) / Math.max(1, run.times.length - 1);
  const lasting = Math.max(1.01 * between, 0.12 * player.speed); // long enough to see
  scene.arrows.update(player.time, player.event >= 0 ? Math.min(lasting, 1e-9 + between) : lasting);
}

function start(run: Run) {
  if (location.hash === "#picture") document.body.classList.add("picture"); // for a film: without what is used
  const player = new Player(run);
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
  const plot = new EnergyPlot(run, player);
  showReport(run, player, scene);
  const events = new EventList(run, player);
  const inspector = new Inspector(run, player, motion);
  inspector.onSelect = (body) => {
    scene?.highlight(body);
    events.select(body);
  };
  if (scene) scene.onPick = (body) => inspector.select(body);

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const dress = () => {
    scene?.setBackground(color("--back"), dark.matches);
    plot.redraw();
    timeline.drawTicks();
  };
  dark.addEventListener("change", dress);
  dress();

  const help = element<HTMLDialogElement>("help");
  element("help-open").addEventListener("click", () => help.showModal());
  element("frame").addEventListener("click", () => scene?.frame());
  const flipPanel = toggle("panel-toggle", (on) => document.body.classList.toggle("no-panel", !on));
  if (matchMedia("(max-width: 760px)").matches) flipPanel();
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
    f: () => scene?.frame(),
    i: flipPanel,
    "?": () => help.showModal(),
    Escape: () => inspector.select(-1),
  });

  player.seek(player.start);
  let last = performance.now();
  const tick = (now: number) => {
    player.advance(Math.min(0.25, (now - last) / 1000)); // after a pause of the browser, no leap
    last = now;
    scene?.draw();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  document.body.dataset.ready = "yes";
}

async function open(source: Source) {
  try {
    start(await source.open());
  } catch (error) {
    console.error(error);
    const why = error instanceof Damaged ? error.message : String(error);
    say(`This run cannot be shown: ${why}. Make the page again with carom run SCENE --out FILE.html.`);
    document.body.dataset.ready = "failed";
  }
}

void open(new EmbeddedSource());
