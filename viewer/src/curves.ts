// Numbers of several runs over time.
import { element, number } from "./format";
import type { Player } from "./player";
import { type Mark } from "./report";
import { lastUpTo } from "./run";
import { type Curve, type Scale, TimeCanvas } from "./time_canvas";

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

function scaleOf(curves: Curve[], isLogarithmic: boolean): Scale {
  const heightOf = (value: number) => (isLogarithmic ? Math.log10(Math.max(value, kLeast)) : value);
  const labelOf = (height: number) => {
    if (!isLogarithmic) return number(height, 3);
    return Number.isInteger(height) ? (10 ** height).toExponential(0).replace("-", "−") : undefined;
  };
  let low = isLogarithmic ? Infinity : 0;
  let high = isLogarithmic ? -Infinity : 0;
  for (const { values } of curves)
    for (let i = 0; i < values.length; ++i) {
      low = Math.min(low, heightOf(values[i]));
      high = Math.max(high, heightOf(values[i]));
    }
  if (high > low) return { low, high, heightOf, labelOf };
  return { low: low - (isLogarithmic ? 1 : 0), high: low + 1, heightOf, labelOf };
}

export class CurvePlot {
  private readonly canvas: TimeCanvas;
  private readonly labels: HTMLElement[];
  private readonly scale: Scale;

  constructor(
    private readonly curves: Curve[],
    private readonly player: Player,
    private readonly look: Look,
    private readonly marks: Mark[] = [],
  ) {
    this.canvas = new TimeCanvas(element<HTMLCanvasElement>(look.id), player);
    this.scale = scaleOf(curves, look.isLogarithmic);
    this.labels = curves.map(({ colorName }) => {
      const label = document.createElement("span");
      label.style.setProperty("--of", `var(${colorName})`);
      return element(`${look.id}-values`).appendChild(label);
    });
    this.canvas.listen(
      () => this.update(),
      () => this.redraw(),
    );
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  redraw() {
    this.canvas.forget();
    this.update();
  }

  update() {
    if (!this.canvas.isVisible) return;
    const texts = this.curves.map(
      ({ name, times, values }) => `${name} ${number(values[numberAt(times, this.player.time)])} ${this.look.unit}`,
    );
    texts.forEach((text, i) => (this.labels[i].textContent = text));
    this.canvas.show(
      { curves: this.curves, scale: this.scale, marks: this.marks },
      `${this.look.title} over time; now ${texts.join(", ")}`,
    );
  }
}
