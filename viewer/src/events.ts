// The list of events. Only rows in view exist, so that a hundred thousand cost nothing.
import { element, make, number, seconds } from "./format";
import type { Player } from "./player";
import { kEventKinds, lastUpTo, length3, type Run } from "./run";

const kRow = 40; // px

export class EventList {
  private readonly list = element("events");
  private readonly sheet = make("div");
  private readonly filter = element<HTMLSelectElement>("events-filter");
  private shown: number[] = []; // the numbers of the events listed
  private rows = new Map<number, HTMLElement>();
  private chosen = -1; // a place in `shown`
  private body = -1;

  constructor(
    private readonly run: Run,
    private readonly player: Player,
  ) {
    this.list.append(this.sheet);
    this.fillFilter();
    this.filter.addEventListener("change", () => this.refill());
    this.list.addEventListener("scroll", () => this.draw());
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    player.onChange(() => this.follow());
    new ResizeObserver(() => this.draw()).observe(this.list);
    this.refill();
  }

  select(body: number) {
    this.body = body;
    const option = this.filter.querySelector<HTMLOptionElement>("option[value=body]")!;
    option.disabled = body < 0;
    option.textContent = body < 0 ? "of the selected body" : `of ${this.run.bodies[body].name}`;
    if (body < 0 && this.filter.value === "body") this.filter.value = "all";
    this.refill();
  }

  // Of a run that goes on, more have happened.
  measure() {
    this.fillFilter();
    this.refill();
  }

  private fillFilter() {
    const chosen = this.filter.value || "all";
    const { count, total } = this.run.events;
    element("events-count").textContent =
      count < total ? `the ${count.toLocaleString("en")} greatest of ${total.toLocaleString("en")}` : total.toLocaleString("en");
    this.filter.replaceChildren();
    this.filter.append(make("option", "all", { value: "all" }));
    const isNone = this.body < 0;
    const ofBody = isNone ? "of the selected body" : `of ${this.run.bodies[this.body].name}`;
    this.filter.append(make("option", ofBody, isNone ? { value: "body", disabled: "" } : { value: "body" }));
    const present = new Set(this.run.events.kind);
    for (const kind of [...present].sort()) this.filter.append(make("option", kEventKinds[kind], { value: String(kind) }));
    this.filter.value = chosen;
  }

  private refill() {
    const { kind, a, b, count } = this.run.events;
    const wanted = this.filter.value;
    this.shown = Array.from({ length: count }, (_, i) => i).filter(
      (i) => wanted === "all" || (wanted === "body" ? a[i] === this.body || b[i] === this.body : kind[i] === Number(wanted)),
    );
    this.sheet.style.height = `${kRow * this.shown.length}px`;
    this.forget();
    this.follow();
    this.draw();
  }

  private forget() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
  }

  // The chosen event is the one jumped to, else the last that has happened.
  private follow() {
    const { t } = this.run.events;
    const event = this.player.event >= 0 ? this.player.event : lastUpTo(t, this.player.time);
    const place = lastUpTo(this.shown, event);
    if (place === this.chosen && this.rows.has(place)) return;
    this.rows.get(this.chosen)?.setAttribute("aria-selected", "false");
    this.chosen = place;
    const { scrollTop, clientHeight } = this.list;
    const top = Math.max(0, place) * kRow;
    if (top < scrollTop || top + kRow > scrollTop + clientHeight) this.list.scrollTop = top - clientHeight / 2 + kRow;
    this.draw();
    this.rows.get(place)?.setAttribute("aria-selected", "true");
    this.list.setAttribute("aria-activedescendant", `event-${place}`);
  }

  private draw() {
    const { scrollTop, clientHeight } = this.list;
    const first = Math.max(0, Math.floor(scrollTop / kRow) - 3);
    const end = Math.min(this.shown.length, Math.ceil((scrollTop + clientHeight) / kRow) + 3);
    for (const [place, row] of this.rows)
      if (place < first || place >= end) {
        row.remove();
        this.rows.delete(place);
      }
    for (let place = first; place < end; ++place) if (!this.rows.has(place)) this.addRow(place);
  }

  private addRow(place: number) {
    const { t, kind, a, b, impulse, approach } = this.run.events;
    const i = this.shown[place];
    const row = make("div", "", { class: "event", role: "option", id: `event-${place}` });
    row.setAttribute("aria-selected", String(place === this.chosen));
    row.setAttribute("aria-setsize", String(this.shown.length));
    row.setAttribute("aria-posinset", String(place + 1));
    row.style.top = `${place * kRow}px`;
    const size = length3(impulse, i);
    const effect = size > 0 ? `${number(size, 3)} N s at ${number(approach[i], 3)} m/s` : "";
    row.append(`${seconds(t[i], 5)} ${kEventKinds[kind[i]]}`, make("b", effect));
    row.append(make("i", `${this.run.bodies[a[i]].name} – ${this.run.bodies[b[i]].name}`));
    row.addEventListener("click", () => this.jump(place));
    this.rows.set(place, row);
    this.sheet.append(row);
  }

  private jump(place: number) {
    if (place < 0 || place >= this.shown.length) return;
    this.player.pause();
    this.player.seek(this.run.events.t[this.shown[place]], this.shown[place]);
  }

  private onKey(event: KeyboardEvent) {
    const last = this.shown.length - 1;
    const places: Record<string, number> = {
      ArrowUp: this.chosen - 1, ArrowDown: this.chosen + 1, Home: 0, End: last, Enter: this.chosen,
      PageUp: Math.max(0, this.chosen - 10), PageDown: Math.min(last, this.chosen + 10),
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.jump(place);
  }
}
