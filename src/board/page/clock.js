// A clock: counts down between two states of the server, which alone decides.

import { h } from "./dom.js";
import { play } from "./sound.js";
import { announce } from "./tell.js";

const TENTHS_BELOW_MS = 20_000;
const LOW_MS = 10_000;
const TOLD_MS = [60_000, 30_000, 10_000];

// 3_723_400 -> "1:02:03"; under 20 seconds with tenths.
export function clockText(ms) {
  const left = Math.max(0, ms);
  // Rounded down, so a clock that shows time has not run out.
  const tenths = Math.floor(left / 100);
  const seconds = Math.floor(tenths / 10);
  const pad = (number) => String(number).padStart(2, "0");
  if (left < TENTHS_BELOW_MS) return `0:${pad(seconds)}.${tenths % 10}`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

// The same in words.
export function clockWords(ms) {
  if (ms === null) return "no limit";
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = [[hours, "hour"], [minutes, "minute"], [seconds % 60, "second"]];
  const words = parts.filter(([count]) => count).map(([count, name]) => `${count} ${name}${count === 1 ? "" : "s"}`);
  return words.join(" ") || "no time";
}

export class Clock {
  constructor() {
    this.text = h("span", {});
    this.toGo = h("small", { hidden: true });
    this.element = h("div", { class: "clock", role: "timer", hidden: true }, this.text, this.toGo);
    this.ms = null;
    this.isRunning = false;
    this.isOwn = false;
    this.name = "";
  }

  // `ms` is what was left at the time `since`; null is no clock. A running clock stands still for `delay` first.
  // `movesToGo` are the moves for which it must last.
  set({ ms, isRunning, isOwn, name, since = performance.now(), delay = 0, movesToGo = null }) {
    clearTimeout(this.timer);
    Object.assign(this, { ms, isRunning, isOwn, name, at: since + (delay ?? 0) });
    this.element.hidden = ms === null;
    this.element.setAttribute("aria-label", `Clock of ${name}`);
    this.element.classList.toggle("running", isRunning);
    this.toGo.hidden = movesToGo === null;
    this.toGo.textContent = movesToGo === 1 ? "for 1 move" : `for ${movesToGo} moves`;
    this.before = this.left;
    this.tick();
  }

  get left() {
    if (this.ms === null) return null;
    return Math.max(0, this.isRunning ? this.ms - Math.max(0, performance.now() - this.at) : this.ms);
  }

  tick() {
    const { left } = this;
    if (left === null) return;
    const text = clockText(left);
    if (this.text.textContent !== text) this.text.textContent = text;
    this.element.classList.toggle("low", left < TENTHS_BELOW_MS);
    if (this.isRunning && this.isOwn) {
      if (this.before > LOW_MS && left <= LOW_MS) play("low");
      if (TOLD_MS.some((ms) => this.before > ms && left <= ms)) announce(`${clockWords(left)} left.`);
    }
    this.before = left;
    if (!this.isRunning || left === 0) return;
    const wait = Math.max(0, this.at - performance.now());
    this.timer = setTimeout(() => this.tick(), wait + (left < TENTHS_BELOW_MS ? (left % 100) + 1 : (left % 1000) + 1));
  }

  stop() {
    clearTimeout(this.timer);
  }
}
