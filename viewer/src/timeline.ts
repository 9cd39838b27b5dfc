// The bar at the bottom: buttons, speed, the slider with ticks at events, the clock.
import { color, element, make, prepare, seconds } from "./format";
import { kSpeeds, type Player } from "./player";
import { isJump, type Run } from "./run";

const kPlay = "M4 2v12l10-6z";
const kPause = "M3 2h4v12H3zM9 2h4v12H9z";

export class Timeline {
  private readonly scrub = element<HTMLInputElement>("scrub");
  private readonly play = element<HTMLButtonElement>("play");
  private readonly icon = this.play.querySelector("path")!;
  private readonly speed = element<HTMLSelectElement>("speed");
  private readonly clock = element<HTMLOutputElement>("clock");
  private readonly digits: number; // of a second, so that outputs differ

  constructor(
    private readonly run: Run,
    private readonly player: Player,
  ) {
    const between = player.live?.every ?? (player.end - player.start) / Math.max(1, run.times.length - 1);
    this.digits = Math.max(2, Math.min(9, 1 - Math.floor(Math.log10(between || 1))));
    this.scrub.addEventListener("input", () => player.seek(Number(this.scrub.value)));
    this.scrub.addEventListener("keydown", (event) => this.onSliderKey(event));
    const onClick = (id: string, act: () => void) => element(id).addEventListener("click", act);
    onClick("play", () => player.toggle());
    onClick("step", () => player.stepOutput(1));
    onClick("step-back", () => player.stepOutput(-1));
    onClick("event-next", () => player.stepEvent(1));
    onClick("event-back", () => player.stepEvent(-1));
    for (const speed of kSpeeds)
      this.speed.append(make("option", speed < 1 ? `1/${1 / speed}` : `${speed}×`, { value: String(speed) }));
    this.speed.addEventListener("change", () => player.setSpeed(Number(this.speed.value)));
    player.onChange(() => this.update());
    new ResizeObserver(() => this.drawTicks()).observe(element("ticks"));
    this.measure();
  }

  // Of a run that goes on, the end moves.
  measure() {
    this.scrub.min = String(this.player.start);
    this.scrub.max = String(Math.max(this.player.end, this.player.start + 1e-9));
    this.drawTicks();
    this.update();
  }

  drawTicks() {
    const { context, width, height } = prepare(element<HTMLCanvasElement>("ticks"));
    const { events } = this.run;
    const span = this.player.end - this.player.start || 1;
    const counts = new Float32Array(Math.ceil(width) + 1);
    for (let i = 0; i < events.count; ++i)
      if (isJump(events.kind[i])) ++counts[Math.round(((events.t[i] - this.player.start) / span) * width)];
    context.fillStyle = color("--kinetic");
    counts.forEach((count, x) => {
      if (count === 0) return;
      const tall = Math.min(height / 2 - 4, 2 + 2 * Math.log2(1 + count));
      context.globalAlpha = 0.65;
      context.fillRect(x, height - tall, 1, tall);
    });
    context.globalAlpha = 1;
    context.fillStyle = color("--bad");
    for (const { t } of this.run.report?.marks ?? [])
      context.fillRect(Math.round(((t - this.player.start) / span) * width) - 1, 0, 2, height);
  }

  private update() {
    const { player } = this;
    this.scrub.value = String(player.time);
    this.scrub.setAttribute("aria-valuetext", seconds(player.time, this.digits));
    this.icon.setAttribute("d", player.playing ? kPause : kPlay);
    this.play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    this.speed.value = String(player.speed);
    const output = `output ${player.output + 1} of ${this.run.times.length}`;
    this.clock.textContent = seconds(player.time, this.digits);
    this.clock.append(make("span", ` of ${seconds(player.end, 2)}`));
    this.clock.title = output;
    this.clock.dataset.output = String(player.output);
  }

  // The slider's own steps would be tenths of the whole.
  private onSliderKey(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.player.stepOutput(step);
  }
}
