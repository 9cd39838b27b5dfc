// What can be changed while a simulation goes on: method, law, step, and any value of the scene.
import { element, make } from "./format";
import type { LiveSource } from "./live";

const kMostPointers = 3000;
const kOptional = [["gravity", "[0, 0, -9.81]"]]; // of what a scene need not say, what one wants to change

// Of the numbers, words and flags in a scene.
function pointersOf(value: unknown, at = "", found: Map<string, string> = new Map()): Map<string, string> {
  if (found.size >= kMostPointers) return found;
  if (value === null || typeof value !== "object") return found.set(at, JSON.stringify(value));
  for (const [key, child] of Object.entries(value))
    pointersOf(child, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, found);
  return found;
}

export class LivePanel {
  private readonly method = element<HTMLSelectElement>("live-method");
  private readonly law = element<HTMLSelectElement>("live-law");
  private readonly step = element<HTMLInputElement>("live-step");
  private readonly pointer = element<HTMLInputElement>("live-pointer");
  private readonly value = element<HTMLInputElement>("live-value");
  private readonly known: Map<string, string>;

  // `now` is the moment shown.
  constructor(
    private readonly live: LiveSource,
    private readonly now: () => number,
  ) {
    element("live-section").hidden = false;
    const scene = live.scene.document ? JSON.parse(live.scene.document) : {};
    this.known = pointersOf(scene);
    for (const [key, usual] of kOptional) if (scene[key] === undefined) this.known.set(`/${key}`, usual);
    element("live-pointers").append(...[...this.known.keys()].map((value) => make("option", "", { value })));
    this.showMethod(typeof scene.method?.step === "number" || scene.method?.step ? String(scene.method.step) : "");
    this.showChanges();
    this.listen();
  }

  showSpeed() {
    const { stopped, speed } = this.live;
    element("live-speed").textContent = stopped ? "" : `${speed.toPrecision(2)}× real time at most`;
  }

  private showMethod(step: string) {
    const { method, impact } = this.live.run.summary;
    for (const { name, summary } of this.live.scene.methods) this.method.append(make("option", name, { value: name, title: summary }));
    this.method.value = method;
    const laws = this.live.scene.methods.find(({ name }) => name === method)?.laws ?? [];
    for (const law of laws) this.law.append(make("option", law, { value: law }));
    this.law.disabled = laws.length === 0;
    this.law.value = impact;
    this.step.value = step;
  }

  private showChanges() {
    const list = element("live-changes");
    for (const [pointer, value] of this.live.scene.changes) {
      const item = make("li", `${pointer} = ${value} `);
      const undo = make("button", "×", { "aria-label": `The file's value again for ${pointer}` });
      undo.addEventListener("click", () => this.set(pointer, ""));
      item.append(undo);
      list.append(item);
    }
  }

  private set(pointer: string, value: string) {
    this.live.change(this.now(), [[pointer, value]]);
  }

  private listen() {
    this.method.addEventListener("change", () => this.set("/method", JSON.stringify({ name: this.method.value })));
    this.law.addEventListener("change", () => this.set("/method/impact", this.law.value));
    this.step.addEventListener("change", () => this.set("/method/step", this.step.value.trim()));
    this.pointer.addEventListener("input", () => {
      const known = this.known.get(this.pointer.value);
      if (known !== undefined) this.value.value = known;
    });
    element("live-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.set(this.pointer.value.trim(), this.value.value.trim());
    });
    element("live-restart").addEventListener("click", () => this.live.restart());
  }
}
