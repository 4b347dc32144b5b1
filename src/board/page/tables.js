// Endgame tables: the verdict on the position, and on each move.

import { button, h, replace } from "./dom.js";
import { settings } from "./settings.js";
import { written } from "./speech.js";

const VERDICTS = {
  win: ["wins", "won"], cursed_win: ["wins, but for the 50-move rule", "drawn"], draw: ["draw", "drawn"],
  blessed_loss: ["loses, but for the 50-move rule", "drawn"], loss: ["loses", "lost"],
};

export class Tables {
  // `onmove({ uci, san })`.
  constructor(onmove) {
    this.onmove = onmove;
    this.element = h("section", { class: "tables", hidden: true, "aria-label": "Endgame tables" });
  }

  show(tables, turn) {
    this.element.hidden = !tables;
    if (!tables) return;
    const side = turn === "white" ? "White" : "Black";
    const [text] = VERDICTS[tables.verdict];
    const distance = tables.dtz ? ` ${tables.dtz} ${tables.dtz === 1 ? "ply" : "plies"} to a capture, pawn move or mate.` : "";
    replace(this.element, h("p", {}, h("strong", {}, text === "draw" ? "A draw." : `${side} ${text}.`), h("small", {}, distance)),
      h("div", { class: "verdicts" }, tables.moves.map((move) => button([written(move.san, settings.pieceNames), h("small", {}, move.dtz ? String(move.dtz) : "")],
        () => this.onmove(move), { class: VERDICTS[move.verdict][1], title: VERDICTS[move.verdict][0] }))));
  }
}
