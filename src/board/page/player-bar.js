// The player at one side of the board: name, captured pieces, clock.

import { Clock } from "./clock.js";
import { h, replace } from "./dom.js";
import { pieceImage } from "./pieces.js";

const SECOND_MS = 1000;

// A round-trip time in short, and in words.
const lagText = (ms) => (ms < SECOND_MS ? `${ms} ms` : `${(ms / SECOND_MS).toFixed(1)} s`);
const lagWords = (ms) => (ms < SECOND_MS ? `${ms} milliseconds` : `${(ms / SECOND_MS).toFixed(1)} seconds`);

export class PlayerBar {
  constructor() {
    this.clock = new Clock();
    this.name = h("span", { class: "name" });
    this.note = h("span", { class: "away" });
    this.lag = h("span", { class: "lag", hidden: true });
    this.material = h("span", { class: "material" });
    this.dot = h("span", { class: "dot", "aria-hidden": "true" });
    this.then = h("span", { class: "then" });
    this.element = h("div", { class: "player" },
      this.dot, h("div", { class: "who" }, h("div", { class: "line" }, this.name, this.note, this.lag), this.material), this.then, this.clock.element);
  }

  // `more`: roles that this side has more; `lead`: the surplus in pawns; `then`: the clock of the shown position.
  set({ color, name, note, more, lead, hasMove, clock, then = "" }) {
    this.element.dataset.color = color;
    this.element.classList.toggle("to-move", hasMove);
    this.name.textContent = name;
    this.note.textContent = note;
    this.then.textContent = then;
    const opponents = (role) => (color === "white" ? role : role.toUpperCase());
    replace(this.material, more.map((role) => pieceImage(opponents(role), "small-piece")), lead > 0 && h("span", { class: "lead" }, `+${lead}`));
    this.material.setAttribute("aria-label", lead > 0 ? `${lead} ahead` : "");
    this.clock.set({ ...clock, name });
  }

  // The round-trip time of the player's connection in milliseconds, null if it is not known, and what of it the clock
  // does not lose in each move.
  setLag(ms, free = 0) {
    this.lag.hidden = ms === null && free === 0;
    const parts = [ms !== null && [lagText(ms), `connection: ${lagWords(ms)} there and back`], free > 0 && [`−${lagText(free)}`, `${lagWords(free)} of each move are not charged`]].filter(Boolean);
    replace(this.lag, h("span", { "aria-hidden": "true" }, parts.map(([text]) => text).join(" ")), h("span", { class: "hidden" }, parts.map(([, words]) => words).join(", ")));
    this.lag.title = `The time for a message to this player and back. ${free > 0 ? `Of each move the clock does not lose ${lagText(free)}.` : "The clock makes no allowance for it."}`;
  }
}
