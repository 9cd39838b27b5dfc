// Numbers as people read them.
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const isPlain = size === 0 || (size >= 1e-4 && size < 1e6);
  const text = isPlain ? value.toPrecision(digits) : value.toExponential(digits - 1);
  return text.replace(/\.0+(?=e|$)|(\.\d*?[1-9])0+(?=e|$)/, "$1").replace("e+", "e").replaceAll("-", "−");
}

export const vector = (values: ArrayLike<number>, digits = 3) =>
  Array.from(values, (value) => number(Math.abs(value) < 1e-12 ? 0 : value, digits)).join(", ");

export const seconds = (t: number, digits = 4) => `${t.toFixed(digits)} s`;

export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw Error(`the page has no #${id}`);
  return found as T;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text = "",
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

export function fillTable(into: HTMLElement, rows: [string, string][]) {
  const table = make("table");
  for (const [name, value] of rows) {
    const row = make("tr");
    row.append(make("th", name, { scope: "row" }), make("td", value));
    table.append(row);
  }
  into.append(table);
}

// A canvas in device pixels, cleared; sizes in CSS pixels.
export function prepare(canvas: HTMLCanvasElement, width = canvas.clientWidth, height = canvas.clientHeight) {
  const context = canvas.getContext("2d")!;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, width, height };
}

export const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
