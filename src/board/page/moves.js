// The list of the moves of a game that is being played.

import { clockText, clockWords } from "./clock.js";
import { button, h } from "./dom.js";
import { settings } from "./settings.js";
import { written } from "./speech.js";

export class Moves {
  // `onchoice(ply)`: 0 is the start.
  constructor(onchoice) {
    this.onchoice = onchoice;
    this.element = h("ol", { class: "moves", "aria-label": "Moves", tabindex: "0" });
    this.buttons = [];
    this.current = null;
    this.shown = "";
    // Elements beside the list take room from it later.
    new ResizeObserver(() => this.follow(this.current)).observe(this.element);
  }

  set({ plies, start, current }) {
    // The clock after a move comes with the server's answer.
    const key = JSON.stringify(plies.map((ply) => [ply.san, ply.white_ms, ply.black_ms])) + settings.pieceNames;
    if (key !== this.shown) this.build(plies, start);
    this.shown = key;
    this.buttons.forEach((element, index) => {
      if (index + 1 === current) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    });
    this.current = this.buttons[current - 1] ?? null;
    this.follow(this.current);
  }

  // Scrolls the list only, never the page.
  follow(target) {
    const list = this.element;
    if (!target) return list.scrollTo(0, 0);
    const [outer, inner] = [list.getBoundingClientRect(), target.getBoundingClientRect()];
    list.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    list.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }

  build(plies, start) {
    const [, turn, , , , number] = start.split(" ");
    let fullMove = Number(number) || 1;
    let isBlack = turn === "b";
    const rows = [];
    let row = null;
    this.buttons = plies.map(({ san, spent_ms: spent, white_ms: white, black_ms: black }, index) => {
      if (!row) {
        row = h("li", {}, h("span", { class: "number" }, `${fullMove}.`), isBlack && index === 0 && h("span", { class: "gap" }, "…"));
        rows.push(row);
      }
      const title = Number.isFinite(spent) ? `${(spent / 1000).toFixed(1)} s` : null;
      const left = isBlack ? black : white;
      const clock = Number.isFinite(left) && h("small", { class: "after" }, h("span", { "aria-hidden": "true" }, clockText(left)), h("span", { class: "hidden" }, `, ${clockWords(left)} left`));
      const element = button([written(san, settings.pieceNames)], () => this.onchoice(index + 1), { title, class: "move" });
      row.append(h("span", { class: "ply" }, element, clock));
      if (isBlack) {
        fullMove += 1;
        row = null;
      }
      isBlack = !isBlack;
      return element;
    });
    this.element.replaceChildren(...rows);
  }
}
