// Curves over time on a canvas, with a line at the moment shown; a click goes there.
import { color, number, prepare } from "./format";
import type { Player } from "./player";
import type { Mark } from "./report";

const kEdge = { left: 46, right: 6, top: 6, bottom: 18 };

export interface Curve {
  name: string;
  colorName: string;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
  width?: number; // pixels
}

// What values are drawn by: their heights lie between low and high; heights without a label have no line.
export interface Scale {
  low: number;
  high: number;
  heightOf(value: number): number;
  labelOf(height: number): string | undefined;
}

export interface Content {
  curves: Curve[];
  scale: Scale;
  marks: Mark[]; // moments to mark
}

// Two to five round numbers within [low, high].
function roundNumbers(low: number, high: number): number[] {
  const step = 10 ** Math.floor(Math.log10((high - low) / 2));
  const factor = [1, 2, 5, 10].find((f) => (high - low) / (f * step) <= 4) ?? 10;
  const numbers: number[] = [];
  for (let n = Math.ceil(low / (factor * step)); n * factor * step <= high; ++n) numbers.push(n * factor * step);
  return numbers;
}

export class TimeCanvas {
  private readonly drawn = document.createElement("canvas"); // all but the line
  private isDrawn = false;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly player: Player,
  ) {}

  // Asks for an update where the pointer seeks, time moves on or the size changes.
  listen(update: () => void, redraw: () => void) {
    const seek = (event: PointerEvent) => {
      const part = (event.clientX - this.canvas.getBoundingClientRect().left - kEdge.left) / this.inner;
      this.player.seek(this.player.start + part * (this.player.end - this.player.start));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => event.buttons > 0 && seek(event));
    this.player.onChange(update);
    new ResizeObserver(redraw).observe(this.canvas);
  }

  // What it shows is another, or looks otherwise.
  forget() {
    this.isDrawn = false;
  }

  get isVisible() {
    return this.canvas.clientWidth > 0;
  }

  show(content: Content, label: string) {
    if (!this.isDrawn) this.draw(content);
    this.isDrawn = true;
    const { context, width, height } = prepare(this.canvas);
    context.drawImage(this.drawn, 0, 0, width, height);
    const x = this.xOf(this.player.time);
    context.fillStyle = color("--accent");
    context.fillRect(x - 0.75, kEdge.top, 1.5, this.canvas.clientHeight - kEdge.top - kEdge.bottom);
    this.canvas.setAttribute("aria-label", label);
    this.canvas.dataset.x = x.toFixed(1);
  }

  private get inner() {
    return this.canvas.clientWidth - kEdge.left - kEdge.right;
  }
  private xOf(t: number) {
    return kEdge.left + (this.inner * (t - this.player.start)) / (this.player.end - this.player.start || 1);
  }

  private draw({ curves, scale, marks }: Content) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { context } = prepare(this.drawn, width, height);
    const inner = height - kEdge.top - kEdge.bottom;
    const yOf = (at: number) => kEdge.top + (inner * (scale.high - at)) / (scale.high - scale.low);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = color("--soft");
    context.strokeStyle = color("--line");
    context.textBaseline = "middle";
    for (const at of roundNumbers(scale.low, scale.high)) {
      const label = scale.labelOf(at);
      if (label === undefined) continue;
      context.textAlign = "right";
      context.fillText(label, kEdge.left - 5, yOf(at));
      context.strokeRect(kEdge.left, Math.round(yOf(at)) + 0.5, this.inner, 0);
    }
    for (const t of roundNumbers(this.player.start, this.player.end || 1)) {
      context.textAlign = "center";
      context.fillText(`${number(t, 3)}${t === 0 ? " s" : ""}`, Math.min(this.xOf(t), width - 14), height - 7);
    }
    context.fillStyle = color("--bad");
    for (const { t } of marks) context.fillRect(this.xOf(t) - 0.5, kEdge.top, 1, inner);
    for (const curve of curves) this.drawCurve(context, curve, (value) => yOf(scale.heightOf(value)));
  }

  // At most two points a pixel: the least and the greatest of the outputs that fall there.
  private drawCurve(context: CanvasRenderingContext2D, curve: Curve, yOf: (value: number) => number) {
    const { times, values, colorName, width = 1.5 } = curve;
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
}
