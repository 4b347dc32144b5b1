// A scratch line: moves that are tried from a position of the game, shown apart and never saved. Its end leads back to
// that position.

import { button, h, iconButton, replace } from "./dom.js";
import { settings } from "./settings.js";
import { written } from "./speech.js";

export class Scratch {
  // `onturn()`: the switch is pressed; `ongo(node)`: a move of the line is chosen; `onkeep()`: it is to be a variation.
  constructor({ onturn, ongo, onkeep }) {
    Object.assign(this, { ongo, tree: null, home: null, moves: [] });
    this.toggle = iconButton("branch", "Try moves that are not part of the game (t)", onturn, { "aria-pressed": "false" });
    this.from = h("strong", {});
    this.line = h("div", { class: "scratch-moves" });
    this.keeps = button("Keep as variation", onkeep, { class: "primary" });
    this.element = h("section", { class: "scratch panel", hidden: true, "aria-label": "Moves that are tried" },
      h("p", {}, this.from, " ", h("small", {}, "Not saved.")), this.line, h("div", { class: "actions" }, this.keeps, button("Back to the game", onturn, { class: "quiet" })));
  }

  get isOn() {
    return this.home !== null;
  }

  begin(tree, home) {
    Object.assign(this, { tree, home, moves: [] });
    this.turned();
    this.show(home);
  }

  // The position of the game to which it leads back.
  end() {
    const { home } = this;
    Object.assign(this, { home: null, moves: [] });
    this.turned();
    return home;
  }

  turned() {
    this.element.hidden = !this.isOn;
    this.toggle.setAttribute("aria-pressed", String(this.isOn));
    // Buttons that change the game are disabled during the line.
    this.toggle.parentElement?.querySelectorAll("button").forEach((other) => {
      if (other !== this.toggle) other.disabled = this.isOn;
    });
    this.element.closest(".analysis")?.classList.toggle("is-scratch", this.isOn);
  }

  has(node) {
    return node === this.home || this.moves.includes(node);
  }

  // The line has no variations: another move takes the place of what followed.
  play(from, move) {
    this.moves.length = this.moves.indexOf(from) + 1;
    const node = this.tree.tried(from, move);
    this.moves.push(node);
    return node;
  }

  next(node) {
    return this.moves[this.moves.indexOf(node) + 1] ?? null;
  }

  previous(node) {
    return node === this.home ? null : node.parent;
  }

  // Takes a move and what follows back; where the line ends then, or null if there is nothing to take back.
  takeBack(node) {
    const place = this.moves.indexOf(node);
    if (place < 0) return null;
    this.moves.length = place;
    return node.parent;
  }

  show(current) {
    const { home, moves, tree } = this;
    if (!this.isOn) return;
    this.from.textContent = home.parent ? `Tried after ${tree.number(home).replace("...", "…")} ${written(home.san, settings.pieceNames)}` : "Tried from the start";
    this.keeps.disabled = moves.length === 0;
    replace(this.line, moves.length ? moves.flatMap((node, index) => [button([
      (index === 0 || tree.mover(node) === "white") && h("span", { class: "number" }, `${tree.number(node).replace("...", "…")} `), written(node.san, settings.pieceNames)].filter(Boolean),
    () => this.ongo(node), { class: "move", "aria-current": node === current ? "true" : null }), " "]) : h("span", { class: "note" }, "Make moves on the board."));
  }
}
