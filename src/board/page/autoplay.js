// Plays a game through by itself, until a step by hand.

import { icon, iconButton, replace } from "./dom.js";
import { settings } from "./settings.js";

const TWICE_MS = 350;

export class Autoplay {
  // `next()` makes a move and says whether there was one; `hasNext()` whether there is one.
  constructor({ next, hasNext }) {
    Object.assign(this, { next, hasNext, timer: null, pressedAt: -TWICE_MS });
    this.button = iconButton("play", "Play through (Space)", () => this.press(), { "aria-pressed": "false" });
  }

  // Once begins or stops; twice quickly makes the next move at once, and it plays on.
  press() {
    const now = performance.now();
    const isTwice = now - this.pressedAt < TWICE_MS;
    this.pressedAt = now;
    const isPlaying = this.timer !== null;
    this.stop();
    if (isTwice ? this.next() && this.hasNext() : !isPlaying && this.hasNext()) this.wait();
  }

  wait() {
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.next() && this.hasNext()) this.wait();
      else this.show();
    }, 1000 * settings.autoplayS);
    this.show();
  }

  stop() {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.show();
  }

  show() {
    const isPlaying = this.timer !== null;
    replace(this.button, icon(isPlaying ? "pause" : "play"));
    this.button.setAttribute("aria-pressed", String(isPlaying));
  }
}
