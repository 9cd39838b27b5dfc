// The time that the page shows, and how it goes on.
import { lastUpTo, type Run } from "./run";

export const kSpeeds = [1 / 256, 1 / 64, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];

// A run that goes on when it is asked to.
export interface Live {
  every: number; // s; between outputs
  stopped: string; // why it cannot
  goOn(from: number, speed: number): void;
  step(then: () => void): void;
  event(then: () => void): void;
}

export class Player {
  time: number;
  playing = false;
  speed: number; // simulated seconds a second
  event = -1; // the one last jumped to, while the time is its
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly run: Run,
    readonly live: Live | null = null,
  ) {
    this.time = run.times[0];
    const enough = kSpeeds.filter((speed) => speed <= 1 && (this.end - this.start) / speed >= 3);
    this.speed = live ? 1 : enough.length > 0 ? enough[enough.length - 1] : kSpeeds[0];
  }

  get start() {
    return this.run.times[0];
  }
  get end() {
    return this.run.times[this.run.times.length - 1];
  }
  get output() {
    return Math.max(0, lastUpTo(this.run.times, this.time));
  }

  onChange(listener: () => void) {
    this.listeners.push(listener);
  }

  seek(time: number, event = -1) {
    this.time = Math.max(this.start, Math.min(time, this.end));
    this.event = event;
    this.tell();
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end && !this.live) this.time = this.start;
    this.tell();
  }

  pause() {
    this.playing = false;
    this.tell();
  }

  setSpeed(speed: number) {
    this.speed = speed;
    this.tell();
  }

  changeSpeed(by: number) {
    const next = kSpeeds[kSpeeds.indexOf(this.speed) + by];
    if (next !== undefined) this.setSpeed(next);
  }

  stepOutput(by: number) {
    this.playing = false;
    const { times } = this.run;
    if (this.live && by > 0 && this.time >= this.end) return this.live.step(() => this.seek(this.end));
    const between = by < 0 && this.time > times[this.output] ? 1 : 0; // back to the output just passed
    this.seek(times[Math.max(0, Math.min(this.output + by + between, times.length - 1))]);
  }

  // To the next or the last moment at which something happened; its first event.
  stepEvent(by: number) {
    this.playing = false;
    const { t, count } = this.run.events;
    const at = lastUpTo(t, this.time);
    if (by > 0 && at + 1 < count) return this.seek(t[at + 1], at + 1);
    let i = at;
    while (i >= 0 && t[i] >= this.time) --i;
    if (by < 0 && i >= 0) {
      while (i > 0 && t[i - 1] === t[i]) --i;
      return this.seek(t[i], i);
    }
    if (by > 0 && this.live) return this.askForEvent(this.live);
    return this.tell();
  }

  // Of those that come the first after the moment shown; the end of what comes where there is none.
  private askForEvent(live: Live) {
    const { time } = this;
    live.event(() => {
      const i = lastUpTo(this.run.events.t, time) + 1;
      if (i < this.run.events.count) this.seek(this.run.events.t[i], i);
      else this.seek(this.end);
    });
  }

  // Of `seconds` that passed on the wall.
  advance(seconds: number) {
    if (!this.playing) return;
    this.time += seconds * this.speed;
    this.event = -1;
    this.live?.goOn(this.time, this.speed);
    if (this.time >= this.end) {
      this.time = this.end;
      if (!this.live || this.live.stopped) this.playing = false;
    }
    this.tell();
  }

  private tell() {
    for (const listener of this.listeners) listener();
  }
}
