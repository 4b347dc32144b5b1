// A search for a pattern: the pieces of a board, whatever stands on its other squares, and numbers of pieces.

import { button, checkbox, h, replace, select } from "./dom.js";
import { pieceImage, pieceName } from "./pieces.js";
import { SQUARES, squareAt } from "./placement.js";

// The wildcards of a square, as a query writes them: any man of a color, or nothing.
export const WILDCARDS = [["A", "any white piece"], ["a", "any black piece"], [".", "no piece"]];
const WILD_NAMES = { A: "white", a: "black", ".": "empty" };
const COUNTED = [..."QRBNPqrbnp"];
const OPERATORS = [["", "any"], ["=", "="], [">=", "≥"], ["<=", "≤"]];
const MOST = 10;

export class PatternSearch {
  // `pieces()` of the board; `onchange()` when the pattern has changed; `onfind(query)`.
  constructor({ pieces, ontool, onchange, onfind }) {
    Object.assign(this, { pieces, ontool, onchange, wildcards: new Map(), counts: new Map(), counters: new Map(), tool: null });
    this.tools = h("div", { class: "wildcards", role: "group", "aria-label": "What may stand on a square" });
    this.query = h("code", { class: "pattern-query" });
    this.finds = button("Find games", () => onfind(this.term), { class: "primary" });
    const count = (letter) => {
      const number = h("input", { type: "number", min: "0", max: String(MOST), value: "1", "aria-label": `Number: ${pieceName(letter)}`, hidden: true, oninput: () => this.count(letter, { goesOn: true }) });
      const operator = select(OPERATORS, "", () => this.count(letter), { "aria-label": `How many: ${pieceName(letter)}` });
      this.counters.set(letter, { operator, number });
      return h("div", { class: "count-of" }, pieceImage(letter, "choice-piece"), operator, number);
    };
    const exchanged = checkbox("Also with the colors exchanged", false, () => this.changed());
    this.either = exchanged.querySelector("input");
    this.element = h("details", { class: "pattern" }, h("summary", {}, "Find games with a pattern"),
      h("p", { class: "note" }, "The pieces on the board must stand where they are; squares without one may have anything."),
      this.tools, h("fieldset", { class: "choice" }, h("legend", {}, "Numbers of pieces, wherever they are"), h("div", { class: "counts" }, COUNTED.map(count))),
      exchanged,
      h("p", {}, this.query), h("div", { class: "actions" }, this.finds));
    this.showTools();
  }

  showTools() {
    replace(this.tools, WILDCARDS.map(([sign, text]) => button([h("span", { class: `square wild-${WILD_NAMES[sign]}`, "aria-hidden": "true" }), text[0].toUpperCase() + text.slice(1)], () => this.ontool(sign), { "aria-pressed": String(this.tool === sign) })));
  }

  setTool(tool) {
    this.tool = tool;
    this.showTools();
  }

  // `goesOn`: a number is being typed.
  count(letter, { goesOn = false } = {}) {
    const { operator, number } = this.counters.get(letter);
    const value = Math.min(MOST, Math.max(0, Math.trunc(Number(number.value) || 0)));
    number.hidden = !operator.value;
    if (operator.value) this.counts.set(letter, operator.value + value);
    else this.counts.delete(letter);
    this.changed(goesOn);
  }

  changed(goesOn = false) {
    this.show();
    this.onchange(goesOn);
  }

  // Puts a wildcard on a square, or takes the same one away.
  toggle(square, sign) {
    if (this.wildcards.get(square) === sign) this.wildcards.delete(square);
    else this.wildcards.set(square, sign);
  }

  // The squares with each of them, by the names of their marks.
  marks() {
    return WILDCARDS.map(([sign]) => [`wild-${WILD_NAMES[sign]}`, SQUARES.filter((square) => this.wildcards.get(square) === sign)]);
  }

  get isEither() {
    return this.either.checked;
  }

  // The parameters in an address, without the pieces, and out of one; empty ones are left out.
  get parameters() {
    return {
      wild: [...this.wildcards].map(([square, sign]) => square + sign).join(""),
      count: COUNTED.filter((letter) => this.counts.has(letter)).map((letter) => letter + this.counts.get(letter)).join(" "),
      either: this.isEither ? "1" : "",
    };
  }

  read(query) {
    this.wildcards = new Map([...(query.get("wild") ?? "").matchAll(/([a-h][1-8])([Aa.])/g)].map(([, square, sign]) => [square, sign]));
    this.counts = new Map([...(query.get("count") ?? "").matchAll(/([QRBNPqrbnp])(=|>=|<=)(\d+)/g)].map(([, letter, operator, value]) => [letter, operator + Math.min(MOST, Number(value))]));
    for (const [letter, { operator, number }] of this.counters) {
      const [, sign = "", value = "1"] = /^(\D+)(\d+)$/.exec(this.counts.get(letter) ?? "") ?? [];
      operator.value = sign;
      number.value = value;
      number.hidden = !sign;
    }
    this.either.checked = query.get("either") === "1";
    if (this.wildcards.size || this.counts.size || this.isEither) this.element.open = true;
  }

  // The term of a query; empty if nothing is asked.
  get term() {
    const pieces = this.pieces();
    const rows = [];
    for (let rank = 7; rank >= 0; rank -= 1) {
      let row = "";
      let free = 0;
      for (let file = 0; file < 8; file += 1) {
        const square = squareAt(file, rank);
        const sign = pieces.get(square) ?? this.wildcards.get(square);
        if (sign) {
          row += (free || "") + sign;
          free = 0;
        } else free += 1;
      }
      rows.push(row + (free || ""));
    }
    const hasPattern = pieces.size + this.wildcards.size > 0;
    const parts = [
      hasPattern && `pattern:"${rows.join("/")}"`,
      this.counts.size > 0 && `material:"${COUNTED.filter((letter) => this.counts.has(letter)).map((letter) => letter + this.counts.get(letter)).join(" ")}"`,
    ].filter(Boolean);
    if (!parts.length) return "";
    // Both hold at the same position.
    const term = parts.length > 1 ? `at(${parts.join(" ")})` : parts[0];
    return this.isEither ? `${term} any-color` : term;
  }

  show() {
    const { term } = this;
    this.query.textContent = term || "Put pieces on the board, or choose numbers.";
    this.finds.disabled = !term;
  }
}
