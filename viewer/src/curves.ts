// Numbers over time, with a line at the moment shown; a click goes there.
import { color, element, number, prepare } from "./format";
import type { Player } from "./player";
import { roundNumbers } from "./plots";
import { type Mark } from "./report";
import { lastUpTo } from "./run";

const kEdge = { left: 46, right: 6, top: 6, bottom: 18 };

export interface Curve {
  name: string;
  colorName: string;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

// Logarithms start at the least difference that numbers of 16 digits show of a metre.
const kLeast = 1e-17;

export interface Look {
  id: string; // of the canvas; its labels are in `${id}-values`
  title: string;
  unit: string;
  isLogarithmic: boolean;
}

// The number of the output at a time, or the last before it.
function numberAt(times: ArrayLike<number>, t: number): number {
  return Math.max(0, lastUpTo(times, t));
}

export class CurvePlot {
  private readonly canvas: HTMLCanvasElement;
  private readonly labels: HTMLElement[];
  private readonly low: number;
  private readonly high: number;
  private readonly curvesCanvas = document.createElement("canvas"); // all but the line
  private isDrawn = false;

  constructor(
    private readonly curves: Curve[],
    private readonly player: Player,
    private readonly look: Look,
    private readonly marks: Mark[] = [],
  ) {
    this.canvas = element<HTMLCanvasElement>(look.id);
    let low = look.isLogarithmic ? Infinity : 0;
    let high = look.isLogarithmic ? -Infinity : 0;
    for (const { values } of curves)
      for (let i = 0; i < values.length; ++i) {
        low = Math.min(low, this.heightOf(values[i]));
        high = Math.max(high, this.heightOf(values[i]));
      }
    [this.low, this.high] = high > low ? [low, high] : [low - (look.isLogarithmic ? 1 : 0), low + 1];
    this.labels = curves.map(({ colorName }) => {
      const label = document.createElement("span");
      label.style.setProperty("--of", `var(${colorName})`);
      return element(`${look.id}-values`).appendChild(label);
    });
    this.listen();
  }

  redraw() {
    this.isDrawn = false;
    this.update();
  }

  update() {
    if (this.canvas.clientWidth === 0) return;
    if (!this.isDrawn) this.drawCurves();
    const { context, width, height } = prepare(this.canvas);
    context.drawImage(this.curvesCanvas, 0, 0, width, height);
    const x = this.xOf(this.player.time);
    context.fillStyle = color("--accent");
    context.fillRect(x - 0.75, kEdge.top, 1.5, this.canvas.clientHeight - kEdge.top - kEdge.bottom);
    const texts = this.curves.map(
      ({ name, times, values }) => `${name} ${number(values[numberAt(times, this.player.time)])} ${this.look.unit}`,
    );
    texts.forEach((text, i) => (this.labels[i].textContent = text));
    this.canvas.setAttribute("aria-label", `${this.look.title} over time; now ${texts.join(", ")}`);
    this.canvas.dataset.x = x.toFixed(1);
  }

  private heightOf(value: number) {
    return this.look.isLogarithmic ? Math.log10(Math.max(value, kLeast)) : value;
  }
  private labelOf(height: number) {
    return this.look.isLogarithmic ? (10 ** height).toExponential(0).replace("-", "−") : number(height, 3);
  }
  private get inner() {
    return this.canvas.clientWidth - kEdge.left - kEdge.right;
  }
  private xOf(t: number) {
    return kEdge.left + (this.inner * (t - this.player.start)) / (this.player.end - this.player.start || 1);
  }

  private drawCurves() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { context } = prepare(this.curvesCanvas, width, height);
    const inner = height - kEdge.top - kEdge.bottom;
    const yOf = (at: number) => kEdge.top + (inner * (this.high - at)) / (this.high - this.low);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = color("--soft");
    context.strokeStyle = color("--line");
    context.textBaseline = "middle";
    for (const at of roundNumbers(this.low, this.high)) {
      if (this.look.isLogarithmic && !Number.isInteger(at)) continue;
      context.textAlign = "right";
      context.fillText(this.labelOf(at), kEdge.left - 5, yOf(at));
      context.strokeRect(kEdge.left, Math.round(yOf(at)) + 0.5, this.inner, 0);
    }
    for (const t of roundNumbers(this.player.start, this.player.end || 1)) {
      context.textAlign = "center";
      context.fillText(`${number(t, 3)}${t === 0 ? " s" : ""}`, Math.min(this.xOf(t), width - 14), height - 7);
    }
    context.fillStyle = color("--bad");
    for (const { t } of this.marks) context.fillRect(this.xOf(t) - 0.5, kEdge.top, 1, inner);
    for (const curve of this.curves) this.drawCurve(context, curve, (value) => yOf(this.heightOf(value)));
    this.isDrawn = true;
  }

  // At most two points a pixel: the least and the greatest of the outputs that fall there.
  private drawCurve(context: CanvasRenderingContext2D, curve: Curve, yOf: (v: number) => number) {
    const { times, values, colorName } = curve;
    context.beginPath();
    context.lineWidth = 1.5;
    context.strokeStyle = color(colorName);
    for (let i = 0; i < times.length; ) {
      const x = this.xOf(times[i]);
      let [least, greatest] = [values[i], values[i]];
      for (++i; i < times.length && this.xOf(times[i]) < x + 0.5; ++i) {
        least = Math.min(least, values[i]);
        greatest = Math.max(greatest, values[i]);
      }
      context.lineTo(x, yOf(greatest));
      if (least < greatest) context.lineTo(x, yOf(least));
    }
    context.stroke();
  }

  private listen() {
    const seek = (event: PointerEvent) => {
      const part = (event.clientX - this.canvas.getBoundingClientRect().left - kEdge.left) / this.inner;
      this.player.seek(this.player.start + part * (this.player.end - this.player.start));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => event.buttons > 0 && seek(event));
    this.player.onChange(() => this.update());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
  }
}
