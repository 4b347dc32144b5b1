// The player at one side of the board: name, captured pieces, clock.

import { Clock } from "./clock.js";
import { h, replace } from "./dom.js";
import { pieceImage } from "./pieces.js";

export class PlayerBar {
  constructor() {
    this.clock = new Clock();
    this.name = h("span", { class: "name" });
    this.note = h("span", { class: "away" });
    this.material = h("span", { class: "material" });
    this.dot = h("span", { class: "dot", "aria-hidden": "true" });
    this.then = h("span", { class: "then" });
    this.element = h("div", { class: "player" },
      this.dot, h("div", { class: "who" }, h("div", { class: "line" }, this.name, this.note), this.material), this.then, this.clock.element);
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
}
