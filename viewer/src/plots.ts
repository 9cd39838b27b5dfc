// Energy, momentum, forces and more over time, with a line at the moment shown; a click goes there.
import { color, element, make, number, prepare } from "./format";
import type { Player } from "./player";
import { kQuantities } from "./quantities";
import type { Run } from "./run";

const kEdge = { left: 46, right: 6, top: 6, bottom: 18 };

export interface Curve {
  name: string;
  colorName: string;
  width: number;
  times: Float64Array;
  values: Float64Array;
}

// From the least to the greatest, and zero.
function rangeOf(curves: Curve[]): [number, number] {
  let [low, high] = [0, 0];
  for (const { values } of curves)
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  return high > low ? [low, high] : [low, low + 1];
}

// Two to five round numbers within [low, high].
export function roundNumbers(low: number, high: number): number[] {
  const step = 10 ** Math.floor(Math.log10((high - low) / 2));
  const factor = [1, 2, 5, 10].find((f) => (high - low) / (f * step) <= 4) ?? 10;
  const numbers: number[] = [];
  for (let n = Math.ceil(low / (factor * step)); n * factor * step <= high; ++n) numbers.push(n * factor * step);
  return numbers;
}

export class TimePlot {
  private readonly canvas = element<HTMLCanvasElement>("plot");
  private readonly choice = element<HTMLSelectElement>("quantity");
  private curves: Curve[] = [];
  private labels: HTMLElement[] = [];
  private low = 0;
  private high = 1;
  private body = -1;
  private readonly curvesCanvas = document.createElement("canvas"); // all but the line
  private isDrawn = false;

  constructor(
    private readonly run: Run,
    private readonly player: Player,
  ) {
    kQuantities.forEach(({ name }, i) => this.choice.append(make("option", name, { value: String(i) })));
    this.choice.addEventListener("change", () => this.measure());
    this.measure();
    this.listen();
  }

  select(body: number) {
    this.body = body;
    this.measure();
  }

  // Looks at the run anew.
  measure() {
    this.curves = this.quantity.curves(this.run, this.body);
    [this.low, this.high] = rangeOf(this.curves);
    this.labels = this.curves.map(({ colorName }) => {
      const label = make("span");
      label.style.setProperty("--of", `var(${colorName})`);
      return label;
    });
    if (this.curves.length === 0) this.labels = [make("i", "select a body")];
    element("plot-values").replaceChildren(...this.labels);
    this.redraw();
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
    const k = this.player.output;
    const { name: title, unit } = this.quantity;
    const texts = this.curves.map(({ name, values }) => `${name} ${number(values[k])} ${unit}`);
    texts.forEach((text, i) => (this.labels[i].textContent = text));
    this.canvas.setAttribute("aria-label", `${title} over time; now ${texts.join(", ")}`);
    this.canvas.dataset.x = x.toFixed(1);
  }

  private get quantity() {
    return kQuantities[Number(this.choice.value)];
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
    const yOf = (value: number) => kEdge.top + (inner * (this.high - value)) / (this.high - this.low);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = color("--soft");
    context.strokeStyle = color("--line");
    context.textBaseline = "middle";
    for (const value of roundNumbers(this.low, this.high)) {
      context.textAlign = "right";
      context.fillText(number(value, 3), kEdge.left - 5, yOf(value));
      context.strokeRect(kEdge.left, Math.round(yOf(value)) + 0.5, this.inner, 0);
    }
    for (const t of roundNumbers(this.player.start, this.player.end || 1)) {
      context.textAlign = "center";
      context.fillText(`${number(t, 3)}${t === 0 ? " s" : ""}`, Math.min(this.xOf(t), width - 14), height - 7);
    }
    for (const curve of this.curves) this.drawCurve(context, curve, yOf);
    this.isDrawn = true;
  }

  // At most two points a pixel: the least and the greatest of the outputs that fall there.
  private drawCurve(context: CanvasRenderingContext2D, { times, values, colorName, width }: Curve, yOf: (v: number) => number) {
    context.beginPath();
    context.lineWidth = width;
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
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
  }
}
