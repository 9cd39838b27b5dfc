// Energy, momentum, forces and more over time.
import { element, make, number } from "./format";
import type { Player } from "./player";
import { kQuantities } from "./quantities";
import type { Run } from "./run";
import { type Curve, type Scale, TimeCanvas } from "./time_canvas";

// From the least to the greatest, and zero.
function scaleOf(curves: Curve[]): Scale {
  let [low, high] = [0, 0];
  for (const { values } of curves)
    for (let i = 0; i < values.length; ++i) {
      low = Math.min(low, values[i]);
      high = Math.max(high, values[i]);
    }
  return { low, high: high > low ? high : low + 1, heightOf: (value) => value, labelOf: (height) => number(height, 3) };
}

export class TimePlot {
  private readonly canvas: TimeCanvas;
  private readonly choice = element<HTMLSelectElement>("quantity");
  private curves: Curve[] = [];
  private labels: HTMLElement[] = [];
  private scale = scaleOf([]);
  private body = -1;

  constructor(
    private readonly run: Run,
    private readonly player: Player,
  ) {
    this.canvas = new TimeCanvas(element<HTMLCanvasElement>("plot"), player);
    kQuantities.forEach(({ name }, i) => this.choice.append(make("option", name, { value: String(i) })));
    this.choice.addEventListener("change", () => this.measure());
    this.measure();
    this.canvas.listen(
      () => this.update(),
      () => this.redraw(),
    );
  }

  select(body: number) {
    this.body = body;
    this.measure();
  }

  // Looks at the run anew.
  measure() {
    this.curves = this.quantity.curves(this.run, this.body);
    this.scale = scaleOf(this.curves);
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
    this.canvas.forget();
    this.update();
  }

  update() {
    if (!this.canvas.isVisible) return;
    const k = this.player.output;
    const { name: title, unit } = this.quantity;
    const texts = this.curves.map(({ name, values }) => `${name} ${number(values[k])} ${unit}`);
    texts.forEach((text, i) => (this.labels[i].textContent = text));
    this.canvas.show(
      { curves: this.curves, scale: this.scale, marks: [] },
      `${title} over time; now ${texts.join(", ")}`,
    );
  }

  private get quantity() {
    return kQuantities[Number(this.choice.value)];
  }
}
